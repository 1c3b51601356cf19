package io.hawser.ops.observe;

import io.hawser.core.model.TransferKey;
import io.hawser.ops.dashboard.LiveRow;
import java.util.List;

/**
 * One transfer in the events of {@code /live}. It has times where {@link TransferStatus} has ages, so that it changes only when something happens.
 *
 * @param key as in {@link TransferStatus}, and so are the others
 * @param beganEpochMillis when its publisher began it; 0 if the key does not tell
 */
record LiveTransfer(
        String key,
        String topic,
        String name,
        String kind,
        long sizeBytes,
        String state,
        long beganEpochMillis,
        List<LiveHop> hops) {
    /** Times jitter by some milliseconds between samples. */
    private static final long IDLE_STEP_MILLIS = 5_000;

    /**
     * A hop.
     *
     * @param advice what an operator can do about {@code reason}; empty if nothing is needed
     * @param idleSinceEpochMillis since when it has made no progress, in steps of 5 s; 0 if it is not idle
     */
    record LiveHop(
            String hop,
            String state,
            long durableBytes,
            long resentBytes,
            String reason,
            String advice,
            long idleSinceEpochMillis) {}

    static LiveTransfer of(TransferStatus status, long nowMillis) {
        return new LiveTransfer(
                status.key(),
                status.object().topic(),
                status.object().name(),
                status.object().kind(),
                status.object().sizeBytes(),
                status.state(),
                began(status.key()),
                status.hops().stream().map(hop -> hop(hop, nowMillis)).toList());
    }

    private static long began(String key) {
        try {
            return TransferKey.parse(key).id().epochMillis();
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private static LiveHop hop(HopStatus hop, long nowMillis) {
        long since = hop.idleMillis() < HopStatus.SHOWN_MILLIS ? 0 : nowMillis - hop.idleMillis();
        return new LiveHop(
                hop.hop(),
                hop.state(),
                hop.bytes().durableBytes(),
                hop.bytes().resentBytes(),
                hop.reason(),
                HopAdvice.of(hop),
                since - Math.floorMod(since, IDLE_STEP_MILLIS));
    }

    /** As a row of the page. The first hop is the incoming one. */
    LiveRow row() {
        long in = hops.isEmpty() ? 0 : hops.get(0).durableBytes();
        long out = hops.stream().skip(1).mapToLong(LiveHop::durableBytes).sum();
        return new LiveRow(key, topic, Json.line(this), in, out);
    }
}
