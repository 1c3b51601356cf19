package io.hawser.kafka;

import io.hawser.core.config.HostPort;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Says why events do not reach a topic of Kafka, in a sentence for {@code /health}.
 *
 * <p>Thread: any; blocks.
 *
 * @param bootstrap where the cluster is found
 * @param topic the topic of events
 * @param probe looks whether a node answers
 */
record EventTopicProblems(String bootstrap, String topic, KafkaNodeProbe probe) {
    private static final String PROPERTIES = "--events-kafka-properties";

    /** Why no node of the cluster answers; empty if one does. */
    String unreachable() {
        List<String> problems = new ArrayList<>();
        for (String address : bootstrap.split(",", -1)) {
            try {
                String problem = probe.problemAt(HostPort.parse(address));
                if (problem.isEmpty()) {
                    return "";
                }
                problems.add(address + " (" + problem + ")");
            } catch (KafkaNodeProbe.WantsTlsException e) {
                return e.getMessage() + ": " + PROPERTIES + " has to say security.protocol=SSL or SASL_SSL";
            }
        }
        return "Kafka cannot be reached at " + String.join(", ", problems);
    }

    /** Why the topic does not take an event. */
    String sentence(Throwable cause) {
        String said = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (cause instanceof UnknownTopicOrPartitionException
                || cause.getCause() instanceof UnknownTopicOrPartitionException
                || cause instanceof InvalidTopicException) {
            return "Kafka at " + bootstrap + " has no topic " + topic + ": make it, or correct --events-kafka";
        }
        if (cause instanceof AuthenticationException) {
            return "Kafka at " + bootstrap + " does not let this node in with what " + PROPERTIES + " says (" + said
                    + ")";
        }
        if (cause instanceof AuthorizationException) {
            return "Kafka at " + bootstrap + " does not permit this node to write to topic " + topic + " (" + said
                    + ")";
        }
        if (cause instanceof RecordTooLargeException) {
            return "topic " + topic + " refuses an event, which is too large: set its max.message.bytes to 1 MiB";
        }
        String unreachable = cause instanceof RetriableException ? unreachable() : "";
        return unreachable.isEmpty() ? "topic " + topic + " at " + bootstrap + ": " + said : unreachable;
    }
}
