package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.JournalFootprint;
import io.hawser.store.journal.JournaledTransfer;
import io.hawser.store.log.LogPosition;
import io.hawser.store.spool.SpoolRecord.Brokered;
import io.hawser.store.spool.SpoolRecord.Cancelled;
import io.hawser.store.spool.SpoolRecord.Committed;
import io.hawser.store.spool.SpoolRecord.Lost;
import io.hawser.store.spool.SpoolRecord.Opened;
import io.hawser.store.spool.SpoolRecord.Recalled;
import io.hawser.store.spool.SpoolRecord.Receipted;
import io.hawser.store.spool.SpoolRecord.Refused;
import io.hawser.store.spool.SpoolRecord.Resumed;
import io.hawser.store.spool.SpoolRecord.Small;
import io.hawser.store.spool.SpoolRecord.Steered;
import io.hawser.store.spool.SpoolRecord.Suspended;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One transfer of the spool: the fold of its journal records, and a little that is known in this life only.
 *
 * <pre>
 *              Opened                    Committed                 Brokered
 *   (unborn) ──────────► RECEIVING ────────────────► SPOOLED ────────────────► BROKERED ──► ended
 *      │                  │     ▲                      ▲  │ │                     ▲
 *      │        Suspended ▼     │ Resumed              │  │ └── Refused ► REFUSED │ (offered again after a restart)
 *      │                 INCOMPLETE                    │  └─ Cancelled ► CANCELLED┘ (the next hop was faster)
 *      └──────── Small ────────────────────────────────┘                    └──► ended
 * </pre>
 *
 * <p>RECEIVING and INCOMPLETE can be cancelled and refused as well. A record that does not fit the phase changes nothing: it
 * was overtaken, or was carried forward.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class SpoolTransfer implements JournaledTransfer<SpoolRecord> {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Manifest manifest;
    private final @Nullable SourceFingerprint source;
    private final LongSupplier steadyNanos;
    private final TransferMilestones milestones = new TransferMilestones();
    private final JournalFootprint footprint = new JournalFootprint();
    private SpoolPhase phase = SpoolPhase.RECEIVING;
    private @Nullable Commit commit;
    private @Nullable LogPosition smallPosition;
    private long suspendedEpochMillis;
    private @Nullable Refusal refusal;
    /** Why it is to be cancelled though the next hop has it; null if it is not. */
    private @Nullable String recall;

    private boolean held;
    private int priority = HopSender.USUAL_PRIORITY;
    private DeliveryReceipts delivery = DeliveryReceipts.NONE;
    /** What is durable here, while it is not committed. */
    private @Nullable DurableBytes arrived;

    private @Nullable FragmentRanges earlier;
    /** What is durable at the next hop. */
    private @Nullable FragmentRanges acked;

    /** Its progress clock: when bytes of it last became durable here, or something was recorded of it. */
    private long progressNanos;

    /** The file whose bytes it has repeated so far; while there is one, the next hop gets nothing of it. */
    private RecentFiles.@Nullable RecentFile repeated;

    private boolean waitsForSpace;
    private boolean damaged;
    private boolean announced;
    private boolean contentKept = true;
    private long reservedBytes;
    private long heldBytes;

    @Nullable
    SpoolTransfer olderOfSameName;

    SpoolTransfer(Manifest manifest, @Nullable SourceFingerprint source, LongSupplier steadyNanos) {
        this.manifest = manifest;
        this.source = source;
        this.steadyNanos = steadyNanos;
        this.progressNanos = steadyNanos.getAsLong();
    }

    /** Folds one record in. */
    @Override
    public void apply(SpoolRecord record, LogPosition position, long lengthBytes) {
        footprint.add(position, lengthBytes);
        progressNanos = steadyNanos.getAsLong();
        if (record instanceof Opened) {
            milestones.setBorn();
        } else if (record instanceof Small small) {
            applySmall(small, position);
        } else if (record instanceof Committed committed) {
            applyCommitted(committed.commit());
        } else if (record instanceof Suspended suspended && phase == SpoolPhase.RECEIVING) {
            phase = SpoolPhase.INCOMPLETE;
            suspendedEpochMillis = suspended.epochMillis();
        } else if (record instanceof Resumed && phase == SpoolPhase.INCOMPLETE) {
            phase = SpoolPhase.RECEIVING;
        } else if (record instanceof Brokered brokered && phase != SpoolPhase.FINISHED) {
            Refusal cancelled = refusal;
            if (isCancelInDoubt() && cancelled != null) { // the next hop was faster
                recall = cancelled.detail();
            }
            phase = SpoolPhase.BROKERED;
            delivery = delivery.withSet(brokered.deliverySet());
            refusal = null;
        } else if (record instanceof Steered steered && !isPastSteering()) {
            held = steered.held();
            priority = steered.priority();
        } else if (record instanceof Recalled recalled && phase == SpoolPhase.BROKERED) {
            recall = recalled.reason();
        } else if (record instanceof Receipted receipted) {
            delivery = delivery.with(receipted.receipt());
        } else if (record instanceof Cancelled cancelled
                && phase != SpoolPhase.BROKERED
                && phase != SpoolPhase.CANCELLED) { // else it was carried forward, or cancelled again: the first reason
            // stands
            if (cancelled.inDoubt()) {
                milestones.setCancelInDoubt();
            }
            phase = SpoolPhase.CANCELLED;
            refusal = cancelled.refusal();
        } else if (record instanceof Lost && phase == SpoolPhase.BROKERED) {
            lostAtNextHop();
        } else if (record instanceof Refused refused && phase != SpoolPhase.BROKERED && phase != SpoolPhase.CANCELLED) {
            phase = SpoolPhase.REFUSED;
            refusal = refused.refusal();
        }
    }

    private void applySmall(Small small, LogPosition position) {
        smallPosition = position; // where it was carried to, if it was
        if (!milestones.isBorn()) {
            milestones.setBorn();
            phase = SpoolPhase.SPOOLED;
            commit = small.commit();
        }
    }

    private void applyCommitted(Commit complete) {
        if (phase == SpoolPhase.RECEIVING || phase == SpoolPhase.INCOMPLETE) {
            phase = SpoolPhase.SPOOLED;
            commit = complete;
            arrived = null;
        } else if (phase == SpoolPhase.BROKERED && commit == null) { // the record that said so before is damaged
            commit = complete;
            arrived = null;
        }
    }

    @Override
    public List<SpoolRecord> toRecords() {
        List<SpoolRecord> records = new ArrayList<>(4);
        Commit complete = commit;
        if (smallPosition != null
                && complete != null
                && contentKept) { // else it is as a large one of which no file is left
            records.add(new Small(manifest, complete));
        } else {
            records.add(new Opened(manifest, source));
            if (complete != null) {
                records.add(new Committed(key(), complete));
            }
        }
        if (phase == SpoolPhase.INCOMPLETE) {
            records.add(new Suspended(key(), suspendedEpochMillis, ""));
        }
        Refusal why = refusal;
        if (why != null && phase == SpoolPhase.CANCELLED) {
            records.add(new Cancelled(key(), why, milestones.isCancelInDoubt()));
        } else if (why != null && phase == SpoolPhase.REFUSED) {
            records.add(new Refused(key(), why));
        }
        if (!isPastSteering() && (held || priority != HopSender.USUAL_PRIORITY)) {
            records.add(new Steered(key(), held, priority));
        }
        if (phase == SpoolPhase.BROKERED) {
            records.add(new Brokered(key(), delivery.deliverySet()));
        }
        String recalled = recall;
        if (recalled != null && phase == SpoolPhase.BROKERED) {
            records.add(new Recalled(key(), recalled));
        }
        delivery.receipts().forEach(receipt -> records.add(new Receipted(key(), receipt)));
        return records;
    }

    /** Fragments that may be sent now. */
    FragmentRanges sendable() {
        Commit complete = commit;
        return complete == null ? arrived().full().copy() : FragmentRanges.of(0, complete.fragmentCount());
    }

    /** The length of a fragment that may be sent, or -1. */
    int lengthOf(long index) {
        Commit complete = commit;
        if (complete == null) {
            return arrived().full().contains(index) ? manifest.fragmentSizeBytes() : -1;
        }
        if (complete.sizeBytes() == 0) {
            return index == 0 ? 0 : -1;
        }
        return index >= 0 && index < complete.fragmentCount()
                ? Manifest.fragmentLength(index, complete.sizeBytes(), manifest.fragmentSizeBytes())
                : -1;
    }

    /** What has come in, while it is not committed. */
    DurableBytes arrived() {
        if (arrived == null) {
            arrived = new DurableBytes(manifest.fragmentSizeBytes());
        }
        return arrived;
    }

    long durableBytes() {
        Commit complete = commit;
        if (complete != null) {
            return complete.sizeBytes();
        }
        return arrived == null ? 0 : arrived.bytes();
    }

    private long brokeredBytes() {
        Commit complete = commit;
        FragmentRanges ranges = acked;
        if (phase == SpoolPhase.BROKERED || phase == SpoolPhase.FINISHED) {
            return complete == null ? 0 : complete.sizeBytes();
        }
        long bytes = ranges == null ? 0 : ranges.count() * manifest.fragmentSizeBytes();
        return complete == null ? bytes : Math.min(bytes, complete.sizeBytes());
    }

    private boolean isCancelInDoubt() {
        return phase == SpoolPhase.CANCELLED && milestones.isCancelInDoubt();
    }

    /** Whether it was accepted here and is not delivered yet. */
    boolean isUnderWay() {
        return commit != null
                && milestones.endWanted() == null
                && (!phase.isFinal() || isCancelInDoubt())
                && !TransferSnapshot.isNowhere(delivery.receipts());
    }

    TransferSnapshot snapshot() {
        boolean inDoubt = isCancelInDoubt();
        return new TransferSnapshot(
                manifest,
                inDoubt ? SpoolPhase.SPOOLED : phase,
                commit,
                durableBytes(),
                brokeredBytes(),
                delivery.deliverySet(),
                delivery.receipts(),
                inDoubt ? null : refusal,
                source,
                contentKept,
                (steadyNanos.getAsLong() - progressNanos) / NANOS_PER_MILLI,
                waitsForSpace,
                repeated != null,
                inDoubt && refusal != null ? refusal.detail() : recall,
                held && !isPastSteering());
    }

    /** Its upload waits for space, or resumes. */
    void setWaitsForSpace(boolean waits) {
        waitsForSpace = waits;
    }

    /** An earlier run has recorded that fragment as durable. */
    void cameEarlier(long index, int length) {
        arrived().add(index, length);
        if (earlier == null) {
            earlier = new FragmentRanges();
        }
        earlier.add(index, index + 1);
    }

    /** Fragments that an earlier run wrote, of a transfer that was not committed then. */
    FragmentRanges earlier() {
        return earlier == null ? new FragmentRanges() : earlier.copy();
    }

    RecentFiles.@Nullable RecentFile repeated() {
        return repeated;
    }

    void setRepeated(RecentFiles.@Nullable RecentFile file) {
        repeated = file;
    }

    /** Bytes of it have become durable here. */
    void arrived(long index, int length) {
        progressNanos = steadyNanos.getAsLong();
        arrived().add(index, length);
    }

    TransferKey key() {
        return manifest.key();
    }

    Manifest manifest() {
        return manifest;
    }

    @Nullable
    SourceFingerprint source() {
        return source;
    }

    TransferMilestones milestones() {
        return milestones;
    }

    SpoolPhase phase() {
        return phase;
    }

    @Nullable
    Commit commit() {
        return commit;
    }

    /** Where the bytes of a small transfer are, or null for a large one. */
    @Nullable
    LogPosition smallPosition() {
        return smallPosition;
    }

    @Override
    public JournalFootprint footprint() {
        return footprint;
    }

    @Override
    public boolean isAtRest() {
        boolean isBeingCancelled = milestones.endWanted() != null && phase != SpoolPhase.CANCELLED;
        return footprint.isAtRest() && !milestones.isEnding() && !isBeingCancelled;
    }

    @Override
    public @Nullable JournaledContent content() {
        LogPosition position = smallPosition;
        return position == null || !contentKept ? null : new JournaledContent(position, Math.max(0, lengthOf(0)));
    }

    boolean hasDataFile() {
        return source == null && smallPosition == null;
    }

    boolean hasLeaves() {
        return smallPosition == null;
    }

    long suspendedEpochMillis() {
        return suspendedEpochMillis;
    }

    DeliveryReceipts delivery() {
        return delivery;
    }

    /** Whether it has ended: it is brokered, and every subscription that counts has sent a final receipt. */
    boolean isSettled() {
        return phase == SpoolPhase.BROKERED && delivery.isSettled();
    }

    /** It has ended, with that receipt if it was the last: what was brokered is finished, all else stays what it was. */
    void end(@Nullable Receipt last) {
        if (last != null) {
            delivery = delivery.with(last);
        }
        if (phase == SpoolPhase.BROKERED) {
            phase = SpoolPhase.FINISHED;
        }
    }

    /** It is cancelled, and the journal does not say so: it never was there, or that record follows. */
    void endUnrecorded(Refusal why) {
        phase = SpoolPhase.CANCELLED;
        refusal = why;
    }

    /** A refused transfer whose bytes are here is offered once more in each run. */
    void offerAgain() {
        phase = commit == null ? SpoolPhase.INCOMPLETE : SpoolPhase.SPOOLED;
        refusal = null;
    }

    /** The next hop had committed it and does not have it any more; the bytes are here. */
    void lostAtNextHop() {
        phase = SpoolPhase.SPOOLED;
        refusal = null;
        acked = null;
    }

    /** Whether the next hop has it, or it has ended: what was asked of it here before no longer counts. */
    private boolean isPastSteering() {
        return phase == SpoolPhase.BROKERED || phase.isFinal();
    }

    /** Whether an operator holds it. */
    boolean isHeld() {
        return held && !isPastSteering();
    }

    /** 1 (last) to 9 (first). */
    int priority() {
        return priority;
    }

    /** Why it is to be cancelled though the next hop has it; null if it is not. */
    @Nullable
    String recall() {
        return recall;
    }

    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /** The next hop will be asked again; until then this is shown, unless its bytes here are damaged, which only a person mends. */
    void noteRefusal(Refusal why) {
        if (!damaged) {
            refusal = why;
        }
    }

    /** Its bytes here cannot be read back as they were written. */
    void damaged(Refusal why) {
        damaged = true;
        refusal = why;
    }

    /** They can be again. */
    void soundAgain() {
        damaged = false;
        refusal = null;
    }

    /** Whether its bytes here could not be read back as they were written. */
    boolean isDamaged() {
        return damaged;
    }

    /** Whether the next hop has not let it in for want of a right, and is asked again. */
    boolean lacksRight() {
        Refusal why = refusal;
        return why != null && why.code() == ErrorCode.NOT_ALLOWED && !phase.isFinal();
    }

    /** There is a right now. */
    void letIn() {
        refusal = null;
    }

    /** Whether the next hop has ever let it in, as far as this life of the node knows. */
    boolean wasLetIn() {
        return acked != null;
    }

    void ackedAtNextHop(FragmentRanges ranges) {
        if (acked == null) {
            acked = new FragmentRanges();
        }
        acked.addAll(ranges);
    }

    boolean isAnnounced() {
        return announced;
    }

    void setAnnounced() {
        announced = true;
    }

    boolean isContentKept() {
        return contentKept;
    }

    void setContentDropped() {
        contentKept = false;
        acked = null;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    long heldBytes() {
        return heldBytes;
    }

    void setSpace(long reserved, long held) {
        reservedBytes = reserved;
        heldBytes = held;
    }
}
