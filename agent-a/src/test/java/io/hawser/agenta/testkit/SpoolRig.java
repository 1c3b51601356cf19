package io.hawser.agenta.testkit;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.SpoolSender;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.netty.channel.EventLoop;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The spool that ships, on a disk in memory that can be slow, full or broken. It has no session with a broker: a test says what the
 * broker answers. Each method returns when all that follows from it is durable.
 *
 * <p>Thread: a test's.
 */
public final class SpoolRig implements AutoCloseable {
    /** Where the spool is on its disk. */
    public static final Path DIRECTORY = Path.of("/spool");

    private static final int SEGMENT_BYTES = 128 << 10;
    /** The subscription of a test that needs one only. */
    private static final String SUBSCRIPTION = "site-b";

    public final FaultyStorage disk;
    /** What the server has. */
    public final Spool store;
    /** How often the server has looked at all transfers. */
    public final AtomicInteger walks = new AtomicInteger();

    private final DiskSpool real;
    private final EventLoop loop;
    private final LoopDisk tasks;

    /** A spool as agent-a has it. */
    public SpoolRig(EventLoop loop) throws StorageException {
        this(loop, config(), new FaultyStorage());
    }

    /** The spool of {@code disk}, which may have been another rig's. */
    public SpoolRig(EventLoop loop, SpoolConfig config, FaultyStorage disk) throws StorageException {
        this.loop = loop;
        this.disk = disk;
        this.tasks = new LoopDisk(loop);
        this.real = DiskSpool.open(
                disk,
                DIRECTORY,
                config,
                new FragmentBufferPool(FtpFixture.FRAGMENT_BYTES, 4),
                task -> tasks.execute(Lane.VERIFICATION, task),
                loop,
                StoreRuntime.of(tasks));
        this.store = (Spool) Proxy.newProxyInstance(
                Spool.class.getClassLoader(), new Class<?>[] {Spool.class}, (self, method, arguments) -> {
                    if (method.getName().equals("states")) {
                        walks.incrementAndGet();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        run(() -> real.start(new SpoolSender(real, HopSenderLimits.DEFAULT, cause -> {})));
    }

    /** What agent-a sets by itself, with a small journal. */
    public static SpoolConfig config() {
        return SpoolConfig.defaults().withJournal(SEGMENT_BYTES, 0).withKeepUntilAllowed(true);
    }

    /** The same that takes so many transfers, and remembers so many of those that have ended. */
    public static SpoolConfig config(int maxPending, int maxRemembered) {
        SpoolConfig usual = config();
        SpoolConfig.Bounds bounds = new SpoolConfig.Bounds(maxPending, maxPending, maxRemembered);
        return new SpoolConfig(usual.space(), bounds, usual.keeping(), usual.journal());
    }

    /** Forgets each transfer when it ends. */
    public static SpoolConfig forgetful() {
        return config(1000, 0);
    }

    /** Nothing more is written of {@code lane} until {@link #release}. */
    public void hold(Lane lane) {
        tasks.hold(lane);
    }

    /** All that waits is written, in its order. */
    public void release() {
        tasks.release();
    }

    /** How many tasks of a lane that is held wait. */
    public int waiting(Lane lane) {
        return tasks.waiting(lane);
    }

    /** The task of {@code lane} that waits longest runs; whether there was one. */
    public boolean runOne(Lane lane) {
        return tasks.runOne(lane);
    }

    /** All transfers, by number. */
    public List<TransferSnapshot> all() {
        tasks.settle();
        return onLoop(real::states).stream()
                .sorted(Comparator.comparingLong(state -> state.manifest().number()))
                .toList();
    }

    /** The newest transfer. */
    public TransferSnapshot newest() {
        List<TransferSnapshot> all = all();
        return all.get(all.size() - 1);
    }

    /** The content of the newest complete transfer of that name that the broker does not have, or null. */
    public byte @Nullable [] content(String topic, String name) {
        return all().stream()
                .filter(state -> state.phase() == SpoolPhase.SPOOLED
                        && (state.manifest().kind().hasBytes()
                                || state.manifest().kind() == TransferKind.MAKE_DIRECTORY)
                        && state.manifest().topic().toString().equals(topic)
                        && state.manifest().name().equals(name))
                .reduce((older, newer) -> newer)
                .map(this::content)
                .orElse(null);
    }

    private byte[] content(TransferSnapshot state) {
        Commit commit = Objects.requireNonNull(state.commit());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long index = 0; all.size() < commit.sizeBytes(); index++) {
            long next = index;
            CompletableFuture<byte[]> loaded = new CompletableFuture<>();
            run(() -> real.load(state.key(), next, outcome -> loaded.complete(take(outcome.get()))));
            all.writeBytes(loaded.join());
        }
        return all.toByteArray();
    }

    private static byte[] take(Fragment fragment) {
        byte[] bytes = new byte[fragment.length()];
        fragment.buffer().payload(fragment.offset(), fragment.length()).get(bytes);
        fragment.buffer().release();
        return bytes;
    }

    /** The broker has the transfer and owes it to these. */
    public void brokered(TransferKey key, String... subscriptions) {
        settle(() -> real.committed(key, List.of(subscriptions)));
    }

    /** A subscription, by default the only one of the transfer, says how far it is. */
    public void receipt(TransferKey key, String subscription, ReceiptStatus status, String reason) {
        settle(() -> {
            if (real.state(key).orElseThrow().phase() == SpoolPhase.SPOOLED) {
                real.committed(key, List.of(subscription));
            }
            real.receipt(new Receipt(key, subscription, status, reason, 0), () -> {});
        });
    }

    /** It has been delivered to all that it is owed to. */
    public void finish(TransferKey key) {
        settle(() -> deliver(real.state(key).orElseThrow()));
    }

    /** Everything that was accepted has been delivered. */
    public void finishAll() {
        settle(() -> real.states().stream()
                .filter(state -> state.commit() != null && !state.phase().isFinal())
                .forEach(this::deliver));
    }

    private void deliver(TransferSnapshot state) {
        List<String> owed = state.deliverySet();
        if (state.phase() == SpoolPhase.SPOOLED) {
            owed = List.of(SUBSCRIPTION);
            real.committed(state.key(), owed);
        }
        owed.forEach(subscription ->
                real.receipt(new Receipt(state.key(), subscription, ReceiptStatus.DELIVERED, "", 0), () -> {}));
    }

    /** The broker does not let the transfer in for want of a right. */
    public void lacksRight(TransferKey key, String why) {
        settle(() -> real.refused(key, new Refusal(ErrorCode.NOT_ALLOWED, why)));
    }

    /** The broker lets it in, and has nothing of it yet. */
    public void letIn(TransferKey key) {
        settle(() -> real.acked(key, new FragmentRanges()));
    }

    private void run(Runnable task) {
        loop.submit(task).syncUninterruptibly();
    }

    /** Answers what {@code task} does, which runs on the loop. */
    public <T> T onLoop(Supplier<T> task) {
        return loop.submit(task::get).syncUninterruptibly().getNow();
    }

    /** Runs {@code task} on the loop. */
    public void settle(Runnable task) {
        run(task);
        tasks.settle();
    }

    /** The process ends: of what waits nothing is written any more. */
    public void crash() {
        tasks.die();
        disk.kill();
    }

    @Override
    public void close() {
        real.close();
    }
}
