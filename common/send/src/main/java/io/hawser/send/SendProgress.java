package io.hawser.send;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a send is at one moment, on both legs.
 *
 * @param totalBytes what is sent, as far as it is known
 * @param brokered bytes that are durable at the broker
 * @param objects files and directories of the plan
 * @param objectsDone of these, those that have reached the level that was asked for, or failed
 * @param farEnds how far each far end is that is known, by name
 * @param secondsLeft until the level that was asked for is reached, at the rate of the last seconds; null if that cannot be said
 * @param waits whether it stands still
 * @param because what holds it back or limits it, as a phrase; empty if nothing is known to
 */
record SendProgress(
        long totalBytes,
        Leg brokered,
        long objects,
        long objectsDone,
        List<FarEndLeg> farEnds,
        @Nullable Long secondsLeft,
        boolean waits,
        String because) {
    /**
     * One leg.
     *
     * @param bytes that are durable at its end
     * @param bytesPerSecond over the last five seconds
     */
    record Leg(long bytes, long bytesPerSecond) {}

    /**
     * The leg to one far end.
     *
     * @param subscription the far end
     * @param leg bytes that are durable there
     * @param delivered objects that it has published
     * @param away whether its consumer is known not to be connected, and is owed something
     */
    record FarEndLeg(String subscription, Leg leg, long delivered, boolean away) {}
}
