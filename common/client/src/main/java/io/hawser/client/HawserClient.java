package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.RemoteCalls;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.transport.BrokerConnection;
import io.hawser.core.transport.ConnectionState;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.wire.Greeting;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolSender;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.UploadRequest;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.netty.channel.EventLoop;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Hawser client: sends files, streams and messages to topics, receives by subscription, sends requests.
 *
 * <p>What a send method accepted is in the journal below {@link ClientOptions#state}. The client brings it to the broker through lost
 * connections, restarts of the broker, and restarts of this program with the same directory ({@link #pending}). A caller that sends faster
 * than the broker takes is blocked, so memory stays bounded. Of transfers that wait for receipts the oldest are no longer followed from
 * 8,000 on at a heap of 128 MB, from 50,000 on at 800 MB or more; their futures of delivery then fail with {@link
 * HawserException.Reason#NOT_FOLLOWED}.
 *
 * <p>After the disk of {@link #slot} fails, all pending futures fail with {@link HawserException.Reason#STORAGE_FAILED}, and methods that
 * send throw the same ({@link #failure}).
 *
 * <p>Any thread may call any method, except that a method that blocks must not be called from a callback on {@code hawser-callbacks}.
 * Futures complete on that thread. After {@link #close} methods that send, receive or search throw an {@link IOException}. Methods that
 * take a topic throw {@link IllegalArgumentException} if it is no topic name.
 */
public final class HawserClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HawserClient.class);
    private static final String CLOSED = "the client is closed";
    /** A transfer with its futures takes this many times the heap that it takes in agent-a. */
    private static final int HEAP_FACTOR = 4;

    private final ClientOptions options;
    private final NodeThreads net;
    private final EventLoop loop;
    private final CallbackThread callbacks;
    private final Storage storage;
    private final ClientSlot slot;
    private final Spool spool;
    private final BrokerConnection connection;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<AutoCloseable> receivers = new ArrayList<>();
    private final RequestReplyClient requests;
    private final ConnectionState broker = new ConnectionState();
    private final SpoolSender spoolSender;
    private final OpenTransfers openTransfers;
    private final TransferSubmitter submitter;
    private final FarEndFollower farEnds;
    private final RemoteCalls calls;

    private HawserClient(ClientOptions options, @Nullable NodeTls tls, List<StateSlot> first, Storage storage)
            throws IOException {
        this.options = options;
        this.storage = storage;
        this.net = new NodeThreads();
        this.loop = net.loop();
        this.callbacks = new CallbackThread();
        this.slot = openSlot(new StateDirectory(storage, options.state()), first);
        this.spool = slot.spool();
        this.openTransfers = new OpenTransfers(slot.directory());
        this.connection = net.connection(
                options.brokerAddresses(),
                options.sessionOptions().withSsl(tls == null ? null : tls.clientContext()),
                Greeting.Role.CLIENT,
                spool.nodeId(),
                spool.epoch(),
                pool(),
                broker);
        if (tls != null) {
            connection.rights(tls::grants);
        }
        this.requests = new RequestReplyClient(this, spool.nodeId());
        this.spoolSender = new SpoolSender(spool, HopSenderLimits.DEFAULT, openTransfers::fail);
        this.submitter = new TransferSubmitter(this, spool, openTransfers, pool());
        this.farEnds = new FarEndFollower(spoolSender.sender());
        // The memory is taken when there are answers.
        FragmentBufferPool answers = pool();
        this.calls = new RemoteCalls(answers, answers, loop, System::nanoTime);
    }

    private ClientSlot openSlot(StateDirectory state, List<StateSlot> first) throws IOException {
        SpoolConfig usual = SpoolConfig.defaults();
        // No call continues a stream that broke off, and nothing of it was accepted.
        SpoolConfig config = usual.withRetainIncomplete(Duration.ZERO)
                .withKeepUntilDelivered(false)
                .withMaxAwaitingReceipts(usual.bounds().maxAwaitingReceipts() / HEAP_FACTOR);
        FragmentBufferPool loadPool = pool();
        try {
            return ClientSlot.open(
                    state,
                    options.brokers(),
                    first,
                    directory -> DiskSpool.open(storage, directory, config, loadPool, net.digests(), loop));
        } catch (IOException | RuntimeException e) {
            stopThreads();
            throw e;
        }
    }

    private FragmentBufferPool pool() {
        return new FragmentBufferPool(
                options.limits().fragmentSizeBytes(), options.limits().buffers());
    }

    /**
     * Opens a client with the default options for one broker, as {@link #connect(ClientOptions)} does.
     *
     * @param broker {@code host:port}, an IPv6 address in brackets
     * @throws IllegalArgumentException if {@code broker} is not of this form
     * @throws IOException as {@link #connect(ClientOptions)}
     */
    public static HawserClient connect(String broker) throws IOException {
        return connect(ClientOptions.of(broker));
    }

    /**
     * Opens the journal and starts to connect. Blocks for the recovery of the journal, not for the broker: what is sent before a session
     * exists is in the journal. Several clients can share a state directory, each with its own slot ({@link StateDirectory}).
     *
     * @throws IOException if the journal or the keys cannot be opened, or other clients use all slots
     */
    public static HawserClient connect(ClientOptions options) throws IOException {
        return connect(options, List.of());
    }

    /**
     * Opens a client as {@link #connect(ClientOptions)} does, and prefers some slots of the state directory.
     *
     * @param first slots of the same destination; the client takes the first one that is free
     * @throws IOException as {@link #connect(ClientOptions)}
     */
    public static HawserClient connect(ClientOptions options, List<StateSlot> first) throws IOException {
        return connect(options, first, new DiskStorage());
    }

    static HawserClient connect(ClientOptions options, List<StateSlot> first, Storage storage) throws IOException {
        HawserClient client = open(options, first, storage);
        client.start();
        return client;
    }

    /**
     * Opens the journal as {@link #connect(ClientOptions)} does, and does not connect before {@link #start}. Until then nothing that an
     * earlier program left in the journal goes on, so {@link #pending}, {@link #find} and {@link #findPending} miss nothing.
     *
     * @throws IOException as {@link #connect(ClientOptions)}
     */
    public static HawserClient open(ClientOptions options) throws IOException {
        return open(options, List.of(), new DiskStorage());
    }

    private static HawserClient open(ClientOptions options, List<StateSlot> first, Storage storage) throws IOException {
        NodeTls tls = options.tls() == null ? null : NodeTls.load(options.tls(), Role.CLIENT);
        return new HawserClient(options, tls, first, storage);
    }

    /**
     * Starts to connect after {@link #open}. Nothing can be sent, received or requested before. Blocks until the client's loop answers. A
     * second call does nothing.
     *
     * @throws IOException if the client is closed
     */
    public void start() throws IOException {
        if (!started.compareAndSet(false, true)) {
            return;
        }
        onLoop(() -> {
            connection.publish(spoolSender.sender());
            connection.calls(calls.handler());
            spool.start(spoolSender);
            connection.start();
            return true;
        });
    }

    // --- sending
    /**
     * Sends a file under its own name, as {@link #send(String, Path, String)} does.
     *
     * @throws HawserException if the file does not exist or is refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public SentTransfer send(String topic, Path file) throws IOException {
        Path name = file.getFileName();
        return send(topic, file, name == null ? file.toString() : name.toString());
    }

    /**
     * Sends a file. The client reads it in place; if it changes before {@link SentTransfer#brokered}, the transfer fails with {@link
     * HawserException.Reason#SOURCE_CHANGED}. Blocks while {@link ClientOptions.Limits#maxPending} transfers wait for the broker.
     *
     * @param name the name at the far end: segments joined by {@code /}
     * @throws HawserException if the file does not exist or is refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public SentTransfer send(String topic, Path file, String name) throws IOException {
        return submitter.reference(submitter.file(topic, name), file);
    }

    /**
     * Sends bytes as a file. They must not change before {@link SentTransfer#spooled}. Blocks while {@link
     * ClientOptions.Limits#maxPending} transfers wait for the broker, and, of more than 64 KiB, until the journal has them.
     *
     * @param name the name at the far end: segments joined by {@code /}
     * @throws HawserException if it is refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public SentTransfer send(String topic, String name, byte[] content) throws IOException {
        UploadRequest request = submitter.file(topic, name).withSize(content.length);
        return content.length > Spool.SMALL_LIMIT_BYTES
                ? submitter.stream(request, new ByteArrayInputStream(content))
                : submitter.small(request, content);
    }

    /**
     * Sends a stream of unknown length as a file. Blocks until the journal has all of it. If the stream throws, or the program ends
     * before this returns, nothing is published. Does not close the stream.
     *
     * @param name the name at the far end: segments joined by {@code /}
     * @throws HawserException if it is refused
     * @throws IOException what {@code content} threw; or if the client is closed, or its journal cannot be written
     */
    public SentTransfer send(String topic, String name, InputStream content) throws IOException {
        return submitter.stream(submitter.file(topic, name), content);
    }

    /**
     * Makes a directory, with its parents, at the far end. Blocks while {@link ClientOptions.Limits#maxPending} transfers wait for the
     * broker.
     *
     * @param name the name at the far end: segments joined by {@code /}
     * @throws HawserException if it is refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public SentTransfer makeDirectory(String topic, String name) throws IOException {
        UploadRequest request = submitter.request(topic, TransferKind.MAKE_DIRECTORY, name, List.of(name), Map.of());
        return submitter.small(request.withSize(0), new byte[0]);
    }

    /**
     * Sends a message to the subscriptions of a topic. Blocks while {@link ClientOptions.Limits#maxPending} transfers wait for the broker.
     *
     * @param label the receiver's {@link ReceivedObject#name}
     * @param content at most 64 KiB; must not change before {@link SentTransfer#spooled}
     * @param attributes names of a program's own begin with {@code x-}
     * @throws HawserException if the message is too long or refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public SentTransfer sendMessage(String topic, String label, byte[] content, Map<String, String> attributes)
            throws IOException {
        if (content.length > Spool.SMALL_LIMIT_BYTES) {
            throw new HawserException(
                    HawserException.Reason.TOO_LARGE,
                    "a message has at most " + Spool.SMALL_LIMIT_BYTES + " bytes, not " + content.length
                            + "; send it as a file");
        }
        UploadRequest request = submitter.request(topic, TransferKind.MESSAGE, label, List.of(), attributes);
        return submitter.small(request.withSize(content.length), content);
    }

    /**
     * Sends a request to the subscriptions of a topic; the first {@link ReceivedObject#reply} counts. Blocks while {@link
     * ClientOptions.Limits#maxPending} transfers wait for the broker.
     *
     * @param label the receiver's {@link ReceivedObject#name}
     * @param content at most 64 KiB
     * @param timeout for the reply
     * @return the reply, at most one fragment. Fails with a {@link HawserException}: {@link HawserException.Reason#NO_REPLY} after the
     *     timeout, or why the request was not delivered
     * @throws HawserException if the request is too long or refused
     * @throws IOException if the client is closed, or its journal cannot be written
     */
    public CompletableFuture<byte[]> request(String topic, String label, byte[] content, Duration timeout)
            throws IOException {
        return requests.send(topic, label, content, timeout);
    }

    /**
     * All unfinished transfers of the journal, also those of earlier clients with it. Blocks until the client's loop answers.
     *
     * @throws IOException if the client is closed
     */
    public List<SentTransfer> pending() throws IOException {
        return onLoop(() -> spool.states().stream()
                .filter(state -> !state.phase().isFinal())
                .map(submitter::follow)
                .toList());
    }

    /**
     * Searches for an unfinished transfer of this version of a file. Empty if there is none, or the file cannot be read. Blocks: reads the
     * file's attributes, and a small file.
     *
     * @param name the name at the far end
     * @throws IOException if the client is closed
     */
    public Optional<SentTransfer> findPending(String topic, String name, Path file) throws IOException {
        Optional<TransferSnapshot> found = new PendingFiles(this, spool, storage).find(new Topic(topic), name, file);
        return found.isEmpty() ? Optional.empty() : onLoop(() -> found.map(submitter::follow));
    }

    /**
     * Searches for a transfer that is unfinished, or that this client finished recently. Blocks until the client's loop answers.
     *
     * @throws IOException if the client is closed
     */
    public Optional<SentTransfer> find(TransferId id) throws IOException {
        return onLoop(() -> spool.state(id.key()).map(submitter::follow));
    }

    /**
     * Asks the broker how far transfers of this client are at their far ends. {@link SentTransfer#farEnds} has the answer about a round trip
     * later; without a session, or from a busy broker, none comes, so ask again. Ask once a second at most. Does not block.
     *
     * @param transfers the first 64 count
     */
    public void askFarEnds(List<SentTransfer> transfers) {
        List<SentTransfer> asked = List.copyOf(transfers);
        try {
            loop.execute(() -> farEnds.ask(asked));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The client is closed: the broker is not asked about far ends");
        }
    }

    /** As {@link SentTransfer#problem}. */
    String problem(TransferKey key) throws IOException {
        return onLoop(() -> spool.state(key)
                .map(state -> TransferProblem.of(
                        state,
                        broker.problem(),
                        spoolSender
                                .sender()
                                .progress(key)
                                .map(OutgoingTransferStatus::held)
                                .orElse("")))
                .orElse(""));
    }

    CompletableFuture<TransferId> cancel(TransferId id, String reason) {
        CompletableFuture<TransferId> result = new CompletableFuture<>();
        try {
            loop.execute(() -> new Cancellation(spool, id, result, callbacks).begin(reason));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new HawserException(HawserException.Reason.STOPPING, CLOSED));
        }
        return result;
    }

    // --- receiving
    /**
     * Receives the files of a subscription into a directory until the receiver or the client closes: each whole, verified and exactly
     * once. A new subscription gets what is sent from now on. Blocks for the recovery of what an earlier run left there, not for the broker.
     *
     * @param subscription a name; one consumer at a time has it
     * @param directory made if it does not exist
     * @throws IOException if the directory cannot be used, another process uses it, or the client is closed
     */
    public Receiver receiveInto(String topic, String subscription, Path directory) throws IOException {
        requireOpen();
        return add(Receiver.intoDirectory(this, topic, subscription, directory));
    }

    /**
     * Receives as {@link #receiveInto(String, String, Path)} does, until some files have come to their end. Further ones stay in the
     * directory's landing area, for the next receiver of the subscription there.
     *
     * @param most how many files, 1 or more
     * @param listener runs on a thread of the client's disk when something has come to its end, and must not block
     * @throws IOException as {@link #receiveInto(String, String, Path)}
     */
    public Receiver receiveInto(
            String topic, String subscription, Path directory, long most, Consumer<ReceivedFile> listener)
            throws IOException {
        requireOpen();
        return add(Receiver.intoDirectory(this, topic, subscription, directory, most, listener));
    }

    /**
     * Receives the objects of a subscription one by one until the receiver or the client closes. A new subscription gets what is sent from
     * now on. Blocks for the recovery of objects that an earlier run did not acknowledge, not for the broker.
     *
     * @param subscription a name; one consumer at a time has it
     * @param handler runs on the thread {@code hawser-receive-SUBSCRIPTION} and may block. It settles each object ({@link
     *     ReceivedObject#ack}) then or later. If it throws, the object comes again
     * @throws IOException if the inbox below {@link ClientOptions#state} cannot be used, another process uses it, or the client is closed
     */
    public Receiver receive(String topic, String subscription, Consumer<ReceivedObject> handler) throws IOException {
        requireOpen();
        return add(Receiver.byHandler(this, topic, subscription, handler));
    }

    // --- reading
    /**
     * The files at a topic's far end.
     *
     * @param away how long each question waits while no broker or no far end is connected; at least 1 ms
     */
    public FarFiles files(String topic, Duration away) {
        return new FarFiles(loop, calls, new Topic(topic), options.limits().fragmentSizeBytes(), away);
    }

    void requireStarted() {
        if (!started.get()) {
            throw new IllegalStateException("the client is not started: call start() first");
        }
    }

    private void requireOpen() throws IOException {
        requireStarted();
        if (closed.get()) {
            throw new IOException(CLOSED);
        }
    }

    private synchronized Receiver add(Receiver receiver) {
        receivers.add(receiver);
        return receiver;
    }

    EventLoop loop() {
        return loop;
    }

    Storage storage() {
        return storage;
    }

    DigestThreads digests() {
        return net.digests();
    }

    Executor callbacks() {
        return callbacks;
    }

    BrokerConnection connection() {
        return connection;
    }

    ClientOptions options() {
        return options;
    }

    /** Runs a task on the loop and waits for it. Not to be called on the loop. */
    <T extends @Nullable Object> T onLoop(NodeThreads.Task<T> task) throws IOException {
        try {
            return net.onLoop(task);
        } catch (RejectedExecutionException e) {
            throw new IOException(CLOSED, e);
        }
    }

    /** Whether a session with a broker exists. Does not block. */
    public boolean isConnected() {
        return broker.isConnected();
    }

    /** Why no session exists, as a sentence; empty if one does. Does not block. */
    public String connectionProblem() {
        return broker.problem();
    }

    /**
     * Why the disk of {@link #slot} failed, and what to do; empty while it works. The client then sends nothing new and follows no
     * transfer: close it. The next client with this directory resumes what is in the journal. Does not block.
     */
    public Optional<HawserException> failure() {
        return openTransfers.failure();
    }

    /** The directory of this client's slot of the state directory. Does not block. */
    public Path slot() {
        return slot.directory();
    }

    /** The addresses of the broker, {@code host:port}. Does not block. */
    public List<String> brokers() {
        return options.brokers();
    }

    /**
     * Closes the receivers, the session and the journal. The next client with this directory resumes unfinished transfers; their futures
     * stay pending here. Blocks until the broker confirmed the end, 1 s at most, and callbacks of completed futures ran, 5 s at most (not
     * at all if a callback calls this). A second call does nothing.
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
        slot.close(isSettled());
        stopThreads();
    }

    /** Whether the broker has all that was accepted. */
    private boolean isSettled() {
        try {
            return failure().isEmpty() && onLoop(slot::isSettled);
        } catch (IOException e) {
            return false;
        }
    }

    private void stopThreads() {
        net.close();
        callbacks.close();
    }
}
