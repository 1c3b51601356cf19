package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transfer at its sending end.
 *
 * <pre>
 *            first full fragment or commit
 *   WAITING ───────────────────────────────► RESUMING ──RESUME──► OPEN ──commit, its turn──► COMMITTING ──► done
 *      ▲  └──────── never announced before ──────────────────────►┘
 *      │  small: WAITING ──► SMALL ──► done
 *      └── link lost, from any state      REFUSED ──retry──► WAITING      AWAITING_RIGHT ──next session──► WAITING
 * </pre>
 *
 * <p>Thread: the sender's loop.
 */
final class OutgoingTransfer {
    /** Where the transfer is. */
    enum State {
        /** Nothing was said of it in this session. */
        WAITING,
        /** OPEN was sent; the receiver's RESUME is awaited. */
        RESUMING,
        /** Fragments may be sent. */
        OPEN,
        /** COMMIT was sent too; fragments may still follow. */
        COMMITTING,
        /** It travels, or will, as a small item. */
        SMALL,
        /** CANCEL was sent. */
        CANCELLING,
        /** The receiver refused it for now. */
        REFUSED,
        /** The receiver refused it for want of a right, which the next session may have. */
        AWAITING_RIGHT
    }

    private static final int ANY = Integer.MAX_VALUE;
    /** Where so many may be on their way there is no bound any more but the receiver's credit. */
    private static final int MANY = 64;

    final Manifest manifest;
    final FragmentRanges available = new FragmentRanges();
    final FragmentRanges begun = new FragmentRanges();
    final FragmentRanges claimed = new FragmentRanges();
    FragmentRanges acked = new FragmentRanges();
    /** What the receiver has ever acked, whatever it says later: sent again only if the receiver has lost it. */
    final FragmentRanges everAcked = new FragmentRanges();

    State state = State.WAITING;
    /** Its place in Order by path; 0 while it has none. */
    long order;

    boolean fresh;
    /** Its source broke off: it has no place in Order by path. */
    boolean suspended;
    /** The bytes of a small transfer, during the call that commits it. */
    @Nullable
    Fragment inMemory;
    /** A relay has had a fragment of it in memory. */
    boolean forwardable;

    /** In this session its COMMIT has left, or the whole of it as a small one: only then the receiver can have committed it. */
    boolean commitSent;

    boolean queuedForLoad;
    /** It is waiting, loading, ready or sent as a small transfer. */
    boolean inSmallFlow;
    /** Loads that were begun in an earlier turn are not wanted any more. */
    int smallTurn;

    @Nullable
    Commit commit;

    @Nullable
    String cancelReason;

    /** The receiver has said in this session that it is committed there, in answer to a CANCEL. In the next one it is asked again. */
    boolean committedThere;

    /** Why the receiver, or the store here, refused it for now; null once something of it is durable there. */
    @Nullable
    Refusal lastRefusal;

    /** The receiver had no room for it, and has taken nothing of it since. */
    boolean probing;

    /** How many fragments may be on their way. */
    private int mostUnderWay = ANY;

    /** Receipts that came before COMMITTED did in this session. */
    final List<HopMessage.ReceiptNotice> earlyReceipts = new ArrayList<>(0);

    /** Its progress clock: when it last came forward. The sender's time; 0 before its first tick. */
    long progressNanos;

    long retryAtNanos;
    int refusals;

    long sentBytes;
    long resentBytes;
    long resentAckedBytes;

    OutgoingTransfer(Manifest manifest, long order, boolean fresh) {
        this.manifest = manifest;
        this.order = order;
        this.fresh = fresh;
    }

    TransferKey key() {
        return manifest.key();
    }

    /** Length of fragment {@code index}; before the commit only full ones are available. */
    int fragmentLength(long index) {
        Commit known = commit;
        return known == null
                ? manifest.fragmentSizeBytes()
                : Manifest.fragmentLength(index, known.sizeBytes(), manifest.fragmentSizeBytes());
    }

    /** The next fragment that is available, not acked and not on its way; -1 if there is none now. */
    long nextToSend() {
        long index = 0;
        while (true) {
            index = available.firstPresent(index);
            if (index < 0) {
                return -1;
            }
            long free = Math.max(acked.firstMissing(index), claimed.firstMissing(index));
            if (free == index) {
                return index;
            }
            index = free;
        }
    }

    /** Counts what a stream was given of a fragment that has been sent before. */
    void countAgain(long index, int bytes) {
        resentBytes += bytes;
        if (everAcked.contains(index)) {
            resentAckedBytes += bytes;
        }
    }

    boolean sendsFragments() {
        return state == State.OPEN || state == State.COMMITTING;
    }

    /** Whether another fragment may be on its way besides those that are. */
    boolean maySendMore() {
        return sendsFragments() && (mostUnderWay == ANY || claimed.count() < mostUnderWay);
    }

    /**
     * The receiver refused it for now: one fragment shows whether there is room, and then no more are on their way than have been taken
     * since. So what goes in vain, if the room is small, is never more than what did not.
     */
    void refusedThere() {
        probing = true;
        mostUnderWay = 1;
    }

    /** Room may be short: it begins with one fragment, unless it is careful already. */
    void beginCarefully() {
        if (mostUnderWay == ANY) {
            mostUnderWay = 1;
        }
    }

    /** Whether few fragments of it may be on their way. */
    boolean isCareful() {
        return mostUnderWay != ANY;
    }

    /**
     * The receiver has taken so many fragments.
     *
     * @return whether more may be on their way than before
     */
    boolean taken(long fragments) {
        probing = false;
        if (mostUnderWay == ANY) {
            return false;
        }
        mostUnderWay = mostUnderWay + fragments < MANY ? (int) (mostUnderWay + fragments) : ANY;
        return true;
    }

    /** Whether it was refused last for want of a right. */
    boolean lacksRight() {
        Refusal refusal = lastRefusal;
        return refusal != null && refusal.code() == ErrorCode.NOT_ALLOWED;
    }

    /** The receiver has said that these are durable there. */
    void onAck(FragmentRange run) {
        acked.add(run.start(), run.end());
        everAcked.add(run.start(), run.end());
        lastRefusal = null;
    }

    /** The receiver has said what is durable there, and nothing else. */
    void onResume(FragmentRanges durable) {
        acked = durable.copy();
        Commit known = commit;
        if (known != null) {
            acked.remove(known.fragmentCount(), Long.MAX_VALUE);
        }
        everAcked.addAll(acked);
        if (state == State.RESUMING) {
            state = State.OPEN;
            if (lacksRight()) {
                lastRefusal = null;
            }
        }
    }

    /** Whether all of it is durable at the receiver. */
    boolean isComplete() {
        Commit known = commit;
        return known != null && acked.containsAll(0, known.fragmentCount());
    }

    /** The session is gone: what was on its way counts as not sent. */
    void sessionLost() {
        state = State.WAITING;
        committedThere = false;
        commitSent = false;
        claimed.remove(0, Long.MAX_VALUE);
        inSmallFlow = false;
        smallTurn++;
        earlyReceipts.clear();
    }

    /** How it stands, for people; {@code before} is an earlier one of its paths that must come first, if one must. */
    SenderProgress progress(@Nullable TransferKey before, boolean linked, long nowNanos) {
        return new SenderProgress(
                state.name(),
                ackedBytes(),
                sentBytes,
                resentBytes,
                resentAckedBytes,
                held(before),
                SenderProgress.millis(progressNanos, nowNanos),
                NextStep.of(this, linked));
    }

    /** Why it does not go on for now. */
    private String held(@Nullable TransferKey before) {
        Refusal refusal = lastRefusal;
        if (refusal != null) {
            return refusal.code() + ": " + refusal.detail();
        } else if (suspended) {
            return "its upload broke off and has not gone on";
        }
        return before == null ? "" : "it waits for an earlier transfer of its path, " + before;
    }

    private long ackedBytes() {
        long count = acked.count();
        if (count == 0) {
            return 0;
        }
        long bytes = count * manifest.fragmentSizeBytes();
        Commit known = commit;
        if (known != null && acked.contains(known.fragmentCount() - 1)) {
            bytes -= manifest.fragmentSizeBytes() - fragmentLength(known.fragmentCount() - 1);
        }
        return bytes;
    }
}
