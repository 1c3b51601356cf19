package io.hawser.common.observe;

/**
 * One transfer on one hop.
 *
 * @param hop {@code publisher->broker}, {@code broker->SUBSCRIPTION}, or {@code client->agent-a}
 * @param state {@code waiting} (no session), {@code sending}, {@code committed} (durable at the receiving end) or
 *     {@code delivered}
 * @param durableBytes payload that the receiving end has acked as durable
 * @param sentBytes payload that this node has sent on the hop since it started, or received where it is the receiving
 *     end; first sendings and repeats
 * @param resentBytes of these, payload of fragments that had been sent before, as far as this node knows
 * @param creditBytes the hop's credit: the most that can be in flight, and so the most that one crash can make resent
 *
 * <p>Thread: immutable.
 */
public record HopStatus(
        String hop, String state, long durableBytes, long sentBytes, long resentBytes, long creditBytes) {
    /** An upload into agent-a's spool, on agent-a's page only; durable means spooled. */
    public static final String CLIENT_TO_AGENT = "client->agent-a";

    /** The hop from a publisher to the broker; on the broker's page and on agent-a's. */
    public static final String PUBLISHER_TO_BROKER = "publisher->broker";

    /** The hop from the broker to a subscription. */
    public static String toSubscription(String subscription) {
        return "broker->" + subscription;
    }
}
