package io.hawser.common.wire;

import io.hawser.common.hop.HopMessage;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.AckLevel;
import io.hawser.common.model.StartAt;
import io.hawser.common.model.Topic;

/**
 * A control message with the hop that it belongs to. Hop 0 goes from the dialler to the acceptor; the others are
 * subscriptions, numbered by the dialler, and go the other way.
 */
public sealed interface SessionMessage {
    /** The hop within the session, 0 to 65535. */
    int hop();

    /** A message of the hop protocol. */
    record OfHop(int hop, HopMessage message) implements SessionMessage {}

    /** The dialler asks for a subscription, whose transfers come on this hop. */
    record Subscribe(int hop, String name, Topic topic, StartAt startAt, AckLevel ackLevel) implements SessionMessage {}

    /** The acceptor: the subscription is durable and connected. */
    record Subscribed(int hop) implements SessionMessage {}

    /** The dialler takes no more on this hop; the subscription stays. */
    record Leave(int hop) implements SessionMessage {}

    /** The acceptor: there is no such subscription for this node, and why. */
    record NotSubscribed(int hop, Refusal refusal) implements SessionMessage {}
}
