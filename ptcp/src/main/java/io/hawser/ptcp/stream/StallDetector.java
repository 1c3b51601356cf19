package io.hawser.ptcp.stream;

import io.hawser.ptcp.stream.UnackedPackets.Head;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects streams that are dead without an error, because a router forgot the connection or a relay hangs. Such a stream keeps what
 * the other end misses first, or its system gets no acknowledgement, and nothing moves on it, while the other end answers questions.
 * What it carries is to be sent again on others.
 *
 * <p>A question goes over the communication channel, in order with what the other end says to have. So its answer tells that
 * the other end lives, and had not received what is missing; a look later the suspects are given up. Who is given up makes this
 * more patient, so that a path that is merely slow is not choked with what is sent again. Times are any monotonic nanoseconds.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class StallDetector {
    /** How long a stream may stand still before it is asked for. */
    static final long PATIENCE_NANOS = 2_000_000_000L;

    /** And at least so many round trips. */
    static final int PATIENCE_ROUND_TRIPS = 4;

    private static final int MOST_DOUBLINGS = 6;
    private static final int FORGIVEN_AFTER = 4;

    private static final Verdict NOTHING = new Verdict(0, Set.of());

    private final Map<Integer, Still> still = new HashMap<>();
    private Set<Integer> suspects = Set.of();
    private int question;
    private boolean asked;
    private boolean answered;
    private int doublings;
    private long givenUpNanos;

    /**
     * What a stream's socket says.
     *
     * @param ackedBytes what the peer's system has, or -1 if the socket does not tell
     * @param waits whether it has been given more than that
     * @param patienceNanos after what time without movement it is suspicious, at least
     */
    public record Look(int stream, long ackedBytes, boolean waits, long patienceNanos) {
        /** Of a socket that tells. */
        public static Look of(int stream, long ackedBytes, boolean waits, long rttNanos) {
            return new Look(
                    stream, ackedBytes, waits, Math.max(PATIENCE_NANOS, PATIENCE_ROUND_TRIPS * Math.max(0, rttNanos)));
        }
    }

    /** Since when a stream shows the same. */
    private record Still(long ackedBytes, long headPosition, long sinceNanos) {}

    /**
     * What is to be done after a look.
     *
     * @param question to be asked whether the other end lives, and to be named with the answer; 0 for none
     * @param givenUp streams that are dead
     */
    public record Verdict(int question, Set<Integer> givenUp) {}

    /** Looks at all streams that there are; {@code head} is what the other end misses first, if a stream has it. */
    public Verdict look(long nowNanos, List<Look> streams, @Nullable Head head) {
        Set<Integer> found = new HashSet<>();
        Set<Integer> seen = new HashSet<>();
        for (Look look : streams) {
            seen.add(look.stream());
            if (isSuspicious(look, head, nowNanos)) {
                found.add(look.stream());
            }
        }
        still.keySet().retainAll(seen);
        if (found.isEmpty()) {
            suspects = Set.of();
            asked = false;
            return NOTHING;
        }
        if (!asked) {
            suspects = found;
            asked = true;
            answered = false;
            question++;
            return new Verdict(question, Set.of());
        }
        return answered ? giveUp(found, nowNanos) : NOTHING;
    }

    private boolean isSuspicious(Look look, @Nullable Head head, long nowNanos) {
        long headPosition = head != null && head.stream() == look.stream() ? head.position() : -1;
        if (headPosition < 0 && !look.waits()) {
            still.remove(look.stream());
            return false;
        }
        Still before = still.get(look.stream());
        if (before == null || before.ackedBytes() != look.ackedBytes() || before.headPosition() != headPosition) {
            still.put(look.stream(), new Still(look.ackedBytes(), headPosition, nowNanos));
            return false;
        }
        return nowNanos - before.sinceNanos() >= look.patienceNanos() << doublings(nowNanos, look.patienceNanos());
    }

    private int doublings(long nowNanos, long patienceNanos) {
        if (nowNanos - givenUpNanos > (patienceNanos << doublings) * FORGIVEN_AFTER) {
            doublings = 0;
        }
        return doublings;
    }

    private Verdict giveUp(Set<Integer> found, long nowNanos) {
        asked = false;
        Set<Integer> dead = new HashSet<>(found);
        dead.retainAll(suspects);
        if (!dead.isEmpty()) {
            doublings = Math.min(MOST_DOUBLINGS, doublings + 1);
            givenUpNanos = nowNanos;
        }
        return new Verdict(0, dead);
    }

    /** The other end has answered a question. */
    public void onAnswer(int answeredQuestion) {
        answered |= answeredQuestion == question;
    }
}
