package io.hawser.ops.observe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * One transfer on one hop.
 *
 * @param hop {@code publisher->broker}, {@code broker->SUBSCRIPTION}, {@code client->agent-a}; or, for a group, {@code
 *     broker->SUBSCRIPTION/MEMBER}
 * @param state {@code waiting} (no session), {@code sending}, {@code refused} (for now), {@code committed} (durable at the
 *     receiving end), {@code delivered}, {@code failed} or {@code expired}
 * @param bytes how much of it is where; in the JSON a part of the hop itself
 * @param reason what holds the transfer back here, as a phrase; empty if nothing does. A transfer without progress for {@link #SHOWN_MILLIS}
 *     always has one, if only what it waits for
 * @param idleMillis time since its last progress on this hop, as far as this run of the node knows; 0 where nothing more is to happen
 */
public record HopStatus(
        String hop, String state, @JsonUnwrapped Bytes bytes, String reason, long idleMillis) {
    /** A transfer without progress for so long shows a reason. */
    public static final long SHOWN_MILLIS = 2_000;

    /** An upload into agent-a's spool, on agent-a's page only; durable means spooled. */
    public static final String CLIENT_TO_AGENT = "client->agent-a";

    /** The hop from a publisher to the broker; on the broker's page and on agent-a's. */
    public static final String PUBLISHER_TO_BROKER = "publisher->broker";

    /**
     * Bytes of a transfer on a hop.
     *
     * @param durableBytes payload that the receiving end has acked as durable
     * @param sentBytes payload that this node has sent on the hop since it started, or received where it is the receiving end; with repeats
     * @param resentBytes of these, payload of fragments that had been sent before, as far as this node knows
     * @param creditBytes the hop's credit: the most that can be in flight, and so the most that one crash can make resent
     * @param resentAckedBytes of the bytes sent again, payload of fragments that the receiving end had acked before, in this run of the
     *     node: what that end has lost since. 0 where this node is the receiving end
     */
    public record Bytes(long durableBytes, long sentBytes, long resentBytes, long creditBytes, long resentAckedBytes) {}

    public HopStatus {
        bytes = Objects.requireNonNullElse(bytes, new Bytes(0, 0, 0, 0, 0));
        reason = Objects.requireNonNullElse(reason, ""); // a page of an older node has none
    }

    /** Without a clock. */
    public HopStatus(String hop, String state, Bytes bytes, String reason) {
        this(hop, state, bytes, reason, 0);
    }

    /** The hop from the broker to a subscription. */
    public static String toSubscription(String subscription) {
        return "broker->" + subscription;
    }

    /** The same with its clock. {@code awaited} becomes the reason if there is none and the clock has run for {@link #SHOWN_MILLIS}. */
    public HopStatus idle(long millis, String awaited) {
        String why = reason.isEmpty() && millis >= SHOWN_MILLIS ? awaited : reason;
        return new HopStatus(hop, state, bytes, why, Math.max(0, millis));
    }
}
