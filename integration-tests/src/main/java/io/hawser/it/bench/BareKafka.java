package io.hawser.it.bench;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/**
 * Kafka's own producer and consumer and nothing else: the bytes of fragments as records, with the durability, the memory and the
 * settings that the store over Kafka gives them. There are no transactions: what the store has of them is part of what it costs.
 *
 * <p>Thread: one.
 */
final class BareKafka implements BrokerStoreBench.Contestant, AutoCloseable {
    private static final String TOPIC = "bare";
    private static final short COPIES = 3;
    private static final int MESSAGE_BYTES = 2 << 20;
    private static final int FETCH_BYTES = 4 << 20;
    /** A record is one batch, whose memory is kept; the kernel's buffers grow as they have to. As the store's clients have it. */
    private static final int BATCH_BYTES = (1 << 20) + (4 << 10);

    private static final int SYSTEM_BUFFERS = -1;
    private static final Duration POLL = Duration.ofSeconds(10);

    private final int partitions;
    private final byte[] content;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], ByteBuffer> consumer;
    private List<TopicPartition> all = List.of();
    private long records;

    BareKafka(String bootstrap, int partitions, byte[] content) throws InterruptedException {
        this.partitions = partitions;
        this.content = content.clone();
        admin = Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap));
        producer = new KafkaProducer<>(
                Map.ofEntries(
                        Map.entry(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap),
                        Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
                        Map.entry(ProducerConfig.LINGER_MS_CONFIG, 0),
                        Map.entry(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES),
                        Map.entry(ProducerConfig.SEND_BUFFER_CONFIG, SYSTEM_BUFFERS),
                        Map.entry(ProducerConfig.RECEIVE_BUFFER_CONFIG, SYSTEM_BUFFERS),
                        Map.entry(ProducerConfig.BUFFER_MEMORY_CONFIG, 32 << 20),
                        Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MESSAGE_BYTES)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        consumer = new KafkaConsumer<>(
                Map.ofEntries(
                        Map.entry(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap),
                        Map.entry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false),
                        Map.entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"),
                        Map.entry(ConsumerConfig.CHECK_CRCS_CONFIG, false),
                        Map.entry(ConsumerConfig.SEND_BUFFER_CONFIG, SYSTEM_BUFFERS),
                        Map.entry(ConsumerConfig.RECEIVE_BUFFER_CONFIG, SYSTEM_BUFFERS),
                        Map.entry(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES),
                        Map.entry(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES)),
                new ByteArrayDeserializer(),
                new ByteBufferDeserializer());
        make();
    }

    private void make() throws InterruptedException {
        try {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(partitions), Optional.of(COPIES))
                            .configs(Map.of(
                                    "min.insync.replicas",
                                    "2",
                                    "max.message.bytes",
                                    Integer.toString(MESSAGE_BYTES),
                                    "segment.bytes",
                                    Integer.toString(128 << 20)))))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not make a topic", e);
        }
        all = IntStream.range(0, partitions)
                .mapToObj(i -> new TopicPartition(TOPIC, i))
                .toList();
    }

    /** Sends each fragment as a record, by turns to all partitions. */
    @Override
    public void write(int transfers, int fragments) throws InterruptedException {
        records = (long) transfers * fragments;
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (long i = 0; i < records; i++) {
            sent.add(producer.send(new ProducerRecord<>(TOPIC, (int) (i % partitions), null, content)));
        }
        for (Future<RecordMetadata> each : sent) {
            try {
                RecordMetadata unused = each.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("Kafka did not take a record", e);
            }
        }
    }

    /** From where all partitions begin. */
    @Override
    public void read() {
        CRC32C crc = new CRC32C();
        crc.update(content);
        long expected = crc.getValue();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        long seen = 0;
        while (seen < records) {
            long before = seen;
            for (ConsumerRecord<byte[], ByteBuffer> record : consumer.poll(POLL)) {
                crc.reset();
                crc.update(record.value());
                if (crc.getValue() != expected) {
                    throw new IllegalStateException("Kafka gave other bytes than it was given");
                }
                seen++;
            }
            if (before == seen) {
                throw new IllegalStateException("Kafka gave " + seen + " records of " + records);
            }
        }
    }

    @Override
    public void forget() throws InterruptedException {
        Map<TopicPartition, RecordsToDelete> cuts = new HashMap<>();
        consumer.endOffsets(all).forEach((each, end) -> cuts.put(each, RecordsToDelete.beforeOffset(end)));
        try {
            admin.deleteRecords(cuts).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not delete records", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        consumer.close();
        admin.close(Duration.ZERO);
    }
}
