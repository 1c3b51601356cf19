package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.time.ExpiryClock;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The spool on a disk. This class is its face; {@link TransferStarter} begins transfers, what happens to transfers is in {@link TransferLifecycle}, what comes
 * in is in {@link DiskUpload} and {@link InPlaceUploads}, and {@link SpoolParts} puts the parts together.
 *
 * <p>Thread: the loop, but for {@link #open} and {@link #close}.
 */
public final class DiskSpool implements Spool {
    private static final int TICKS_PER_SWEEP = 10;
    private static final int DISK_THREADS = 2;

    private final SpoolParts parts;
    private final SpoolConfig config;
    private final TransferRegister register;
    private final TransferLifecycle transfers;
    private final LoopMailbox mailbox;
    private final TransferStarter begins;
    private final LostCommits lost;
    private final ExpiryClock expiry;
    private long ticks;

    private DiskSpool(SpoolParts parts, StoreRuntime runtime) {
        this.parts = parts;
        this.config = parts.config;
        this.register = parts.register;
        this.transfers = parts.transfers;
        this.mailbox = parts.mailbox;
        this.begins = new TransferStarter(parts);
        this.lost = new LostCommits(register, transfers, parts.brokers, parts.runtime::nowMillis);
        this.expiry = new ExpiryClock(runtime::nowMillis, runtime::steadyMillis);
    }

    /**
     * Opens the spool in {@code directory}, made if it is not there, and recovers what an earlier life left. Blocks.
     *
     * @param pool where fragments are loaded to
     * @param digests runs hashing
     * @param loop runs everything else; one thread
     * @throws io.hawser.store.storage.DirectoryInUseException if another process has the directory
     */
    public static DiskSpool open(
            Storage storage,
            Path directory,
            SpoolConfig config,
            FragmentBufferPool pool,
            DigestThreads digests,
            Executor loop)
            throws StorageException {
        return open(storage, directory, config, pool, digests, loop, runtime(digests));
    }

    /** What {@link #open} needs of a node's process. */
    public static StoreRuntime runtime(DigestThreads digests) {
        return StoreRuntime.of(new ThreadedDisk("spool", DISK_THREADS, digests));
    }

    /** As the other, in any process; {@code runtime} is closed with the spool. */
    public static DiskSpool open(
            Storage storage,
            Path directory,
            SpoolConfig config,
            FragmentBufferPool pool,
            Executor digests,
            Executor loop,
            StoreRuntime runtime)
            throws StorageException {
        return new DiskSpool(SpoolParts.open(storage, directory, config, pool, digests, loop, runtime), runtime);
    }

    @Override
    public NodeId nodeId() {
        return parts.node.id();
    }

    @Override
    public long epoch() {
        return parts.node.epoch();
    }

    @Override
    public void start(SpoolOutlet listener) {
        parts.setListener(listener);
        OvertakenUploads overtaken = new OvertakenUploads(register, parts.context.uploads(), transfers);
        transfers.start(listener, overtaken, parts.repeats);
        for (SpoolTransfer transfer : register.byNumber()) {
            SourceFingerprint source = transfer.source();
            if (source != null && transfer.commit() == null && transfer.refusal() == null) {
                parts.references.goOn(transfer, source);
            }
        }
        parts.timer.start(free -> mailbox.post(() -> tick(free)));
    }

    /** Time passes: about once a second. */
    void tick(long freeBytes) {
        parts.context.space().tick(freeBytes);
        parts.repeats.tick();
        if (ticks++ % TICKS_PER_SWEEP == 0) {
            long oldest = expiry.nowMillis() - config.keeping().incomplete().toMillis();
            Refusal expired = new Refusal(ErrorCode.CANCELLED, "The upload broke off and was not continued");
            register.allIf(transfer -> transfer.phase() == SpoolPhase.INCOMPLETE
                            && transfer.suspendedEpochMillis() < oldest
                            && isIncomplete(transfer))
                    .forEach(transfer -> transfers.cancel(transfer, expired));
            parts.cleaner.tick();
        }
    }

    private boolean isIncomplete(SpoolTransfer transfer) {
        return parts.context.uploads().isIncomplete(transfer);
    }

    @Override
    public Outcome<Upload> begin(UploadRequest request) {
        return begins.begin(request);
    }

    @Override
    public Outcome<Upload> restart(UploadRequest request, Semaphore waitingPlaces) {
        return begins.restart(request, waitingPlaces, this::pin);
    }

    @Override
    public Outcome<TransferKey> sendSmall(UploadRequest request, ByteBuffer content, Outcome.Callback<Commit> durable) {
        return begins.sendSmall(request, content, durable);
    }

    @Override
    public Outcome<TransferKey> reference(UploadRequest request, Path source, Outcome.Callback<Commit> durable) {
        return begins.reference(request, source, durable);
    }

    @Override
    public Optional<Refusal> refusalFor(long sizeBytes) {
        return Optional.ofNullable(parts.context.space().refusalFor(sizeBytes));
    }

    @Override
    public Optional<TransferSnapshot> findIncomplete(@Nullable String account, Topic topic, String name) {
        return snapshot(register.newest(
                topic,
                name,
                t -> isIncomplete(t)
                        && isContinued(t)
                        && !t.isDamaged()
                        && Objects.equals(account, TransferStarter.accountOf(t))));
    }

    /** A patch that broke off is sent again from its beginning. */
    private static boolean isContinued(SpoolTransfer transfer) {
        return transfer.manifest().kind() != TransferKind.PATCH;
    }

    @Override
    public OptionalLong resumePositionBytes(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        return transfer != null && isIncomplete(transfer)
                ? OptionalLong.of(transfer.arrived().prefixBytes())
                : OptionalLong.empty();
    }

    @Override
    public Outcome<Upload> resume(TransferKey key) {
        return begins.resume(key);
    }

    @Override
    public Optional<TransferSnapshot> find(Topic topic, String name) {
        return snapshot(register.newest(
                topic,
                name,
                t -> bringsSomething(t)
                        && t.isContentKept()
                        && t.milestones().endWanted() == null
                        && t.phase() != SpoolPhase.INCOMPLETE));
    }

    /** Whether its name is what it brings, and not what it changes. */
    private static boolean bringsSomething(SpoolTransfer transfer) {
        TransferKind kind = transfer.manifest().kind();
        return kind == TransferKind.FILE || kind == TransferKind.MESSAGE || kind == TransferKind.MAKE_DIRECTORY;
    }

    @Override
    public List<TransferSnapshot> comingIn(Topic topic, String name) {
        return register.touched().touching(topic, name).stream()
                .filter(t -> t.phase() == SpoolPhase.RECEIVING && t.milestones().endWanted() == null)
                .filter(t -> t.manifest().name().equals(name))
                .filter(t -> bringsSomething(t) || t.manifest().kind() == TransferKind.PATCH)
                .map(SpoolTransfer::snapshot)
                .toList();
    }

    @Override
    public List<TransferSnapshot> touching(Topic topic, String path) {
        return register.touched().touching(topic, path).stream()
                .flatMap(transfer -> underWay(transfer).stream())
                .toList();
    }

    /** Its state, if it was accepted here and is not delivered yet. */
    private static Optional<TransferSnapshot> underWay(SpoolTransfer transfer) {
        return transfer.isUnderWay() ? Optional.of(transfer.snapshot()) : Optional.empty();
    }

    @Override
    public Optional<TransferSnapshot> lastEnded(Topic topic, String path) {
        return Optional.ofNullable(register.lastEnded(topic, path));
    }

    @Override
    public boolean hasUnfollowed(Topic topic) {
        return register.unfollowed().has(topic);
    }

    @Override
    public boolean isTouchedBelow(Topic topic, String directory) {
        return register.touched().isTouchedBelow(topic, directory, SpoolTransfer::isUnderWay);
    }

    @Override
    public Optional<TransferSnapshot> findReference(Topic topic, String name, SourceFingerprint source) {
        SpoolTransfer newest = register.newest(topic, name, t -> t.milestones().endWanted() == null);
        boolean isIt = newest != null && source.equals(newest.source());
        return isIt ? snapshot(newest) : Optional.empty();
    }

    @Override
    public Outcome<TransferKey> cancel(TransferKey key, String reason) {
        return cancelThen(key, reason, transfer -> {});
    }

    @Override
    public Outcome<TransferKey> cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        return cancelThen(key, reason, transfer -> {
            if (transfer.phase() == SpoolPhase.CANCELLED
                    && !transfer.milestones().isCancelInDoubt()) {
                mailbox.post(() -> done.accept(Outcome.of(key)));
            } else {
                transfer.milestones().whenCancelled(outcome -> mailbox.post(() -> done.accept(outcome)));
            }
        });
    }

    private Outcome<TransferKey> cancelThen(TransferKey key, String reason, Consumer<SpoolTransfer> first) {
        SpoolTransfer transfer = register.get(key);
        if (transfer == null
                || transfer.phase() == SpoolPhase.BROKERED
                || transfer.milestones().isEnding()) {
            return TransferCanceller.tooLateToCancel(key);
        }
        first.accept(transfer);
        if (transfer.phase() == SpoolPhase.CANCELLED) {
            return Outcome.of(key);
        }
        DiskUpload upload = parts.context.uploads().get(key);
        if (upload != null) {
            upload.cancel(reason);
        } else {
            transfers.cancel(transfer, new Refusal(ErrorCode.CANCELLED, reason));
        }
        return Outcome.of(key);
    }

    @Override
    public void recall(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        SpoolTransfer transfer = register.get(key);
        if (transfer == null || transfer.milestones().isEnding()) {
            mailbox.post(() -> done.accept(ended(key)));
        } else if (transfer.phase() == SpoolPhase.CANCELLED) {
            mailbox.post(() -> done.accept(Outcome.of(key)));
        } else if (transfer.phase() != SpoolPhase.BROKERED) {
            // From here on it is a cancel that somebody waits for; where it is too late, its record makes it a recall.
            transfer.milestones().whenCancelDurable(outcome -> mailbox.post(() -> done.accept(outcome)));
            var unused = cancel(key, reason, outcome -> {});
        } else if (transfer.recall() != null) {
            mailbox.post(() -> done.accept(Outcome.of(key)));
        } else {
            transfers.recall(transfer, reason, outcome -> mailbox.post(() -> done.accept(outcome)));
        }
    }

    @Override
    public void hold(TransferKey key, boolean holds, Outcome.Callback<TransferKey> done) {
        steer(key, done, transfer -> transfers.steer(transfer, holds, transfer.priority(), posted(done)));
    }

    @Override
    public void prioritise(TransferKey key, int priority, Outcome.Callback<TransferKey> done) {
        steer(key, done, transfer -> transfers.steer(transfer, transfer.isHeld(), priority, posted(done)));
    }

    @Override
    public void retry(TransferKey key, Outcome.Callback<TransferKey> done) {
        SpoolTransfer transfer = register.get(key);
        Outcome<TransferKey> answer;
        if (transfer == null || transfer.milestones().isEnding()) {
            answer = ended(key);
        } else if (transfer.phase() != SpoolPhase.REFUSED) {
            answer = Outcome.refused(ErrorCode.NOT_ALLOWED, "the broker has not refused it: it goes on by itself");
        } else if (!transfer.isContentKept()) {
            answer = Outcome.refused(ErrorCode.NOT_FOUND, "its bytes are no longer here: upload it again");
        } else {
            transfers.retry(transfer);
            answer = Outcome.of(key);
        }
        mailbox.post(() -> done.accept(answer));
    }

    private void steer(TransferKey key, Outcome.Callback<TransferKey> done, Consumer<SpoolTransfer> action) {
        SpoolTransfer transfer = register.get(key);
        if (transfer == null
                || transfer.milestones().isEnding()
                || transfer.phase() == SpoolPhase.CANCELLED
                || transfer.milestones().endWanted() != null) {
            mailbox.post(() -> done.accept(ended(key)));
        } else if (transfer.phase() == SpoolPhase.BROKERED) {
            mailbox.post(
                    () -> done.accept(Outcome.refused(ErrorCode.NOT_ALLOWED, "the broker has it: ask for it there")));
        } else {
            action.accept(transfer);
        }
    }

    private Outcome.Callback<TransferKey> posted(Outcome.Callback<TransferKey> done) {
        return outcome -> mailbox.post(() -> done.accept(outcome));
    }

    private Outcome<TransferKey> ended(TransferKey key) {
        TransferSnapshot last = register.ended(key);
        String why = last == null
                ? "there is no transfer " + key + " here; 'hawser status' shows those that there are"
                : "transfer " + key + " has ended";
        return Outcome.refused(ErrorCode.NOT_FOUND, why);
    }

    @Override
    public List<HopMessage.Recall> recalls() {
        List<HopMessage.Recall> all = new ArrayList<>();
        for (SpoolTransfer transfer : register.awaitReceipts()) {
            String reason = transfer.recall();
            if (reason != null && !transfer.milestones().isEnding()) {
                all.add(new HopMessage.Recall(transfer.key(), reason));
            }
        }
        return all;
    }

    @Override
    public void commitLeaves(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        if (transfer != null) {
            transfer.milestones().setCommitGiven();
        }
    }

    @Override
    public Optional<TransferSnapshot> state(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        return transfer != null ? snapshot(transfer) : Optional.ofNullable(register.ended(key));
    }

    @Override
    public List<TransferSnapshot> states() {
        List<TransferSnapshot> states = new ArrayList<>(register.ended());
        register.byNumber().stream().filter(t -> !isStandby(t)).forEach(t -> states.add(t.snapshot()));
        return states;
    }

    private boolean isStandby(SpoolTransfer transfer) {
        DiskUpload upload = parts.context.uploads().get(transfer.key());
        return upload != null && upload.isStandby();
    }

    private static Optional<TransferSnapshot> snapshot(@Nullable SpoolTransfer transfer) {
        return transfer == null ? Optional.empty() : Optional.of(transfer.snapshot());
    }

    @Override
    public Runnable observe(TransferKey key, Consumer<TransferSnapshot> observer) {
        state(key).ifPresent(state -> {
            if (!state.phase().isFinal()) {
                parts.observers.add(key, observer);
            }
            mailbox.post(() -> observer.accept(state(key).orElse(state)));
        });
        return () -> parts.observers.remove(key, observer);
    }

    @Override
    public Runnable pin(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        if (transfer == null || !transfer.isContentKept()) {
            return () -> {};
        }
        parts.disposal.pin(transfer);
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (!done.getAndSet(true)) {
                parts.disposal.unpin(key);
            }
        };
    }

    @Override
    public TransferCounts counts() {
        return parts.transfers.counts();
    }

    @Override
    public SpoolUsage usage() {
        return new SpoolUsage(
                register.pending(),
                (int) register.all().stream().filter(this::isIncomplete).count(),
                register.awaitingReceipts(),
                parts.context.space().budget().keptBytes(),
                parts.context.space().budget().availableBytes(),
                parts.context.space().waiting(),
                (int) register.all().stream().filter(SpoolTransfer::isDamaged).count(),
                parts.journal.damages().size());
    }

    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        SpoolTransfer known = register.get(key);
        SpoolTransfer transfer = known != null ? known : parts.disposal.pinned(key);
        if (transfer == null) {
            mailbox.post(
                    () -> done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "The spool does not know transfer " + key)));
        } else {
            parts.loads.load(transfer, index, done);
        }
    }

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {
        SpoolTransfer transfer = register.get(key);
        if (transfer != null) {
            transfers.acked(transfer, ranges);
            parts.observers.changed(transfer);
        }
    }

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        SpoolTransfer transfer = register.get(key);
        if (transfer != null) {
            transfers.brokered(transfer, deliverySet);
        }
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        SpoolTransfer transfer = register.get(receipt.key());
        register.unfollowed().receipt(receipt);
        if (transfer == null || !transfer.delivery().takes(receipt)) {
            mailbox.post(durable); // its content is known already, or no longer wanted
        } else {
            transfers.receipt(transfer, receipt, durable);
        }
    }

    @Override
    public boolean waitsForRight(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        return transfer != null && transfers.waitsForRight(transfer);
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {
        SpoolTransfer transfer = register.get(key);
        if (transfer == null) {
            return;
        }
        transfers.refused(transfer, refusal);
        DiskUpload upload = parts.context.uploads().get(key);
        if (upload != null && transfer.milestones().endWanted() != null) {
            upload.fail(refusal);
        }
    }

    @Override
    public void damagedDownstream(TransferKey key, long index) {
        SpoolTransfer transfer = register.get(key);
        if (transfer != null && transfer.phase() == SpoolPhase.BROKERED && transfer.isContentKept()) {
            transfers.offerAgain(transfer);
        }
    }

    @Override
    public List<TransferKey> toCheck(@Nullable NodeId receiver) {
        return lost.toCheck(receiver, parts.lastNumber());
    }

    @Override
    public void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        lost.checked(absent, finished);
    }

    @Override
    public boolean followsUnchecked(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        return transfer != null && lost.followsUnchecked(transfer);
    }

    @Override
    public void onFailure(BiConsumer<TransferSnapshot, Receipt> observer) {
        parts.observers.onFailure(observer);
    }

    @Override
    public Optional<String> lostAtNextHop() {
        return lost.warning();
    }

    @Override
    public void cancelled(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        if (transfer != null) {
            transfers.cancelledAtNextHop(transfer);
        }
    }

    @Override
    public void close() {
        parts.close();
    }
}
