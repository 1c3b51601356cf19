package io.hawser.common.landing;

import io.hawser.common.model.AckLevel;
import io.hawser.common.model.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a landing area may take and how long it keeps things.
 *
 * @param subscription the name that speaks in answers and receipts
 * @param directory where landing files lie: on the target's file system, hidden from its readers
 * @param ackLevel {@code DURABLE}: a commit is answered when the object is durable here; {@code CONSUMED}: when its delivery is
 * @param retainIncomplete an open transfer that nothing was heard of for so long is removed
 * @param retainTombstone how long a finished transfer is still known after its receipt was acked
 * @param maxTombstones how many of those there are at most; the oldest go first
 * @param maxTransfers how many transfers may be open, waiting for the target or for a receipt's ack at once
 * @param headroomBytes free space that transfers may not take
 * @param batchBytes how much one force covers at most
 * @param retry when a delivery that failed for the moment is tried again
 * @param deliveryDeadline how long after its first failure, in this process's life, a delivery is put on the dead-letter list
 */
public record LandingOptions(
        String subscription,
        Path directory,
        AckLevel ackLevel,
        Duration retainIncomplete,
        Duration retainTombstone,
        int maxTombstones,
        int maxTransfers,
        long headroomBytes,
        int batchBytes,
        RetryPolicy retry,
        Duration deliveryDeadline) {
    /** What the names of all landing directories begin with; a delivered name must not. */
    public static final String DIRECTORY_PREFIX = ".hawser-landing-";

    /** A delivery is never given up. */
    public static final Duration NO_DEADLINE = Duration.ofDays(36_500);

    /** About 300 bytes of heap each. */
    private static final int MAX_TOMBSTONES = 20_000;
    /** About 2 KB of heap each. */
    private static final int MAX_TRANSFERS = 10_000;

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
                Duration.ofDays(7),
                Duration.ofHours(1),
                MAX_TOMBSTONES,
                MAX_TRANSFERS,
                64L << 20,
                16 << 20,
                RetryPolicy.forever(Duration.ofMillis(200), Duration.ofSeconds(30)),
                NO_DEADLINE);
    }

    /** The same with another ack level. */
    public LandingOptions withAckLevel(AckLevel level) {
        return new LandingOptions(
                subscription,
                directory,
                level,
                retainIncomplete,
                retainTombstone,
                maxTombstones,
                maxTransfers,
                headroomBytes,
                batchBytes,
                retry,
                deliveryDeadline);
    }

    /** The same with other times of keeping. */
    public LandingOptions withRetention(Duration incomplete, Duration tombstone) {
        return new LandingOptions(
                subscription,
                directory,
                ackLevel,
                incomplete,
                tombstone,
                maxTombstones,
                maxTransfers,
                headroomBytes,
                batchBytes,
                retry,
                deliveryDeadline);
    }

    /** The same with other limits. */
    public LandingOptions withLimits(int transfers, int tombstones, long headroom) {
        return new LandingOptions(
                subscription,
                directory,
                ackLevel,
                retainIncomplete,
                retainTombstone,
                tombstones,
                transfers,
                headroom,
                batchBytes,
                retry,
                deliveryDeadline);
    }

    /** The same with another back-off. */
    public LandingOptions withRetry(RetryPolicy policy) {
        return new LandingOptions(
                subscription,
                directory,
                ackLevel,
                retainIncomplete,
                retainTombstone,
                maxTombstones,
                maxTransfers,
                headroomBytes,
                batchBytes,
                policy,
                deliveryDeadline);
    }

    /** The same with an end to the attempts: after it a transfer is put on the dead-letter list. */
    public LandingOptions withDeliveryDeadline(Duration deadline) {
        return new LandingOptions(
                subscription,
                directory,
                ackLevel,
                retainIncomplete,
                retainTombstone,
                maxTombstones,
                maxTransfers,
                headroomBytes,
                batchBytes,
                retry,
                deadline);
    }
}
