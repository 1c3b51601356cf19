package io.hawser.core.hop;

import io.hawser.core.model.Commit;
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
 *      │  WAITING ──small──► SMALL ──► done        WAITING ──cancel──► CANCELLING ──► done
 *      │  WAITING ──refused──► REFUSED ──retry──► WAITING
 *      │  WAITING ──no right──► AWAITING_RIGHT ──next session──► WAITING
 *      └── sending stopped or session lost, from any state
 * </pre>
 *
 * <p>Thread: the sender's loop.
 */
final class OutgoingTransfer {
    enum State {
        /** Nothing of it was sent in this session, or its sending was stopped. */
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
        /** The receiver refused it because a right is missing, which the next session may have. */
        AWAITING_RIGHT;

        /** From {@link #WAITING} sending begins or pauses; from every state it can stop. */
        private boolean mayBecome(State next) {
            return switch (next) {
                case WAITING -> true;
                case RESUMING, SMALL, CANCELLING, REFUSED, AWAITING_RIGHT -> this == WAITING;
                case OPEN -> this == WAITING || this == RESUMING;
                case COMMITTING -> this == OPEN;
            };
        }
    }

    /** Of a transfer that nobody has given another; a higher one goes first. */
    static final int USUAL_PRIORITY = 5;

    private static final int MAX_RUNS_AHEAD = 64;
    private static final int UNBOUNDED = Integer.MAX_VALUE;
    /** When this many fragments may be in flight, only the receiver's credit bounds them. */
    private static final int ENOUGH = 64;

    final Manifest manifest;
    final FragmentRanges available = new FragmentRanges();
    final FragmentRanges begun = new FragmentRanges();
    final FragmentRanges claimed = new FragmentRanges();
    FragmentRanges acked = new FragmentRanges();
    /** All that the receiver has ever acked: sent again only if the receiver has lost it. */
    final FragmentRanges everAcked = new FragmentRanges();

    private State state = State.WAITING;
    /** Its number in Order by path; 0 while it has none. */
    long order;

    /** No session can have announced it. */
    boolean fresh;
    /** 1 (last) to 9 (first). */
    int priority = USUAL_PRIORITY;
    /** It is not sent until it is released; later ones of its path wait for it. */
    boolean held;
    /** Its source broke off: it has no number in Order by path. */
    boolean suspended;
    /** The bytes of a small transfer, during the call that commits it. */
    @Nullable
    Fragment inMemory;
    /** A relay has had a fragment of it in memory. */
    boolean forwardable;

    /** Its COMMIT, or all of it as a small item, has left in this session: only then can the receiver have committed it. */
    boolean commitSent;

    boolean queuedForLoad;
    /** How many of its fragments are being read. */
    int loading;
    /** It is waiting, loading, ready or sent as a small transfer. */
    boolean inSmallFlow;
    /** Counts how often it left the small flow: the result of a load that an earlier round began is dropped. */
    int smallRound;

    @Nullable
    Commit commit;

    @Nullable
    String cancelReason;

    /** The receiver answered a CANCEL of this session: it has committed the transfer. */
    boolean committedThere;

    /** Why the receiver, or the store here, refused it for now; null once something of it is durable there. */
    @Nullable
    Refusal lastRefusal;

    /** The receiver refused it for now and has accepted nothing of it since. */
    boolean probing;

    /** The most fragments in flight. */
    private int maxInFlight = UNBOUNDED;

    /** Receipts that came before COMMITTED in this session. */
    final List<HopMessage.ReceiptNotice> earlyReceipts = new ArrayList<>(0);

    /** When it last made progress. The sender's time; 0 before its first tick. */
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

    State state() {
        return state;
    }

    /** Changes the state because of {@code reason}; {@link IllegalStateException} if that change is not in the drawing above. */
    void become(State next, String reason) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(
                    "transfer " + key() + " cannot change from " + state + " to " + next + ": " + reason);
        }
        state = next;
    }

    /** Length of fragment {@code index} in bytes; before the commit only full fragments are available. */
    int fragmentLength(long index) {
        Commit known = commit;
        return known == null
                ? manifest.fragmentSizeBytes()
                : Manifest.fragmentLength(index, known.sizeBytes(), manifest.fragmentSizeBytes());
    }

    /** The next fragment that is available, not acked and not in flight; -1 if there is none now. */
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

    /** Counts bytes of a fragment that has been sent before. */
    void countResent(long index, int bytes) {
        resentBytes += bytes;
        if (everAcked.contains(index)) {
            resentAckedBytes += bytes;
        }
    }

    boolean sendsFragments() {
        return state == State.OPEN || state == State.COMMITTING;
    }

    /** Whether one more fragment may be in flight. */
    boolean maySendMore() {
        return sendsFragments() && (maxInFlight == UNBOUNDED || claimed.count() < maxInFlight);
    }

    /**
     * The receiver refused it for now: one fragment probes whether there is space, and then as many may be in flight as were accepted since.
     * So no more bytes are sent in vain than are accepted.
     */
    void refusedThere() {
        probing = true;
        maxInFlight = 1;
    }

    /** Space may be short: begins with one fragment, unless it is bounded already. */
    void beginCarefully() {
        if (maxInFlight == UNBOUNDED) {
            maxInFlight = 1;
        }
    }

    /** Whether the number of its fragments in flight is bounded for want of space. */
    boolean isCareful() {
        return maxInFlight != UNBOUNDED;
    }

    /**
     * The receiver has accepted this many fragments.
     *
     * @return whether more may be in flight than before
     */
    boolean taken(long fragments) {
        probing = false;
        if (maxInFlight == UNBOUNDED) {
            return false;
        }
        maxInFlight = maxInFlight + fragments < ENOUGH ? (int) (maxInFlight + fragments) : UNBOUNDED;
        return true;
    }

    /** Whether its last refusal was a missing right. */
    boolean lacksRight() {
        Refusal refusal = lastRefusal;
        return refusal != null && refusal.code() == ErrorCode.NOT_ALLOWED;
    }

    /** Those of {@code ranges} that exist: a faulty peer may name any others, and as many. */
    FragmentRanges existing(FragmentRanges ranges) {
        FragmentRanges there = ranges.intersection(available);
        there.addAll(ranges.intersection(begun));
        Commit known = commit;
        if (known != null) {
            there.remove(known.fragmentCount(), Long.MAX_VALUE);
        }
        return there;
    }

    /** The receiver has these durable. */
    void onAck(FragmentRanges existing) {
        acked.addAll(existing);
        remember(existing);
        lastRefusal = null;
    }

    /** For figures only: where it has too many gaps it is not exact. */
    private void remember(FragmentRanges existing) {
        if (everAcked.runCount() + existing.runCount() <= HopReceiver.MAX_RUNS) {
            everAcked.addAll(existing);
        }
    }

    /** The receiver has exactly these durable. */
    void onResume(FragmentRanges durable) {
        acked = existing(durable);
        FragmentRanges ahead = durable.copy(); // what a relay forwarded, and lost in a crash before it was durable here
        acked.runs().forEach(run -> ahead.remove(run.start(), run.end()));
        ahead.remove(commit == null ? Manifest.MAX_FRAGMENTS : commit.fragmentCount(), Long.MAX_VALUE);
        if (ahead.runCount() <= MAX_RUNS_AHEAD) {
            acked.addAll(ahead);
        }
        remember(acked);
        if (state == State.RESUMING) {
            become(State.OPEN, "RESUME came");
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

    /** Whether the receiver may have all of it, as far as is known here. */
    boolean mayBeThere() {
        Commit known = commit;
        FragmentRanges left = acked.copy();
        left.addAll(begun);
        return state == State.SMALL || known == null || left.containsAll(0, known.fragmentCount());
    }

    /** The session is lost: what was in flight counts as not sent. */
    void sessionLost() {
        become(State.WAITING, "the session is lost");
        committedThere = false;
        commitSent = false;
        claimed.remove(0, Long.MAX_VALUE);
        inSmallFlow = false;
        smallRound++;
        earlyReceipts.clear();
    }

    /** Its status; {@code before} is an earlier transfer of its paths that must come first, if one must. */
    OutgoingTransferStatus progress(@Nullable TransferKey before, boolean linked, long nowNanos) {
        return new OutgoingTransferStatus(
                state.name(),
                ackedBytes(),
                sentBytes,
                resentBytes,
                resentAckedBytes,
                held(before),
                OutgoingTransferStatus.millis(progressNanos, nowNanos),
                WaitReason.of(this, linked));
    }

    /** Why it does not proceed for now. */
    private String held(@Nullable TransferKey before) {
        Refusal refusal = lastRefusal;
        if (refusal != null) {
            return refusal.code() + ": " + refusal.detail();
        } else if (held) {
            return "an operator holds it";
        } else if (suspended) {
            return "its upload broke off and has not resumed";
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
