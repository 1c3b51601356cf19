package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.journal.TransferJournal;
import io.hawser.store.log.LogPosition;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.spool.SpoolRecord.Brokered;
import io.hawser.store.spool.SpoolRecord.Committed;
import io.hawser.store.spool.SpoolRecord.Ended;
import io.hawser.store.spool.SpoolRecord.Lost;
import io.hawser.store.spool.SpoolRecord.Receipted;
import io.hawser.store.spool.SpoolRecord.Refused;
import io.hawser.store.spool.SpoolRecord.Resumed;
import io.hawser.store.spool.SpoolRecord.Settled;
import io.hawser.store.spool.SpoolRecord.Steered;
import io.hawser.store.spool.SpoolRecord.Suspended;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What happens to transfers, always in this order: it is journaled; when that is durable it is folded into the transfer's
 * state; then the listener, the observers and the caller receive it.
 *
 * <p>Thread: the loop.
 */
final class TransferLifecycle {
    private static final String CONTENT_LOST =
            "Its bytes are gone from the spool. Upload it again, or delete it: that replaces it. Check the disk (dmesg, smartctl).";
    private static final String NOT_STARTED = "the spool has not been started";
    private static final Logger LOG = LoggerFactory.getLogger(TransferLifecycle.class);
    private static final long OVERDUE_TOLD_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SpoolConfig config;
    private final TransferRegister register;
    private final TransferJournal<SpoolRecord> journal;
    private final FirstRecordQueue births;
    private final ContentDisposal disposal;
    private final SpoolSpace space;
    private final TransferObservers observers;
    private final TransferCounts counts = new TransferCounts();
    private final RefusalLogThrottle heldBack = new RefusalLogThrottle();
    private final SpoolEvents events;
    private final StoreRuntime runtime;
    private long overdueToldNanos;
    private final TransferCanceller cancels;
    private @Nullable SpoolOutlet listener;
    private @Nullable OvertakenUploads overtaken;
    private @Nullable RepeatedFiles repeats;

    TransferLifecycle(
            SpoolConfig config,
            TransferRegister register,
            TransferJournal<SpoolRecord> journal,
            FirstRecordQueue births,
            ContentDisposal disposal,
            SpoolSpace space,
            TransferObservers observers,
            SpoolEvents events,
            StoreRuntime runtime) {
        this.config = config;
        this.register = register;
        this.journal = journal;
        this.births = births;
        this.disposal = disposal;
        this.space = space;
        this.observers = observers;
        this.events = events;
        this.runtime = runtime;
        this.cancels = new TransferCanceller(this, disposal, observers);
        this.overdueToldNanos = runtime.nowNanos() - OVERDUE_TOLD_EVERY_NANOS;
        space.relieveBy(this::dropSomeContent);
    }

    /** Counts what was accepted and what became of it, since the start. */
    TransferCounts counts() {
        return counts;
    }

    /** Space is short: the content of one transfer that the next hop has is no longer kept for readers. */
    private boolean dropSomeContent() {
        SpoolTransfer oldest = register.takeKeptForReading();
        if (oldest == null) {
            return false;
        }
        disposal.drop(oldest);
        return true;
    }

    /** Announces what an earlier life left. */
    void start(SpoolOutlet announced, OvertakenUploads uploads, RepeatedFiles repeatedFiles) {
        listener = announced;
        overtaken = uploads;
        repeats = repeatedFiles;
        register.byNumber().forEach(transfer -> announceOld(transfer, announced));
        register.byNumber().forEach(uploads::brokeOff);
    }

    private void announceOld(SpoolTransfer transfer, SpoolOutlet to) {
        transfer.milestones().bornNow();
        if (transfer.phase() == SpoolPhase.REFUSED) {
            transfer.offerAgain();
        }
        if (transfer.phase() == SpoolPhase.BROKERED) {
            register.awaitsReceipts(transfer);
            if (transfer.isSettled()) {
                end(transfer, null);
            }
            return;
        }
        transfer.setAnnounced();
        if (transfer.commit() != null) {
            transfer.milestones().setCommitGiven();
        }
        Refusal cancelled = transfer.refusal();
        if (transfer.phase() == SpoolPhase.CANCELLED && cancelled != null) {
            cancels.announce(transfer, cancelled, to);
            return;
        }
        to.pending(transfer.manifest(), transfer.sendable(), transfer.commit(), false);
        applySteering(transfer);
        if (transfer.commit() == null && transfer.source() == null) {
            // The first to know of the break is this life: from now on it is kept for the configured time.
            if (transfer.phase() == SpoolPhase.RECEIVING) {
                write(transfer, new Suspended(transfer.key(), runtime.nowMillis(), "the node restarted"), () -> {});
            }
            to.suspended(transfer.key());
        }
    }

    /** Begins a large transfer. {@code born} is called when its first record is durable and it has been announced, or cannot be. */
    void open(SpoolTransfer transfer, Outcome.Callback<SpoolTransfer> born) {
        open(births.reserve(), transfer, born);
    }

    /** The same at a place that was taken before. */
    void open(FirstRecordQueue.Place place, SpoolTransfer transfer, Outcome.Callback<SpoolTransfer> born) {
        transfer.milestones().setBirthWanted();
        births.open(place, transfer, new FirstRecordQueue.Born() {
            @Override
            public void born(SpoolRecord record, LogPosition position, long lengthBytes, @Nullable Fragment content) {
                applied(transfer, record, position, lengthBytes);
                if (transfer.milestones().endWanted() == null) {
                    transfer.setAnnounced();
                    listener().pending(transfer.manifest(), offered(transfer), null, true);
                }
                transfer.milestones().bornNow();
                born.accept(Outcome.of(transfer));
            }

            @Override
            public void failed(StorageException cause) {
                Refusal why = storageFailed(cause);
                forget(transfer, why);
                born.accept(Outcome.refused(why));
            }
        });
    }

    /** Makes a whole small transfer; the bytes must not change until the callback. */
    void small(SpoolTransfer transfer, ByteBuffer content, Outcome.Callback<Commit> durable) {
        small(births.reserve(), transfer, content, durable);
    }

    /** The same at a place that was taken before. */
    void small(
            FirstRecordQueue.Place place,
            SpoolTransfer transfer,
            ByteBuffer content,
            Outcome.Callback<Commit> durable) {
        transfer.milestones().setBirthWanted();
        births.small(place, transfer, content, new FirstRecordQueue.Born() {
            @Override
            public void born(SpoolRecord record, LogPosition position, long lengthBytes, @Nullable Fragment fragment) {
                applied(transfer, record, position, lengthBytes);
                Commit commit = transfer.commit();
                if (commit == null || fragment == null) {
                    throw new IllegalStateException("a small transfer is born committed: " + transfer.key());
                }
                space.written(transfer, fragment.length());
                accepted(transfer, commit);
                endFailedOnes(transfer);
                if (transfer.milestones().endWanted() == null) {
                    transfer.setAnnounced();
                    announceSmall(transfer, commit, fragment);
                }
                transfer.milestones().bornNow();
                observers.changed(transfer);
                endOvertaken(transfer);
                durable.accept(Outcome.of(commit));
            }

            @Override
            public void failed(StorageException cause) {
                Refusal why = storageFailed(cause);
                forget(transfer, why);
                durable.accept(Outcome.refused(why));
            }
        });
    }

    private void accepted(SpoolTransfer transfer, Commit commit) {
        if (!repeats().isConfirmation(transfer.key())) {
            counts.completed(transfer.manifest().topic(), commit.sizeBytes());
        }
    }

    private void announceSmall(SpoolTransfer transfer, Commit commit, Fragment inMemory) {
        if (births.isMemoryScarce()) {
            // The sender keeps much of it already, and what is accepted must not wait for that: it loads this later.
            listener().pending(transfer.manifest(), transfer.sendable(), commit, true);
        } else {
            listener().small(transfer.manifest(), commit, inMemory);
        }
    }

    /** A fragment of a transfer that is not committed is durable. */
    void fragmentDurable(SpoolTransfer transfer, Fragment fragment) {
        transfer.arrived(fragment.index(), fragment.length());
        boolean full = fragment.length() == transfer.manifest().fragmentSizeBytes();
        if (full && !repeats().holdsBack(transfer, fragment) && mayBeSent(transfer)) {
            listener().available(transfer.key(), one(fragment.index()), fragment);
        }
        observers.changed(transfer);
    }

    private static boolean mayBeSent(SpoolTransfer transfer) {
        return transfer.isAnnounced() && transfer.milestones().endWanted() == null;
    }

    private static FragmentRanges offered(SpoolTransfer transfer) {
        return transfer.repeated() == null ? transfer.sendable() : new FragmentRanges();
    }

    /** What repeated another file so far is as any other from now on. */
    void sendAfterAll(SpoolTransfer transfer) {
        transfer.setRepeated(null);
        if (mayBeSent(transfer)) {
            transfer.sendable().runs().forEach(run -> listener().available(transfer.key(), run, null));
            Commit commit = transfer.commit();
            if (commit != null) {
                listener().committed(transfer.key(), commit);
            }
        }
    }

    /** The far ends have its bytes under its name, as they have said of {@code confirmation}: it ends as that has. */
    void deliveredBefore(SpoolTransfer transfer, TransferSnapshot confirmation) {
        for (Receipt receipt : confirmation.receipts()) {
            write(
                    transfer,
                    new Receipted(transfer.key(), receipt.of(transfer.key())),
                    () -> counts.receipt(transfer.manifest().topic(), receipt.status()));
        }
        brokered(transfer, confirmation.deliverySet());
    }

    private static FragmentRange one(long index) {
        return new FragmentRange(index, index + 1);
    }

    /** All fragments are durable: the transfer is complete. */
    void commit(SpoolTransfer transfer, Commit commit, Outcome.Callback<Commit> durable) {
        SpoolRecord record = new Committed(transfer.key(), commit);
        write(
                transfer,
                record,
                () -> {
                    disposal.writesNoMore(transfer);
                    accepted(transfer, commit);
                    endFailedOnes(transfer);
                    repeats().accepted(transfer, commit);
                    if (transfer.milestones().endWanted() == null && !repeats().isConfirmed(transfer, commit)) {
                        long tail = commit.fragmentCount() - 1;
                        if (commit.sizeBytes() % transfer.manifest().fragmentSizeBytes() != 0) {
                            listener().available(transfer.key(), one(tail), null);
                        }
                        listener().committed(transfer.key(), commit);
                    }
                    endOvertaken(transfer);
                    durable.accept(Outcome.of(commit));
                },
                cause -> durable.accept(Outcome.refused(ErrorCode.STORAGE_FAILED, String.valueOf(cause.getMessage()))));
    }

    private void endOvertaken(SpoolTransfer accepted) {
        if (overtaken != null) {
            overtaken.accepted(accepted);
        }
    }

    /** An upload broke off. From now on, also before that is durable, it holds back no other. */
    void suspend(SpoolTransfer transfer, String reason) {
        disposal.writesNoMore(transfer);
        transfer.milestones().whenBorn(() -> {
            if (transfer.isAnnounced() && transfer.milestones().endWanted() == null) {
                listener().suspended(transfer.key());
            }
        });
        write(transfer, new Suspended(transfer.key(), runtime.nowMillis(), reason), () -> {});
        if (overtaken != null) {
            overtaken.brokeOff(transfer);
        }
    }

    /** An upload that had broken off resumes. From now on, also before that is durable, later ones of its path wait for it. */
    void resume(SpoolTransfer transfer) {
        if (transfer.milestones().endWanted() == null) {
            listener().resumed(transfer.key());
        }
        write(transfer, new Resumed(transfer.key()), () -> {});
    }

    /** Drops a transfer that the next hop has not committed, here and there. */
    void cancel(SpoolTransfer transfer, Refusal why) {
        cancels.cancel(transfer, why, true);
    }

    /** Cancels a transfer that the next hop has, wherever it is not delivered; {@code durable} runs when that is journaled. */
    void recall(SpoolTransfer transfer, String reason, Outcome.Callback<TransferKey> durable) {
        cancels.recall(transfer, reason, durable);
    }

    /** Holds a transfer that the next hop does not have, or lets it go on, and sets its priority; {@code durable} runs when that is journaled. */
    void steer(SpoolTransfer transfer, boolean holds, int priority, Outcome.Callback<TransferKey> durable) {
        TransferKey key = transfer.key();
        if (holds && transfer.isAnnounced() && !listener().held(key, true)) {
            durable.accept(
                    Outcome.refused(ErrorCode.NOT_ALLOWED, "the broker may have all of it by now: hold it there"));
            return;
        }
        write(
                transfer,
                new Steered(key, holds, priority),
                () -> {
                    if (transfer.isAnnounced()) {
                        applySteering(transfer);
                    }
                    durable.accept(Outcome.of(key));
                },
                cause -> durable.accept(Outcome.refused(storageFailed(cause))));
    }

    /** The next hop has refused it, and may take it now. A start offers it again, too: nothing is journaled. */
    void retry(SpoolTransfer transfer) {
        transfer.offerAgain();
        offerAgain(transfer);
        applySteering(transfer);
        observers.changed(transfer);
    }

    private void applySteering(SpoolTransfer transfer) {
        boolean unused = listener().held(transfer.key(), transfer.isHeld());
        listener().prioritised(transfer.key(), transfer.priority());
    }

    /**
     * The next hop has dropped it, or never had it. What was accepted here, and of which the bytes are lost, has failed: where nothing
     * replaces it, it stays for the operator until something does.
     */
    void cancelledAtNextHop(SpoolTransfer transfer) {
        if (transfer.milestones().isCancelInDoubt()) {
            transfer.milestones().cancelledNow(Outcome.of(transfer.key()));
        }
        if (transfer.commit() == null || transfer.milestones().isEnding()) {
            end(transfer, null);
            return;
        }
        Refusal why = transfer.refusal();
        if (transfer.phase() == SpoolPhase.CANCELLED && why != null && why.code() == ErrorCode.STORAGE_FAILED) {
            Receipt last = failure(transfer, why.detail());
            end(transfer, last);
            transfer.milestones().whenEnded(() -> failed(transfer, last));
        } else if (transfer.phase() != SpoolPhase.CANCELLED
                && transfer.milestones().endWanted() == null
                && !transfer.isContentKept()) {
            failForGood(transfer);
        } else {
            end(transfer, null);
        }
    }

    private void failForGood(SpoolTransfer transfer) {
        Receipt receipt = failure(transfer, CONTENT_LOST);
        transfer.damaged(new Refusal(ErrorCode.STORAGE_FAILED, CONTENT_LOST));
        if (!transfer.delivery().takes(receipt)) {
            observers.changed(transfer); // an earlier run has told of it
            return;
        }
        write(transfer, new Receipted(transfer.key(), receipt), () -> failed(transfer, receipt));
    }

    private void failed(SpoolTransfer transfer, Receipt receipt) {
        counts.failed(transfer.manifest().topic(), "lost_in_spool");
        observers.failed(transfer, receipt);
    }

    private Receipt failure(SpoolTransfer transfer, String reason) {
        return new Receipt(transfer.key(), Receipt.NOBODY, ReceiptStatus.FAILED, reason, runtime.nowMillis());
    }

    /** What {@code newer}, which is durable, replaces need not be told of any more. */
    private void endFailedOnes(SpoolTransfer newer) {
        TransferKind kind = newer.manifest().kind();
        if (kind != TransferKind.FILE && kind != TransferKind.DELETE) {
            return;
        }
        for (SpoolTransfer older :
                register.allOf(newer.manifest().topic(), newer.manifest().name())) {
            if (older.manifest().number() < newer.manifest().number()
                    && older.phase() == SpoolPhase.REFUSED
                    && older.isDamaged()
                    && !older.isContentKept()) {
                end(older, null);
            }
        }
    }

    /** Nothing of it is in the journal, and nobody has heard of it. */
    void forgetHeld(SpoolTransfer transfer) {
        disposal.writesNoMore(transfer);
        disposal.drop(transfer);
        register.forget(transfer);
    }

    /** Nothing of it is in the journal, or can be: it never was. */
    void forget(SpoolTransfer transfer, Refusal why) {
        transfer.endUnrecorded(why);
        transfer.milestones().cancelledNow(Outcome.of(transfer.key()));
        disposal.drop(transfer);
        register.remove(transfer);
        observers.changed(transfer);
    }

    /**
     * Whether it stays here if the next hop does not let it in for want of a right: what was accepted does, and what the next hop has let
     * in before. An upload of which it has taken nothing is refused while its client is there to be told.
     */
    boolean waitsForRight(SpoolTransfer transfer) {
        boolean ends = transfer.milestones().endWanted() != null
                || transfer.milestones().isEnding();
        return config.keeping().untilAllowed()
                && !ends
                && (transfer.commit() != null || transfer.phase() == SpoolPhase.INCOMPLETE || transfer.wasLetIn());
    }

    /** The next hop refuses it. */
    void refused(SpoolTransfer transfer, Refusal why) {
        boolean forNow = why.code().retriable() || (why.code() == ErrorCode.NOT_ALLOWED && waitsForRight(transfer));
        if (!forNow || heldBack.isNews(transfer.key(), why.code(), runtime.nowNanos())) {
            LOG.atWarn()
                    .addKeyValue("transfer", transfer.key())
                    .addKeyValue("code", why.code())
                    .addKeyValue("detail", why.detail())
                    .log(forNow ? "The next hop refuses a transfer for now" : "The next hop refuses a transfer");
        }
        if (forNow && transfer.phase() == SpoolPhase.CANCELLED) {
            return; // its cancel is tried again, and the reason for it stays
        } else if (forNow) {
            transfer.noteRefusal(why);
            observers.changed(transfer);
        } else if (transfer.milestones().isCancelInDoubt()) {
            cancels.refused(transfer, why);
        } else if (transfer.commit() == null) {
            cancels.cancel(transfer, why, false);
        } else {
            // It was accepted here, so it is kept for the operator, and offered again after a restart.
            write(
                    transfer,
                    new Refused(transfer.key(), why),
                    () -> counts.failed(
                            transfer.manifest().topic(),
                            "refused_" + why.code().name().toLowerCase(Locale.ROOT)));
        }
    }

    /** The next hop has some of it. */
    void acked(SpoolTransfer transfer, FragmentRanges ranges) {
        transfer.ackedAtNextHop(ranges);
        if (transfer.lacksRight()) {
            transfer.letIn();
            observers.changed(transfer);
        }
        sayItGoesOn(transfer);
    }

    private void sayItGoesOn(SpoolTransfer transfer) {
        if (heldBack.goesOn(transfer.key())) {
            LOG.atInfo().addKeyValue("transfer", transfer.key()).log("A transfer resumes that the next hop refused");
        }
    }

    /** The next hop has committed it. */
    void brokered(SpoolTransfer transfer, List<String> deliverySet) {
        sayItGoesOn(transfer);
        heldBack.forget(transfer.key());
        if (transfer.phase() == SpoolPhase.BROKERED || transfer.milestones().isEnding()) {
            return;
        }
        transfer.milestones().setCommittedThere(true);
        write(
                transfer,
                new Brokered(transfer.key(), deliverySet),
                () -> {
                    transfer.milestones().setCommittedThere(false);
                    Refusal cancelled = transfer.milestones().endWanted();
                    transfer.milestones().setEndWanted(null);
                    onBrokered(transfer);
                    cancels.brokered(transfer, cancelled);
                },
                cause -> transfer.milestones().cancelledNow(Outcome.refused(storageFailed(cause))));
    }

    private void onBrokered(SpoolTransfer transfer) {
        if (transfer.repeated() != null) {
            listener().withdrawn(transfer.key());
        }
        register.awaitsReceipts(transfer);
        if (!config.keeping().untilDelivered() || transfer.source() != null) {
            disposal.drop(transfer);
        }
        if (transfer.isSettled()) {
            end(transfer, null);
        }
        SpoolTransfer overdue = register.overdue(config.bounds().maxAwaitingReceipts());
        if (overdue != null && !overdue.milestones().isEnding()) {
            noLongerFollowed(overdue);
        }
    }

    /** A consumer that is away for long may have very many of them: each is in the log, one in a minute as a warning. */
    private void noLongerFollowed(SpoolTransfer overdue) {
        register.unfollowed().add(overdue);
        long now = runtime.nowNanos();
        boolean isNews = now - overdueToldNanos >= OVERDUE_TOLD_EVERY_NANOS;
        if (isNews) {
            overdueToldNanos = now;
        }
        LOG.atLevel(isNews ? Level.WARN : Level.DEBUG)
                .addKeyValue("transfer", overdue.key())
                .log(
                        "Too many transfers wait for receipts; the oldest is no longer followed. Identical lines are suppressed for a minute");
        end(overdue, null);
    }

    /** The next hop has lost bytes that are still here: it can have them once more. */
    void offerAgain(SpoolTransfer transfer) {
        listener().pending(transfer.manifest(), transfer.sendable(), transfer.commit(), false);
    }

    /**
     * The next hop had committed it and does not have it any more: it is offered as if that had never been, before what follows it on its
     * path. If the record does not become durable, the next session finds the same.
     */
    void lostAtNextHop(SpoolTransfer transfer) {
        register.awaitsNoReceipts(transfer);
        transfer.lostAtNextHop();
        write(transfer, new Lost(transfer.key()), () -> {});
        offerAgain(transfer);
    }

    /** A receipt came. */
    void receipt(SpoolTransfer transfer, Receipt receipt, Runnable durable) {
        boolean isNews = transfer.delivery().takes(receipt) && !repeats().isConfirmation(transfer.key());
        journal(transfer, receipt, () -> {
            durable.run();
            if (isNews) {
                counts.receipt(transfer.manifest().topic(), receipt.status());
            }
            if (isNews && !receipt.status().isGood()) {
                observers.failed(transfer, receipt);
            }
        });
    }

    private void journal(SpoolTransfer transfer, Receipt receipt, Runnable durable) {
        if (transfer.phase() == SpoolPhase.BROKERED
                && transfer.delivery().with(receipt).isSettled()) {
            // The last word: one record says that, and that nothing more is awaited.
            end(transfer, receipt);
            transfer.milestones().whenEnded(durable);
        } else {
            write(transfer, new Receipted(transfer.key(), receipt), () -> {
                if (transfer.isSettled()) { // it came while the commit was being journaled
                    end(transfer, null);
                }
                durable.run();
            });
        }
    }

    /** Nothing more is to come of it. */
    void end(SpoolTransfer transfer, @Nullable Receipt last) {
        if (transfer.milestones().isEnding()) {
            return;
        }
        transfer.milestones().setEnding();
        SpoolRecord record = last == null ? new Ended(transfer.key()) : new Settled(transfer.key(), last);
        write(transfer, record, () -> {
            transfer.end(last);
            disposal.drop(transfer);
            register.remove(transfer);
            transfer.milestones().endedNow();
        });
    }

    void write(SpoolTransfer transfer, SpoolRecord record, Runnable durable) {
        write(transfer, record, durable, cause -> {});
    }

    /** Journals a record after the transfer's first. If the journal is dead, the node is about to end with the reason. */
    void write(SpoolTransfer transfer, SpoolRecord record, Runnable durable, Consumer<StorageException> failed) {
        transfer.milestones().whenBorn(() -> {
            transfer.footprint().recordLeaves();
            journal.append(
                    record,
                    (position, lengthBytes) -> {
                        transfer.footprint().recordArrived();
                        applied(transfer, record, position, lengthBytes);
                        try {
                            durable.run();
                        } finally { // the callbacks run even if the work that follows fails
                            observers.changed(transfer);
                        }
                    },
                    cause -> {
                        transfer.footprint().recordArrived();
                        LOG.atError()
                                .addKeyValue("transfer", transfer.key())
                                .setCause(cause)
                                .log("The spool's journal could not take a record");
                        failed.accept(cause);
                    });
        });
    }

    private void applied(SpoolTransfer transfer, SpoolRecord record, LogPosition position, long lengthBytes) {
        SpoolEvents.Before before = SpoolEvents.Before.of(transfer, record);
        transfer.apply(record, position, lengthBytes);
        events.applied(transfer, record, before, position);
    }

    private RepeatedFiles repeats() {
        RepeatedFiles files = repeats;
        if (files == null) {
            throw new IllegalStateException(NOT_STARTED);
        }
        return files;
    }

    /** The sender to the next hop. */
    SpoolOutlet listener() {
        SpoolOutlet to = listener;
        if (to == null) {
            throw new IllegalStateException(NOT_STARTED);
        }
        return to;
    }

    static Refusal storageFailed(StorageException cause) {
        return new Refusal(ErrorCode.STORAGE_FAILED, String.valueOf(cause.getMessage()));
    }
}
