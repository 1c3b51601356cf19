package io.hawser.broker.kafka;

import io.hawser.broker.store.local.LocalStoreConfig;
import java.util.Map;

/**
 * The configuration of the Kafka store.
 *
 * @param bootstrap where the cluster is found: {@code HOST:PORT}, with commas
 * @param properties further settings of Kafka's clients, such as SASL and TLS
 * @param name what its topics, its group and its transactions are called after; brokers of one name share one store
 * @param partitions how many partitions the topic of payloads gets when it is made
 * @param development whether one node and one copy are enough
 * @param segmentRecords how many records of the journal are let go of at once
 * @param limits how much is kept, and how long transfers are known that are over
 * @param member what Kafka calls this run of the broker in the group of brokers; another one for each
 */
public record KafkaStoreConfig(
        String bootstrap,
        Map<String, String> properties,
        String name,
        int partitions,
        boolean development,
        long segmentRecords,
        LocalStoreConfig limits,
        String member) {
    public static final String DEFAULT_NAME = "hawser";
    public static final int DEFAULT_PARTITIONS = 6;
    public static final long DEFAULT_SEGMENT_RECORDS = 50_000;

    /** The defaults. */
    public static KafkaStoreConfig of(String bootstrap) {
        return new KafkaStoreConfig(
                bootstrap,
                Map.of(),
                DEFAULT_NAME,
                DEFAULT_PARTITIONS,
                false,
                DEFAULT_SEGMENT_RECORDS,
                LocalStoreConfig.defaults(),
                GroupInstanceId.unreachable());
    }

    /** The same under another name. */
    public KafkaStoreConfig withName(String other) {
        return new KafkaStoreConfig(
                bootstrap, properties, other, partitions, development, segmentRecords, limits, member);
    }

    /** The same where one node and one copy are enough, or not. */
    public KafkaStoreConfig withDevelopment(boolean value) {
        return new KafkaStoreConfig(bootstrap, properties, name, partitions, value, segmentRecords, limits, member);
    }

    /** The same for another run of a broker. */
    KafkaStoreConfig withMember(String other) {
        return new KafkaStoreConfig(
                bootstrap, properties, name, partitions, development, segmentRecords, limits, other);
    }

    String journalTopic() {
        return name + "-journal";
    }

    String payloadTopic() {
        return name + "-payload";
    }

    String eventsTopic() {
        return name + "-events";
    }

    String groupId() {
        return name + "-brokers";
    }

    String transactionalId() {
        return name + "-broker";
    }

    String eventsTransactionalId() {
        return name + "-events";
    }

    /** Keeps how far a receiver of events has come. */
    String receiverGroupId(String receiver) {
        return name + "-events-to-" + receiver;
    }
}
