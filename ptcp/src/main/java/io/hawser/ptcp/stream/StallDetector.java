package io.hawser.ptcp.stream;

import io.hawser.ptcp.stream.UnackedPackets.Head;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects streams that are dead without an error, because a router forgot the connection or a relay hangs. Such a stream makes no progress,
 * although it carries the first missing packet or its system waits for an acknowledgement, while the peer answers probes. Its packets are
 * then sent again on others.
 *
 * <p>A probe travels on the communication channel, in order with the acks. So its answer says that the peer is alive and did not receive
 * the missing packet; the next check declares the suspects dead. Each such verdict doubles the limit for a while, so that a slow path
 * is not choked with packets sent again. Times are any monotonic nanoseconds.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class StallDetector {
    /** How long a stream may make no progress before a probe, at least. */
    static final long STALL_NANOS = 2_000_000_000L;

    /** The same in round trips. */
    static final int STALL_ROUND_TRIPS = 4;

    private static final int MAX_DOUBLINGS = 6;
    private static final int RESET_AFTER_LIMITS = 4;

    private static final Verdict NOTHING = new Verdict(0, Set.of());

    private final Map<Integer, Standstill> standstills = new HashMap<>();
    private Set<Integer> suspects = Set.of();
    private int probe;
    private boolean probed;
    private boolean answered;
    private int doublings;
    private long closedNanos;

    /**
     * What a stream's socket reports.
     *
     * @param ackedBytes bytes that the peer's system acknowledged, or -1 if unknown
     * @param waits whether unacknowledged bytes exist
     * @param limitNanos how long without progress the stream is not suspicious
     */
    public record Sample(int stream, long ackedBytes, boolean waits, long limitNanos) {
        /** The sample of a socket that reports acknowledgements. */
        public static Sample of(int stream, long ackedBytes, boolean waits, long rttNanos) {
            return new Sample(
                    stream, ackedBytes, waits, Math.max(STALL_NANOS, STALL_ROUND_TRIPS * Math.max(0, rttNanos)));
        }
    }

    /** When a stream was first seen at this progress. */
    private record Standstill(long ackedBytes, long headPosition, long sinceNanos) {}

    /**
     * @param probe number of a probe that the caller sends, and passes to {@link #onProbeAnswered} with the answer; 0 for none
     * @param dead streams that the caller closes
     */
    public record Verdict(int probe, Set<Integer> dead) {}

    /** @param head the first packet that the peer misses, if a stream carries it */
    public Verdict check(long nowNanos, List<Sample> streams, @Nullable Head head) {
        Set<Integer> found = new HashSet<>();
        Set<Integer> seen = new HashSet<>();
        for (Sample sample : streams) {
            seen.add(sample.stream());
            if (isSuspicious(sample, head, nowNanos)) {
                found.add(sample.stream());
            }
        }
        standstills.keySet().retainAll(seen);
        if (found.isEmpty()) {
            suspects = Set.of();
            probed = false;
            return NOTHING;
        }
        if (!probed) {
            suspects = found;
            probed = true;
            answered = false;
            probe++;
            return new Verdict(probe, Set.of());
        }
        return answered ? declareDead(found, nowNanos) : NOTHING;
    }

    private boolean isSuspicious(Sample sample, @Nullable Head head, long nowNanos) {
        long headPosition = head != null && head.stream() == sample.stream() ? head.position() : -1;
        if (headPosition < 0 && !sample.waits()) {
            standstills.remove(sample.stream());
            return false;
        }
        Standstill before = standstills.get(sample.stream());
        if (before == null || before.ackedBytes() != sample.ackedBytes() || before.headPosition() != headPosition) {
            standstills.put(sample.stream(), new Standstill(sample.ackedBytes(), headPosition, nowNanos));
            return false;
        }
        return nowNanos - before.sinceNanos() >= sample.limitNanos() << doublings(nowNanos, sample.limitNanos());
    }

    private int doublings(long nowNanos, long limitNanos) {
        if (nowNanos - closedNanos > (limitNanos << doublings) * RESET_AFTER_LIMITS) {
            doublings = 0;
        }
        return doublings;
    }

    private Verdict declareDead(Set<Integer> found, long nowNanos) {
        probed = false;
        Set<Integer> dead = new HashSet<>(found);
        dead.retainAll(suspects);
        if (!dead.isEmpty()) {
            doublings = Math.min(MAX_DOUBLINGS, doublings + 1);
            closedNanos = nowNanos;
        }
        return new Verdict(0, dead);
    }

    /** The peer answered a probe. */
    public void onProbeAnswered(int answeredProbe) {
        answered |= answeredProbe == probe;
    }
}
