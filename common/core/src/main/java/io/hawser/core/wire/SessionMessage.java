package io.hawser.core.wire;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.Serving;
import java.util.Map;

/**
 * A control message and the number of its hop. Hop 0 goes from the dialler to the acceptor; the others are subscriptions, numbered
 * by the dialler, and go the other way.
 */
public sealed interface SessionMessage {
    /** The hop within the session, 0 to 65535. */
    int hop();

    /** A message of the hop protocol. */
    record OfHop(int hop, HopMessage message) implements SessionMessage {}

    /**
     * The dialler asks for a subscription, whose transfers come on this hop.
     *
     * @param terms as {@link io.hawser.core.model.SubscriptionTerms} has them; the acceptor says whether it knows them
     */
    record Subscribe(
            int hop,
            String name,
            Topic topic,
            StartAt startAt,
            AckLevel ackLevel,
            Serving serving,
            Map<String, String> terms)
            implements SessionMessage {
        public Subscribe {
            terms = Map.copyOf(terms);
        }

        /** Without terms. */
        public Subscribe(int hop, String name, Topic topic, StartAt startAt, AckLevel ackLevel, Serving serving) {
            this(hop, name, topic, startAt, ackLevel, serving, Map.of());
        }
    }

    /** The acceptor: the subscription is durable and connected. */
    record Subscribed(int hop) implements SessionMessage {}

    /** The dialler takes no more on this hop; the subscription stays. */
    record Leave(int hop) implements SessionMessage {}

    /**
     * The dialler takes no more on this hop, and nobody will: its subscription to the topic of its own replies ends with all that it is
     * owed. Any other subscription stays.
     */
    record Unsubscribe(int hop) implements SessionMessage {}

    /** The acceptor: there is no such subscription for this node, and why. */
    record NotSubscribed(int hop, Refusal refusal) implements SessionMessage {}

    /**
     * The acceptor: the subscription is connected, but questions about the topic's files do not go to this dialler, and why. Only to one that
     * said that it answers them.
     */
    record NotServing(int hop, Refusal refusal) implements SessionMessage {}

    /** A message about a call: a question and its answer, which belong to no hop. The number is chosen by who asks. */
    sealed interface OfCall extends SessionMessage {
        /** The call's number, ascending within the session. */
        long call();

        @Override
        default int hop() {
            return 0;
        }
    }

    /** A question about the files behind a topic. */
    record Ask(long call, Topic topic, Question question) implements OfCall {}

    /** The answer to a question, where it is short; others travel as packets. */
    record Answered(long call, Answer answer) implements OfCall {}

    /** A question is not answered, and why. */
    record CallRefused(long call, Refusal refusal) implements OfCall {}

    /** The answer is no longer wanted. */
    record CancelCall(long call) implements OfCall {}
}
