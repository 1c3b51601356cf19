package io.hawser.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What Kafka's producer is told for events: all in-sync replicas confirm, and what it sends again is written once and in order. It is
 * content with little memory, since every node may have one. The operator's properties take precedence, except where that depends on a value.
 *
 * <p>Thread: any.
 */
final class EventProducer {
    /** After that an event has failed for now. */
    private static final int DELIVERY_MILLIS = 30_000;

    private static final int REQUEST_MILLIS = 10_000;
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int BATCH_BYTES = 64 << 10;
    private static final int REQUEST_BYTES = 512 << 10;
    private static final int MAX_BACKOFF_MILLIS = 5_000;

    private EventProducer() {}

    static Map<String, Object> properties(String bootstrap, Map<String, String> more) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, "hawser-events");
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_MILLIS);
        properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, MAX_BACKOFF_MILLIS);
        properties.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, MAX_BACKOFF_MILLIS);
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES);
        properties.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
        properties.put("enable.metrics.push", false);
        properties.putAll(more);
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG); // it sends outside of transactions
        return properties;
    }

    /** Throws Kafka's ConfigException if a property has a value that it does not take. Connects to nothing. */
    static void check(Map<String, Object> properties) {
        new ProducerConfig(properties);
    }

    static KafkaProducer<byte[], byte[]> open(Map<String, Object> properties) {
        return new KafkaProducer<>(properties);
    }
}
