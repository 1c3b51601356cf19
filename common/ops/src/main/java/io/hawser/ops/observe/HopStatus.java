package io.hawser.ops.observe;

import java.util.Objects;

/**
 * One transfer on one hop.
 *
 * @param hop {@code publisher->broker}, {@code broker->SUBSCRIPTION}, or {@code client->agent-a}; of a group with the member behind it, {@code
 *     broker->SUBSCRIPTION/MEMBER}
 * @param state {@code waiting} (no session), {@code sending}, {@code refused} (for now), {@code committed} (durable at the
 *     receiving end), {@code delivered}, {@code failed} or {@code expired}
 * @param durableBytes payload that the receiving end has acked as durable
 * @param sentBytes payload that this node has sent on the hop since it started, or received where it is the receiving
 *     end; first sendings and repeats
 * @param resentBytes of these, payload of fragments that had been sent before, as far as this node knows
 * @param creditBytes the hop's credit: the most that can be in flight, and so the most that one crash can make resent
 * @param reason what holds the transfer back here, as a phrase; empty if nothing does. One that has not come forward for {@link
 *     #SHOWN_MILLIS} always has a reason, if only what it waits for
 * @param idleMillis its progress clock: since it last came forward on this hop, as far as this life of the node knows; 0 where
 *     nothing more is to happen
 * @param resentAckedBytes of the bytes sent again, payload of fragments that the receiving end had acked before, in this life of the
 *     node: what that end has lost since; 0 unless it did, and where this node is the receiving end
 *
 * <p>Thread: immutable.
 */
public record HopStatus(
        String hop,
        String state,
        long durableBytes,
        long sentBytes,
        long resentBytes,
        long creditBytes,
        String reason,
        long idleMillis,
        long resentAckedBytes) {
    /** What has not come forward for so long says why. */
    public static final long SHOWN_MILLIS = 2_000;

    public HopStatus {
        reason = Objects.requireNonNullElse(reason, ""); // a page of an older node has none
    }

    /** One that nothing holds back. */
    public HopStatus(String hop, String state, long durableBytes, long sentBytes, long resentBytes, long creditBytes) {
        this(hop, state, durableBytes, sentBytes, resentBytes, creditBytes, "", 0, 0);
    }

    /** The same with its progress clock. {@code awaited} becomes the reason if there is none and the clock has run for long. */
    public HopStatus idle(long millis, String awaited) {
        String why = reason.isEmpty() && millis >= SHOWN_MILLIS ? awaited : reason;
        return new HopStatus(
                hop,
                state,
                durableBytes,
                sentBytes,
                resentBytes,
                creditBytes,
                why,
                Math.max(0, millis),
                resentAckedBytes);
    }

    /** The same with what was sent again although it had been acked. */
    public HopStatus resentAcked(long bytes) {
        return new HopStatus(hop, state, durableBytes, sentBytes, resentBytes, creditBytes, reason, idleMillis, bytes);
    }

    /** One of which nothing was sent again that had been acked. */
    public HopStatus(
            String hop,
            String state,
            long durableBytes,
            long sentBytes,
            long resentBytes,
            long creditBytes,
            String reason,
            long idleMillis) {
        this(hop, state, durableBytes, sentBytes, resentBytes, creditBytes, reason, idleMillis, 0);
    }

    /** One that something holds back, without a clock. */
    public HopStatus(
            String hop,
            String state,
            long durableBytes,
            long sentBytes,
            long resentBytes,
            long creditBytes,
            String reason) {
        this(hop, state, durableBytes, sentBytes, resentBytes, creditBytes, reason, 0, 0);
    }

    /** An upload into agent-a's spool, on agent-a's page only; durable means spooled. */
    public static final String CLIENT_TO_AGENT = "client->agent-a";

    /** The hop from a publisher to the broker; on the broker's page and on agent-a's. */
    public static final String PUBLISHER_TO_BROKER = "publisher->broker";

    /** The hop from the broker to a subscription. */
    public static String toSubscription(String subscription) {
        return "broker->" + subscription;
    }
}
