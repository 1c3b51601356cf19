package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.config.HostPort;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.HopLimits;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderProgress;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.transport.AgentNet;
import io.hawser.core.transport.BrokerConnection;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.wire.Greeting;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpTuning;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.Publisher;
import io.hawser.store.spool.SourceFingerprint;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferState;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.netty.channel.EventLoop;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hawser for Java programs: reliable sends to a topic, receiving by subscription, request and reply.
 *
 * <p>What {@code send} has accepted is in the journal under {@link ClientOptions#state}, and goes on by itself: through losses
 * of the connection, deaths of the broker, and restarts of this program with the same directory ({@link #pending}). A caller
 * who sends faster than the broker takes is blocked; memory does not grow: of transfers that wait for their receipts the oldest are no
 * longer followed from 8,000 on at a heap of 128 MB, from 50,000 on at 800 MB or more; their futures of delivery then fail and say so.
 *
 * <p>Thread: any. Futures complete on one thread of the client's, so what is chained to them may not block for long.
 */
public final class HawserClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HawserClient.class);
    private static final int CLOSE_SECONDS = 5;
    /** A transfer with its futures takes so many times the heap that it takes in agent-a. */
    private static final int FUTURES_WEIGH = 4;

    private final ClientOptions options;
    private final AgentNet net;
    private final EventLoop loop;
    private final ExecutorService callbacks;
    private final CallbackTurn turn;
    private final Storage storage;
    private final FragmentBufferPool uploadPool;
    private final StateDirectory state;
    private final Path slot;
    private final Spool spool;
    private final BrokerConnection connection;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Semaphore room;
    private final List<AutoCloseable> receivers = new ArrayList<>();
    private final Requests requests;
    private final ConnectionState broker = new ConnectionState();
    private final Publisher publisher;
    private volatile @Nullable StorageException storageFailure;
    private volatile @Nullable Thread callbackThread;

    private HawserClient(ClientOptions options, @Nullable NodeTls tls, List<StateSlot> first) throws IOException {
        this.options = options;
        this.storage = new DiskStorage();
        this.state = new StateDirectory(storage, options.state());
        this.net = new AgentNet();
        this.loop = net.loop();
        this.callbacks = Executors.newSingleThreadExecutor(this::callbackThread);
        this.turn = new CallbackTurn(loop, callbacks);
        this.uploadPool = new FragmentBufferPool(options.fragmentSizeBytes(), options.buffers());
        this.room = new Semaphore(options.maxPending());
        FragmentBufferPool loadPool = new FragmentBufferPool(options.fragmentSizeBytes(), options.buffers());
        OpenSlot slot = openSlot(loadPool, first);
        this.slot = slot.directory;
        this.spool = slot.spool;
        this.connection = net.connection(
                options.brokers(),
                PtcpOptions.DEFAULT
                        .withStreams(options.streams() == 0 ? PtcpOptions.MAX_STREAMS : options.streams())
                        .withTuning(options.streams() == 0 ? PtcpTuning.AUTO : PtcpTuning.FIXED)
                        .withSilence(options.sessionSilence())
                        .withSsl(tls == null ? null : tls.clientContext()),
                Greeting.Role.CLIENT,
                spool.nodeId(),
                spool.epoch(),
                new FragmentBufferPool(options.fragmentSizeBytes(), options.buffers()),
                broker);
        if (tls != null) {
            connection.rights(tls::grants);
        }
        this.requests = new Requests(this, spool.nodeId());
        this.publisher = new Publisher(spool, HopLimits.DEFAULT, this::onStorageFailed);
    }

    private static boolean hasUnsent(Spool spool) {
        return !spool.states().stream().allMatch(known -> known.phase().isFinal());
    }

    private boolean claims(Path candidate, Spool open) throws StorageException {
        try {
            return state.claim(candidate, options.brokers(), hasUnsent(open));
        } catch (StorageException e) {
            open.close();
            throw e;
        }
    }

    /** The slot of the state directory that is this client's. */
    private record OpenSlot(Path directory, Spool spool) {}

    private OpenSlot openSlot(FragmentBufferPool loadPool, List<StateSlot> first) throws IOException {
        try {
            for (Path candidate : state.candidates(options.brokers(), first)) {
                Spool open = openUnlessInUse(candidate, loadPool);
                if (open != null && claims(candidate, open)) {
                    return new OpenSlot(candidate, open);
                } else if (open != null) {
                    open.close(); // another process has just made it for another destination
                }
            }
            for (Path candidate : state.settledOfOthers(options.brokers())) {
                Spool open = openUnlessInUse(candidate, loadPool);
                if (open != null && !hasUnsent(open)) {
                    state.rebind(candidate, options.brokers());
                    return new OpenSlot(candidate, open);
                } else if (open != null) {
                    open.close();
                    state.settle(candidate);
                }
            }
            throw new DirectoryInUseException(options.state() + ": all of its " + StateDirectory.MAX_SLOTS
                    + " slots are in use by hawser processes, or hold transfers for other brokers. Try again when a process has"
                    + " ended, or choose another state directory");
        } catch (IOException | RuntimeException e) {
            stopThreads();
            throw e;
        }
    }

    private @Nullable Spool openUnlessInUse(Path directory, FragmentBufferPool loadPool) throws IOException {
        try {
            SpoolConfig usual = SpoolConfig.defaults();
            SpoolConfig config = usual.withKeepUntilDelivered(false)
                    .withMaxAwaitingReceipts(usual.bounds().maxAwaitingReceipts() / FUTURES_WEIGH);
            return DiskSpool.open(storage, directory, config, loadPool, net.digests(), loop);
        } catch (DirectoryInUseException e) {
            return null;
        }
    }

    private Thread callbackThread(Runnable task) {
        Thread thread = new Thread(task, "hawser-callbacks");
        thread.setDaemon(true);
        callbackThread = thread;
        return thread;
    }

    /** Connects to the broker at {@code host:port} with the default options. */
    public static HawserClient connect(String broker) throws IOException {
        return connect(ClientOptions.of(broker));
    }

    /**
     * Opens the journal and begins to connect. Does not wait for the broker: what is sent meanwhile is in the journal. Several clients
     * can use one state directory, each with a slot of its own ({@link StateDirectory}).
     *
     * @throws IOException if no journal can be opened, or all slots are in use
     */
    public static HawserClient connect(ClientOptions options) throws IOException {
        return connect(options, List.of());
    }

    /**
     * The same with one of the slots in {@code first}, of the same destination, if one of them is free: the first of these.
     *
     * @throws IOException if no journal can be opened, or all slots are in use
     */
    public static HawserClient connect(ClientOptions options, List<StateSlot> first) throws IOException {
        NodeTls tls = options.tls() == null ? null : NodeTls.load(options.tls(), Role.CLIENT);
        HawserClient client = new HawserClient(options, tls, first);
        client.start();
        return client;
    }

    private void start() throws IOException {
        onLoop(() -> {
            connection.publish(publisher.sender());
            spool.start(publisher);
            connection.start();
            return true;
        });
    }

    private void onStorageFailed(StorageException cause) {
        storageFailure = cause;
    }

    // --- sending
    /** Sends a file under its own name. It is read in place and must not change until it is brokered; if it does, it is refused. */
    public SentTransfer send(String topic, Path file) throws IOException {
        Path name = file.getFileName();
        return send(topic, file, name == null ? file.toString() : name.toString());
    }

    /** Sends a file under {@code name}: segments joined by {@code /}. */
    public SentTransfer send(String topic, Path file, String name) throws IOException {
        UploadRequest request = file(topic, name, Map.of());
        return begin(name, transfer -> spool.reference(request, file, outcome -> onCommit(transfer.get(), outcome)));
    }

    /** Sends bytes as a file under {@code name}. They must not change until the transfer is spooled. */
    public SentTransfer send(String topic, String name, byte[] content) throws IOException {
        UploadRequest request = file(topic, name, Map.of()).withSize(content.length);
        if (content.length > Spool.SMALL_LIMIT_BYTES) {
            return stream(request, new ByteArrayInputStream(content));
        }
        return small(request, content);
    }

    /**
     * Sends a stream of unknown length as a file under {@code name}. Returns when all of it is durable on this side; blocks the
     * caller where the disk or the spool's space is short. If the stream breaks, nothing is published.
     */
    public SentTransfer send(String topic, String name, InputStream content) throws IOException {
        return stream(file(topic, name, Map.of()), content);
    }

    /** Makes a directory, with its parents, at the far end. */
    public SentTransfer makeDirectory(String topic, String name) throws IOException {
        UploadRequest request = request(topic, TransferKind.MAKE_DIRECTORY, name, List.of(name), Map.of());
        return small(request.withSize(0), new byte[0]);
    }

    /** Sends a message of at most 64 KiB with attributes to whoever subscribes to the topic. */
    public SentTransfer sendMessage(String topic, String label, byte[] content, Map<String, String> attributes)
            throws IOException {
        if (content.length > Spool.SMALL_LIMIT_BYTES) {
            throw new HawserException("a message has at most " + Spool.SMALL_LIMIT_BYTES + " bytes, not "
                    + content.length + "; send it as a file");
        }
        UploadRequest request = request(topic, TransferKind.MESSAGE, label, List.of(), attributes);
        return small(request.withSize(content.length), content);
    }

    /** Sends a request to whoever subscribes to the topic; the future is its reply, or fails after {@code timeout}. */
    public CompletableFuture<byte[]> request(String topic, String label, byte[] content, Duration timeout)
            throws IOException {
        return requests.send(topic, label, content, timeout);
    }

    /** Transfers of this or an earlier life of this journal that are not finished. */
    public List<SentTransfer> pending() throws IOException {
        return onLoop(() -> spool.states().stream()
                .filter(state -> !state.phase().isFinal())
                .map(this::follow)
                .toList());
    }

    /** An unfinished transfer of {@code file}, as the file is now, to that topic and name from an earlier life. */
    public Optional<SentTransfer> findPending(String topic, String name, Path file) throws IOException {
        SourceFingerprint source;
        try {
            source = SourceFingerprint.of(storage, file);
        } catch (StorageException e) {
            return Optional.empty(); // whoever sends it now is told why it cannot be read
        }
        return onLoop(() -> spool.findReference(new Topic(topic), name, source).map(this::follow));
    }

    /** The transfer of that key, if it is not finished, or was finished not long ago in this life of the client. */
    public Optional<SentTransfer> find(TransferKey key) throws IOException {
        return onLoop(() -> spool.state(key).map(this::follow));
    }

    private SentTransfer follow(TransferState state) {
        SentTransfer transfer = new SentTransfer(state.key(), state.manifest().name(), this, callbacks, turn);
        transfer.begin(state);
        spool.observe(state.key(), transfer::onState);
        return transfer;
    }

    /** Why a transfer does not go on for now, as a phrase; empty if nothing is known to hold it back. */
    String problem(TransferKey key) throws IOException {
        return onLoop(() -> spool.state(key)
                .map(state -> TransferProblem.of(
                        state,
                        broker.problem(),
                        publisher
                                .sender()
                                .progress(key)
                                .map(SenderProgress::held)
                                .orElse("")))
                .orElse(""));
    }

    CompletableFuture<TransferKey> cancel(TransferKey key, String reason) {
        CompletableFuture<TransferKey> result = new CompletableFuture<>();
        loop.execute(() -> {
            Outcome<TransferKey> outcome = spool.cancel(key, reason);
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                callbacks.execute(() -> result.complete(key));
            } else {
                callbacks.execute(() -> result.completeExceptionally(new HawserException(refusal)));
            }
        });
        return result;
    }

    private UploadRequest file(String topic, String name, Map<String, String> attributes) {
        return request(topic, TransferKind.FILE, name, List.of(name), attributes);
    }

    private UploadRequest request(
            String topic, TransferKind kind, String name, List<String> paths, Map<String, String> attributes) {
        return new UploadRequest(
                new Topic(topic), kind, name, paths, Manifest.UNKNOWN_SIZE, options.fragmentSizeBytes(), attributes);
    }

    private SentTransfer small(UploadRequest request, byte[] content) throws IOException {
        return begin(
                request.name(),
                transfer -> spool.sendSmall(
                        request, ByteBuffer.wrap(content), outcome -> onCommit(transfer.get(), outcome)));
    }

    private SentTransfer stream(UploadRequest request, InputStream content) throws IOException {
        Upload[] upload = new Upload[1];
        SentTransfer transfer = begin(request.name(), unused -> {
            Outcome<Upload> outcome = spool.begin(request);
            Refusal refusal = outcome.refusal();
            if (refusal != null) {
                return new Outcome<>(null, refusal);
            }
            upload[0] = outcome.get();
            return Outcome.of(upload[0].key());
        });
        Commit unused = new StreamUpload(loop, uploadPool, upload[0]).run(content);
        return transfer;
    }

    /** Holds the transfer that {@code begin} makes, for callbacks that come after it. */
    private static final class Holder {
        private @Nullable SentTransfer transfer;

        SentTransfer get() {
            if (transfer == null) {
                throw new IllegalStateException("a store called back inside the call");
            }
            return transfer;
        }
    }

    private SentTransfer begin(String name, Function<Holder, Outcome<TransferKey>> start) throws IOException {
        StorageException failed = storageFailure;
        if (failed != null) {
            throw failed;
        }
        room.acquireUninterruptibly();
        Holder holder = new Holder();
        try {
            return onLoop(() -> {
                Outcome<TransferKey> outcome = start.apply(holder);
                Refusal refusal = outcome.refusal();
                if (refusal != null) {
                    throw new HawserException(refusal);
                }
                SentTransfer transfer = new SentTransfer(outcome.get(), name, this, callbacks, turn);
                holder.transfer = transfer;
                spool.observe(outcome.get(), transfer::onState);
                var unused = transfer.brokered().whenComplete((key, failure) -> room.release());
                return transfer;
            });
        } catch (IOException e) {
            room.release();
            throw e;
        }
    }

    private static void onCommit(SentTransfer transfer, Outcome<Commit> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            transfer.fail(new HawserException(refusal));
        }
    }

    // --- receiving
    /** Receives the files of a subscription into a directory: whole, verified, exactly once each. Until it is closed. */
    public Receiver receiveInto(String topic, String subscription, Path directory) throws IOException {
        return add(Receiver.intoDirectory(this, topic, subscription, directory));
    }

    /**
     * Receives the objects of a subscription one by one. {@code handler} runs on a thread of its own and says of each that it is
     * done with it ({@link ReceivedObject#ack}), then or later.
     */
    public Receiver receive(String topic, String subscription, Consumer<ReceivedObject> handler) throws IOException {
        return add(Receiver.byApplication(this, topic, subscription, handler));
    }

    private synchronized Receiver add(Receiver receiver) {
        receivers.add(receiver);
        return receiver;
    }

    // --- for the parts of this package
    EventLoop loop() {
        return loop;
    }

    Storage storage() {
        return storage;
    }

    DigestThreads digests() {
        return net.digests();
    }

    ExecutorService callbacks() {
        return callbacks;
    }

    BrokerConnection connection() {
        return connection;
    }

    ClientOptions options() {
        return options;
    }

    /** Runs a task on the loop and waits for it. */
    <T extends @Nullable Object> T onLoop(AgentNet.Task<T> task) throws IOException {
        return net.onLoop(task);
    }

    /** Whether a session with a broker is up; if not, {@link #connectionProblem} says why. */
    public boolean isConnected() {
        return broker.isConnected();
    }

    /** Why there is no session, as a sentence; empty if there is one. */
    public String connectionProblem() {
        return broker.problem();
    }

    /** The directory of this client's slot of the state directory. */
    public Path slot() {
        return slot;
    }

    /** Where it connects. */
    public List<HostPort> brokers() {
        return options.brokers();
    }

    /**
     * Ends the session in order and closes the journal. What completed until then has been told when it returns, unless a callback takes
     * longer than 5 s or closes the client itself. What is not finished goes on with the next client on this directory. To
     * close it once more does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        for (AutoCloseable receiver : List.copyOf(receivers)) {
            try {
                receiver.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        loop.execute(requests::end);
        net.hangUp(connection);
        boolean settled = isSettled();
        spool.close();
        if (settled) {
            settle();
        }
        stopThreads();
    }

    /** Whether nothing that was accepted has still to get to the broker. */
    private boolean isSettled() {
        try {
            return storageFailure == null
                    && onLoop(() -> spool.states().stream()
                            .map(TransferState::phase)
                            .allMatch(phase -> phase == SpoolPhase.BROKERED
                                    || phase == SpoolPhase.FINISHED
                                    || phase == SpoolPhase.CANCELLED));
        } catch (IOException e) {
            return false;
        }
    }

    private void settle() {
        try {
            state.settle(slot);
        } catch (StorageException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("directory", slot)
                    .log("That nothing is left to send could not be noted");
        }
    }

    private void stopThreads() {
        net.close();
        callbacks.shutdown();
        if (Thread.currentThread() == callbackThread) {
            return;
        }
        try {
            boolean unused = callbacks.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
