package io.hawser.core.wire;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.ServingMode;
import java.util.Map;

/**
 * A control message and the number of its hop. Hop 0 sends from the dialler to the acceptor; the others are subscriptions, numbered by the
 * dialler, and send in the other direction.
 */
public sealed interface SessionMessage {
    /** The hop within the session, 0 to 65535. */
    int hop();

    record OfHop(int hop, HopMessage message) implements SessionMessage {}

    /**
     * The dialler requests a subscription, whose transfers come on this hop.
     *
     * @param terms as in {@link io.hawser.core.model.SubscriptionTerms}; the acceptor refuses terms that it does not know
     */
    record Subscribe(
            int hop,
            String name,
            Topic topic,
            StartAt startAt,
            AckLevel ackLevel,
            ServingMode serving,
            Map<String, String> terms)
            implements SessionMessage {
        public Subscribe {
            terms = Map.copyOf(terms);
        }

        /** The same without terms. */
        public Subscribe(int hop, String name, Topic topic, StartAt startAt, AckLevel ackLevel, ServingMode serving) {
            this(hop, name, topic, startAt, ackLevel, serving, Map.of());
        }
    }

    /** Acceptor: the subscription is durable and connected. */
    record Subscribed(int hop) implements SessionMessage {}

    /** The dialler receives no more on this hop; the subscription stays. */
    record Leave(int hop) implements SessionMessage {}

    /**
     * The dialler receives no more on this hop, and its subscription to the topic of its own replies ends with all that it is owed. Any other
     * subscription stays.
     */
    record Unsubscribe(int hop) implements SessionMessage {}

    /** Acceptor: refuses the subscription. */
    record NotSubscribed(int hop, Refusal refusal) implements SessionMessage {}

    /**
     * Acceptor: the subscription is connected, but remote calls about the topic's files do not go to this dialler. Sent only to one that
     * offered to answer them.
     */
    record NotServing(int hop, Refusal refusal) implements SessionMessage {}

    /** A message about a remote call, which belongs to no hop. The caller chooses the number. */
    sealed interface OfCall extends SessionMessage {
        /** The call's number, rising within the session. */
        long call();

        @Override
        default int hop() {
            return 0;
        }
    }

    /** A question about the files of a topic. */
    record Ask(long call, Topic topic, Question question) implements OfCall {}

    /** The answer to a question, if it has no payload; others travel as packets. */
    record Answered(long call, Answer answer) implements OfCall {}

    /** Refuses a question. */
    record CallRefused(long call, Refusal refusal) implements OfCall {}

    /** The answer is no longer wanted. */
    record CancelCall(long call) implements OfCall {}
}
