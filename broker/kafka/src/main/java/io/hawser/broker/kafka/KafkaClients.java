package io.hawser.broker.kafka;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/**
 * Creates Kafka's clients, one for each purpose. The operator's properties take precedence, except where the store's guarantees
 * depend on a value.
 *
 * <p>Thread: immutable.
 */
record KafkaClients(KafkaStoreConfig config) {
    private static final int DELIVERY_MILLIS = 180_000;
    private static final int REQUEST_MILLIS = 10_000;
    private static final int PAYLOAD_BUFFER_BYTES = 32 << 20;
    /** A fragment of the usual size with what is around it: Kafka's client keeps memory of that size, and makes and drops any other. */
    private static final int PAYLOAD_BATCH_BYTES = (1 << 20) + (4 << 10);

    private static final int JOURNAL_BATCH_BYTES = 128 << 10;
    private static final int EVENTS_BUFFER_BYTES = 8 << 20;
    private static final int SYSTEM_BUFFERS = -1;
    private static final int FETCH_BYTES = 4 << 20;
    /**
     * Two fragments of the usual size with what is around them: of one more than fits, a part would come for nothing. The JDK reads so
     * much through direct memory of each thread that asks.
     */
    private static final int PAYLOAD_FETCH_BYTES = (2 << 20) + (64 << 10);

    private static final int FETCH_WAIT_MILLIS = 20;
    /** The shortest that Kafka's brokers take unless told otherwise. */
    private static final int SESSION_MILLIS = 6_000;

    /** A broker that stands by learns with its next heartbeat that the one that served is gone. */
    private static final int HEARTBEAT_MILLIS = 500;

    private Map<String, Object> base(String purpose) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        properties.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        properties.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, 500);
        properties.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 30_000);
        properties.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
        properties.put("enable.metrics.push", false);
        // The kernel's own buffers grow with what is on its way; Kafka's usual 64 and 128 KiB would be all of that.
        properties.put(CommonClientConfigs.RECEIVE_BUFFER_CONFIG, SYSTEM_BUFFERS);
        properties.put(CommonClientConfigs.SEND_BUFFER_CONFIG, SYSTEM_BUFFERS);
        properties.putAll(config.properties());
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrap());
        properties.put(CommonClientConfigs.CLIENT_ID_CONFIG, config.name() + "-" + purpose);
        return properties;
    }

    Admin admin() {
        return Admin.create(base("admin"));
    }

    private Map<String, Object> producer(String purpose, int maxRequestBytes) {
        Map<String, Object> properties = base(purpose);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, DELIVERY_MILLIS);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRequestBytes);
        return properties;
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> properties) {
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Writes payloads: this client fences no other, since a payload that no record names does not count. */
    KafkaProducer<byte[], byte[]> payloadProducer(int maxRequestBytes) {
        Map<String, Object> properties = producer("payload", maxRequestBytes);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, PAYLOAD_BATCH_BYTES);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, PAYLOAD_BUFFER_BYTES);
        return producer(properties);
    }

    /** Writes the journal: only the client that initialised its transactions last can. */
    KafkaProducer<byte[], byte[]> journalProducer(int maxRequestBytes) {
        return producer(transactional("journal", maxRequestBytes, config.transactionalId()));
    }

    /** Writes the events, as {@link #journalProducer} the journal. */
    KafkaProducer<byte[], byte[]> eventsProducer(int maxRequestBytes) {
        Map<String, Object> properties = transactional("events", maxRequestBytes, config.eventsTransactionalId());
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, EVENTS_BUFFER_BYTES);
        return producer(properties);
    }

    private Map<String, Object> transactional(String purpose, int maxRequestBytes, String id) {
        Map<String, Object> properties = producer(purpose, maxRequestBytes);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, JOURNAL_BATCH_BYTES);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        return properties;
    }

    private Map<String, Object> consumer(String purpose) {
        Map<String, Object> properties = base(purpose);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
        // What is read is there already; a fetch that waits for more only makes closing slow.
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        return properties;
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> properties) {
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Reads what has been committed of the journal. */
    KafkaConsumer<byte[], byte[]> journalConsumer() {
        Map<String, Object> properties = consumer("journal-reader");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return consumer(properties);
    }

    /** Reads payloads, where they were fetched to: they are copied once, and checked by Hawser's own checksum afterwards. */
    KafkaConsumer<byte[], ByteBuffer> payloadConsumer() {
        Map<String, Object> properties = consumer("payload-reader");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, PAYLOAD_FETCH_BYTES);
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PAYLOAD_FETCH_BYTES);
        properties.put(ConsumerConfig.CHECK_CRCS_CONFIG, false);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteBufferDeserializer());
    }

    /** Is a member of the brokers' group, of which one at a time has the journal's only partition. */
    KafkaConsumer<byte[], byte[]> memberConsumer() {
        Map<String, Object> properties = consumer("member");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupId());
        properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, config.member());
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        return consumer(properties);
    }
}
