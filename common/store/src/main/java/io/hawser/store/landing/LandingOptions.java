package io.hawser.store.landing;

import io.hawser.core.model.AckLevel;
import io.hawser.core.model.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a landing area may take and how long it keeps things.
 *
 * @param subscription the name that speaks in answers and receipts
 * @param directory where landing files lie: on the target's file system, hidden from its readers
 * @param ackLevel {@code DURABLE}: a commit is answered when the object is durable here; {@code CONSUMED}: when its delivery is
 * @param retention how long things are kept
 * @param limits how much there may be
 * @param attempts how often a delivery that failed for the moment is tried
 * @param journal how the journal lies on the disk
 */
public record LandingOptions(
        String subscription,
        Path directory,
        AckLevel ackLevel,
        Retention retention,
        Limits limits,
        Attempts attempts,
        Journal journal) {
    /** What the names of all landing directories begin with; a delivered name must not. */
    public static final String DIRECTORY_PREFIX = ".hawser-landing-";

    /** A delivery is never given up. */
    public static final Duration NO_DEADLINE = Duration.ofDays(36_500);

    /** Free space that transfers may not take. */
    public static final long DEFAULT_HEADROOM_BYTES = 64L << 20;

    /** About 300 bytes of heap each. */
    private static final int MAX_TOMBSTONES = 20_000;
    /** About 2 KB of heap each. */
    private static final int MAX_TRANSFERS = 10_000;

    /**
     * How long things are kept.
     *
     * @param incomplete an open transfer that nothing was heard of for so long is removed
     * @param tombstone how long a finished transfer is still known after its receipt was acked
     */
    public record Retention(Duration incomplete, Duration tombstone) {}

    /**
     * How much there may be.
     *
     * @param maxTransfers how many transfers may be open, waiting for the target or for a receipt's ack at once
     * @param maxTombstones how many finished transfers are known at most; the oldest go first
     * @param headroomBytes free space that transfers may not take
     * @param spacePatience how long a transfer waits for room before it costs a younger one of unknown size its place
     */
    public record Limits(int maxTransfers, int maxTombstones, long headroomBytes, Duration spacePatience) {}

    /**
     * How often a delivery is tried.
     *
     * @param retry when one that failed for the moment is tried again
     * @param deadline how long after its first failure, in this process's life, it is put on the dead-letter list
     */
    public record Attempts(RetryPolicy retry, Duration deadline) {}

    /**
     * How the journal lies on the disk.
     *
     * @param segmentSizeBytes the length of a segment
     * @param spareSegments how many segments are kept ready, zero-filled
     */
    public record Journal(long segmentSizeBytes, int spareSegments) {}

    private static final Duration RETAIN_INCOMPLETE = Duration.ofDays(7);
    /** As old may a copy of a broker's data be that is restored: what it sends again is not delivered again. */
    private static final Duration RETAIN_TOMBSTONES = Duration.ofDays(7);

    /** The defaults, for objects that end up below {@code into}. */
    public static LandingOptions below(Path into, String subscription) {
        return in(into.resolve(DIRECTORY_PREFIX + subscription), subscription);
    }

    /**
     * The defaults, with the landing files in {@code directory}. If that lies below a target directory, its name begins with
     * {@value #DIRECTORY_PREFIX}, so that nothing is delivered into it.
     */
    public static LandingOptions in(Path directory, String subscription) {
        return new LandingOptions(
                subscription,
                directory,
                AckLevel.DURABLE,
                new Retention(RETAIN_INCOMPLETE, RETAIN_TOMBSTONES),
                new Limits(MAX_TRANSFERS, MAX_TOMBSTONES, DEFAULT_HEADROOM_BYTES, Duration.ofSeconds(5)),
                new Attempts(RetryPolicy.forever(Duration.ofMillis(200), Duration.ofSeconds(30)), NO_DEADLINE),
                new Journal(4L << 20, 1));
    }

    /** The same with another ack level. */
    public LandingOptions withAckLevel(AckLevel level) {
        return new LandingOptions(subscription, directory, level, retention, limits, attempts, journal);
    }

    /** The same with other times of keeping. */
    public LandingOptions withRetention(Duration incomplete, Duration tombstone) {
        Retention other = new Retention(incomplete, tombstone);
        return new LandingOptions(subscription, directory, ackLevel, other, limits, attempts, journal);
    }

    /** The same with other limits. */
    public LandingOptions withLimits(int transfers, int tombstones, long headroom) {
        Limits other = new Limits(transfers, tombstones, headroom, limits.spacePatience);
        return new LandingOptions(subscription, directory, ackLevel, retention, other, attempts, journal);
    }

    /** The same with another head-room. */
    public LandingOptions withHeadroom(long headroom) {
        return withLimits(limits.maxTransfers, limits.maxTombstones, headroom);
    }

    /** The same with another time for which a transfer waits for room, before it costs another its place. */
    public LandingOptions withSpacePatience(Duration patience) {
        Limits other = new Limits(limits.maxTransfers, limits.maxTombstones, limits.headroomBytes, patience);
        return new LandingOptions(subscription, directory, ackLevel, retention, other, attempts, journal);
    }

    /** The same with another back-off. */
    public LandingOptions withRetry(RetryPolicy policy) {
        Attempts other = new Attempts(policy, attempts.deadline);
        return new LandingOptions(subscription, directory, ackLevel, retention, limits, other, journal);
    }

    /** The same with an end to the attempts: after it a transfer is put on the dead-letter list. */
    public LandingOptions withDeliveryDeadline(Duration deadline) {
        Attempts other = new Attempts(attempts.retry, deadline);
        return new LandingOptions(subscription, directory, ackLevel, retention, limits, other, journal);
    }

    /** The same with another journal. */
    public LandingOptions withJournal(long segmentBytes, int spares) {
        return new LandingOptions(
                subscription, directory, ackLevel, retention, limits, attempts, new Journal(segmentBytes, spares));
    }
}
