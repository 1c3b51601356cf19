package io.hawser.store.landing;

import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable store of an edge: transfers come in as fragments, are verified on what the device gives back, and are handed to
 * a {@link DeliveryTarget} exactly once. The package's page tells the story, and {@link LandingState} draws the states.
 *
 * <p>Beyond the contract of {@link ReceiverStore}: after a failed write or force of one landing file only that transfer is
 * refused ({@code STORAGE_FAILED}); it starts again from zero with its next OPEN. After a failure of the journal or of a
 * directory everything is refused, and {@link #failure()} says why; the node ends then.
 *
 * <p>Thread: the loop. {@link #open} and {@link #close} belong to the thread that starts and stops the node, and block.
 */
public final class LandingArea implements ReceiverStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LandingArea.class);

    /** Small files are forced one by one; that many at once hide the device's latency. */
    private static final int DISK_THREADS = 16;

    /** When so many bytes are here and not durable, the disk is what transfers wait for. */
    private static final long BUSY_BYTES = 8L << 20;

    private final LandingContext context;
    private final LandingOptions options;
    private final CallbackDispatcher answers;
    private final ReceiptSink receiptSink;
    private final LandingJournal journal;
    private final LandingRegister register;
    private final DeliveryTarget target;
    private final DeadLetters deadLetters;
    private final OutcomeRecorder ender;
    private final ArrivalNotifier arrivals;
    private final Abandoner abandoner;
    private final LandingHousekeeping upkeep;
    private final LandingFileCreator opener;
    private final Admission admission;
    private final SmallIntake smalls;
    private final Canceller canceller;
    private final Recaller recaller;
    private final RestartVerifier verifier;
    private final DeliveryScheduler scheduler;
    private final Committer committer;
    private final List<String> self;
    private final List<TransferKey> strayNotes;
    private boolean closed;

    private LandingArea(
            LandingContext context, DeliveryTarget target, ReceiptSink receiptSink, LandingRecovery recovered) {
        this.context = context;
        this.options = context.options();
        this.answers = context.answers();
        this.journal = recovered.journal();
        this.receiptSink = receiptSink;
        this.register = new LandingRegister(recovered.tombstones());
        this.target = target;
        this.self = List.of(options.subscription());
        this.arrivals = new ArrivalNotifier(target, context.files());
        this.abandoner = new Abandoner(context, register, arrivals);
        context.space().manage(register, abandoner::forOthers);
        this.opener = new LandingFileCreator(context, register, journal, abandoner::fileFailed, arrivals);
        this.admission = new Admission(context, register, target, opener);
        this.deadLetters = new DeadLetters(context, register, journal, receiptSink);
        this.ender = new OutcomeRecorder(
                context, register, journal, target.takesFile(), receiptSink, deadLetters, this::fail);
        this.upkeep = new LandingHousekeeping(context, register, journal, receiptSink, arrivals);
        this.verifier = new RestartVerifier(context, target.takesFile(), abandoner::lost);
        this.scheduler = new DeliveryScheduler(context, target, verifier, ender);
        this.committer = new Committer(
                context, journal, scheduler, verifier, recovered.lastOrder(), abandoner::fileFailed, abandoner::lost);
        this.smalls = new SmallIntake(context, register, admission, committer, this::fail);
        this.canceller = new Canceller(context, register, journal, upkeep, arrivals);
        this.recaller = new Recaller(
                context, register, journal, scheduler, ender, new Recaller.Effects(arrivals, receiptSink, target));
        this.strayNotes = recovered.strayNotes();
        recovered.verified().forEach(register::add);
        recovered.parked().forEach(register::add);
        recovered.receipts().forEach(register::end);
        recovered.open().forEach(this::adopt);
    }

    private void adopt(LandingRecovery.Opened recovered) {
        LandingTransfer landing = recovered.landing();
        register.add(landing);
        if (landing.state() == LandingState.OPEN) {
            VerifiedWriter assembly = opener.assembly(landing, recovered.durable(), recovered.durableBytes());
            landing.assembly = assembly;
            assembly.ready();
        }
    }

    /**
     * Opens the landing area, made if it is not there, and recovers what a crash left. Nothing is delivered before {@link
     * #start()}.
     *
     * @param storage the disks
     * @param options where and how much
     * @param target where verified objects go
     * @param digestThreads threads that read back and hash
     * @param loop where all other methods are called, and all callbacks are made
     * @param receipts takes the receipts
     * @throws io.hawser.store.storage.DirectoryInUseException if another process, or another part of this one, has it
     */
    public static LandingArea open(
            Storage storage,
            LandingOptions options,
            DeliveryTarget target,
            DigestThreads digestThreads,
            Executor loop,
            ReceiptSink receipts)
            throws StorageException {
        return open(storage, options, target, runtime(digestThreads), loop, receipts);
    }

    /** What {@link #open} needs of a node's process. */
    public static StoreRuntime runtime(DigestThreads digestThreads) {
        return StoreRuntime.of(new ThreadedDisk("landing", DISK_THREADS, digestThreads));
    }

    /** As the other, in any process; {@code runtime} is closed with the landing area. */
    public static LandingArea open(
            Storage storage,
            LandingOptions options,
            DeliveryTarget target,
            StoreRuntime runtime,
            Executor loop,
            ReceiptSink receipts)
            throws StorageException {
        LandingContext context = LandingContext.open(storage, options, runtime, loop);
        LandingArea[] area = new LandingArea[1]; // the journal tells of its death on the loop, when the area is there
        try {
            LandingRecovery recovered = LandingRecovery.run(context, cause -> area[0].fail(cause));
            area[0] = new LandingArea(context, target, receipts, recovered);
            return area[0];
        } catch (StorageException | RuntimeException e) {
            context.close();
            throw e;
        }
    }

    /** Resumes the publication of what was verified but not delivered when the last process ended. Called once, on the loop. */
    public void start() {
        for (LandingTransfer landing : register.landings()) {
            if (landing.state() == LandingState.VERIFIED) {
                scheduler.addRecovered(landing);
            } else {
                verifier.incomplete(landing);
            }
        }
        arrivals.goneBefore(strayNotes);
        upkeep.start();
    }

    /** Receipts that are announced again in a new session: final ones that were not acked, and what waits for its target. */
    public List<Receipt> pendingReceipts() {
        return register.toAnnounce();
    }

    /** Counts by topic what was delivered and what was not, since the start. */
    public TransferCounts counts() {
        return ender.counts();
    }

    /** What is in the landing area now. */
    public LandingStatus status() {
        return register.status(context, ender.delivered(), ender.failed(), verifier.damaged(), journal.damages());
    }

    /** All transfers that are unfinished, the oldest here first; no more than {@link LandingOptions.Limits#maxTransfers}. */
    public List<LandingTransferStatus> transfers() {
        return register.transfers("", context.nowMillis());
    }

    /** Those of {@link #transfers} whose key or name contains {@code text}. */
    public List<LandingTransferStatus> transfers(String text) {
        return register.transfers(text, context.nowMillis());
    }

    /**
     * Where each of at most {@code most} unfinished transfers waits now. Small ones are left out: they are many, and over in a moment.
     *
     * @param target the stage of those that the target takes now
     */
    public void stages(int most, WaitStage target, BiConsumer<TransferKey, WaitStage> visitor) {
        boolean full = isFullOfWrites();
        int left = most;
        for (LandingTransfer landing : register.view()) {
            if (--left < 0) {
                return;
            }
            if (!landing.isSmall()) {
                visitor.accept(landing.key(), stage(landing, target, full));
            }
        }
    }

    /** Others may have the disk, so that a transfer gets no credit: then it waits for the disk, too. */
    private WaitStage stage(LandingTransfer landing, WaitStage target, boolean full) {
        WaitStage own = landing.stage(target, scheduler.waitsForPath(landing));
        return full && own == WaitStage.NO_INPUT ? WaitStage.FAR_DISK : own;
    }

    private boolean isFullOfWrites() {
        long bytes = 0;
        for (LandingTransfer landing : register.view()) {
            VerifiedWriter writer = landing.assembly;
            bytes += writer == null ? 0 : writer.pendingBytes();
        }
        return bytes >= BUSY_BYTES;
    }

    /** Where that transfer waits now; empty if it is not here, or has ended. */
    public Optional<WaitStage> stage(TransferKey key, WaitStage target) {
        return Optional.ofNullable(register.landing(key)).map(landing -> stage(landing, target, isFullOfWrites()));
    }

    /** The dead-letter list, oldest first. */
    public List<DeadLetter> deadLetters() {
        return deadLetters.list();
    }

    /**
     * Has a dead letter delivered again.
     *
     * @param done called when that is durable. Refusals: {@code NOT_FOUND} if there is no such dead letter, {@code STORAGE_FAILED}
     */
    public void retryDead(TransferKey key, Outcome.Callback<TransferKey> done) {
        LandingTransfer landing = deadLetter(key, done);
        if (landing != null) {
            committer.again(landing, () -> answers.answerAll(landing.operatorWaiters, key));
        }
    }

    /**
     * Gives a dead letter up for good: its publisher gets a FAILED receipt, its bytes are set aside for a while.
     *
     * @param done as for {@link #retryDead}
     */
    public void dropDead(TransferKey key, Outcome.Callback<TransferKey> done) {
        LandingTransfer landing = deadLetter(key, done);
        if (landing == null) {
            return;
        }
        landing.deadLetter = null;
        landing.become(LandingState.FAILED, "dropped by the operator");
        ender.onDropped(
                landing,
                "Dropped by the operator of the destination. It could not be delivered: " + landing.problem,
                () -> answers.answerAll(landing.operatorWaiters, key));
        VerifiedObject object = new VerifiedObject(
                landing.manifest, landing.requiredCommit(), context.files().path(key), true);
        context.workers().execute(Lane.NAMESPACE, () -> target.abandon(object));
    }

    /**
     * Cancels a transfer that is complete here and not delivered, at this destination alone; its publisher gets a CANCELLED receipt.
     *
     * @param done called with the receipt that ends it, when that is durable: DELIVERED if the target was faster. Refusals: {@code NOT_FOUND} if
     *     nothing complete is here under that key, {@code STORAGE_FAILED}
     */
    public void cancelWhole(TransferKey key, String reason, Outcome.Callback<Receipt> done) {
        StorageException cause = answers.failure();
        if (cause != null) {
            answers.refuse(done, notRecorded(cause));
        } else {
            recaller.recallWhole(key, reason, done);
        }
    }

    /** The dead letter of that key, with {@code done} among its waiters; null if {@code done} is refused. */
    private @Nullable LandingTransfer deadLetter(TransferKey key, Outcome.Callback<TransferKey> done) {
        StorageException cause = answers.failure();
        LandingTransfer landing = deadLetters.find(key);
        if (cause != null) {
            answers.refuse(done, notRecorded(cause));
            return null;
        } else if (landing == null) {
            answers.refuse(done, new Refusal(ErrorCode.NOT_FOUND, key + " is not on the dead-letter list any more."));
            return null;
        }
        landing.operatorWaiters.add(done);
        return landing;
    }

    private static Refusal notRecorded(StorageException cause) {
        return new Refusal(
                ErrorCode.STORAGE_FAILED,
                "The landing area's journal could not record it: " + cause.getMessage()
                        + ". Check the disk, start the node again, and look at 'hawser dead list'.");
    }

    /** What ended the landing area for good, or null while it lives. May be asked on any thread. */
    public @Nullable StorageException failure() {
        return answers.failure();
    }

    /**
     * Why a landing file could not be written or forced, if one could not; its transfer starts again from zero. The area continues, but a
     * node had better stop: a disk that failed once is not trustworthy until a person has looked at it.
     */
    public @Nullable StorageException fileFailure() {
        return answers.fileFailure();
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        if (answers.refuseIfFailed(done)) {
            return;
        }
        Runnable look = () -> {
            answers.answer(done, () -> register.stored(key));
            sayLastWord(key);
        };
        LandingTransfer landing = register.landing(key);
        if (landing == null) {
            look.run();
        } else {
            landing.whenSettled(look);
        }
    }

    /** A broker that asks about a transfer which has ended here may have lost the receipt. */
    private void sayLastWord(TransferKey key) {
        Receipt last = register.lastWord(key, options.subscription());
        if (last != null) {
            receiptSink.receipt(last);
        }
    }

    @Override
    public void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        if (!answers.refuseIfFailed(done)) {
            admission.open(manifest, done);
        }
    }

    @Override
    public void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        if (answers.refuseIfFailed(done)) {
            return;
        }
        LandingTransfer landing = register.landing(fragment.key());
        if (landing == null) {
            answerFragmentOfUnknown(fragment, done);
            return;
        }
        landing.touchedMillis = context.nowMillis();
        context.space().heardOf(landing);
        VerifiedWriter assembly = landing.assembly;
        if (landing.isCommitted()) {
            answers.answer(done, () -> fragment);
        } else if (assembly == null) {
            answers.refuse(done, landing.whyAbandoned);
        } else if (landing.hasPlaceFor(fragment)) {
            assembly.fragment(fragment, done);
        } else {
            answers.refuse(
                    done,
                    new Refusal(
                            ErrorCode.MALFORMED,
                            "Fragment " + fragment.index() + " with " + fragment.length()
                                    + " bytes has no place in this transfer."));
        }
    }

    private void answerFragmentOfUnknown(Fragment fragment, Outcome.Callback<Fragment> done) {
        if (register.isFinished(fragment.key())) {
            answers.answer(done, () -> fragment);
        } else {
            answers.refuse(done, notOpenRefusal());
        }
    }

    /** It may have been open, and was removed since; its sender announces it again. */
    private static Refusal notOpenRefusal() {
        return new Refusal(ErrorCode.STORAGE_FAILED, "The transfer is not open here (any more); it begins again.");
    }

    @Override
    public void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        if (answers.refuseIfFailed(done)) {
            return;
        }
        LandingTransfer landing = register.landing(key);
        if (landing == null) {
            answerCommitOfUnknown(key, done);
        } else if (landing.isCommitted() && options.ackLevel() == AckLevel.DURABLE) {
            answers.answer(done, () -> self);
        } else if (landing.isCommitted() || landing.commit != null) {
            landing.commitWaiters.add(done);
        } else if (landing.assembly == null) {
            answers.refuse(done, landing.whyAbandoned);
        } else {
            landing.commitWaiters.add(done);
            landing.commit = commit;
            landing.whenSettled(() -> committer.finish(landing, commit));
        }
    }

    private void answerCommitOfUnknown(TransferKey key, Outcome.Callback<List<String>> done) {
        if (register.isFinished(key)) {
            answers.answer(done, () -> self);
        } else if (register.isCancelled(key)) {
            answers.refuse(done, new Refusal(ErrorCode.CANCELLED, "The transfer was cancelled."));
        } else {
            answers.refuse(done, notOpenRefusal());
        }
    }

    @Override
    public void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        if (answers.refuseIfFailed(done)) {
            return;
        }
        TransferKey key = manifest.key();
        LandingTransfer known = register.landing(key);
        if (known != null) {
            smallAgain(known, manifest, fragment, commit, done);
        } else if (register.isFinished(key) || register.isCancelled(key)) {
            answerCommitOfUnknown(key, done);
        } else {
            smalls.take(manifest, fragment, commit, done);
        }
    }

    /** It is here already, whole or as a large transfer that an earlier session began. */
    private void smallAgain(
            LandingTransfer known,
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            Outcome.Callback<List<String>> done) {
        if (!known.manifest.equals(manifest)) {
            answers.refuse(done, Admission.different());
        } else if (known.state() != LandingState.OPEN || known.commit != null || fragment.length() == 0) {
            commit(manifest.key(), commit, done);
        } else {
            fragment(fragment, stored -> {
                Refusal refusal = stored.refusal();
                if (refusal == null) {
                    commit(manifest.key(), commit, done);
                } else {
                    answers.refuse(done, refusal);
                }
            });
        }
    }

    @Override
    public void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        if (!answers.refuseIfFailed(done)) {
            canceller.cancel(key, reason, done);
        }
    }

    @Override
    public void recall(TransferKey key, String reason) {
        if (answers.failure() == null) {
            recaller.recall(key, reason);
        }
    }

    @Override
    public void receiptAcked(TransferKey key, String subscription, ReceiptStatus status) {
        boolean ours = subscription.equals(options.subscription()) && status.isFinal();
        long now = context.nowMillis();
        ReceiptStatus acked = answers.failure() == null && ours ? register.ack(key, now) : null;
        if (acked != null) {
            boolean delivered = acked == ReceiptStatus.DELIVERED;
            journal.append(
                    delivered ? new LandingRecord.Acked(key, now) : new LandingRecord.AckedFailure(key, now), () -> {});
            upkeep.expireTombstones();
        }
    }

    private void fail(StorageException cause) {
        if (!answers.fail(cause)) {
            return;
        }
        LOG.atError()
                .addKeyValue("directory", options.directory())
                .setCause(cause)
                .log(
                        "The landing area failed and takes nothing any more; only a restart finds out what the disk holds");
        Refusal refusal = CallbackDispatcher.storageRefusal(cause);
        for (LandingTransfer landing : register.landings()) {
            VerifiedWriter assembly = landing.assembly;
            if (assembly != null) {
                assembly.die(refusal);
            }
            answers.refuseAll(landing.openWaiters, refusal);
            answers.refuseAll(landing.commitWaiters, refusal);
            answers.refuseAll(landing.operatorWaiters, notRecorded(cause));
            answers.refuseAll(landing.endWaiters, notRecorded(cause));
        }
    }

    /** Lets what is being written come to its end, then closes. No callback is made after it. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            context.workers().close();
            journal.close();
            context.close();
        }
    }
}
