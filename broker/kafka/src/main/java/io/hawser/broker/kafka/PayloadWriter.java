package io.hawser.broker.kafka;

import io.hawser.core.hop.Fragment;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes payloads to their transfers' partitions, in as many parts as Kafka's record limit requires. Many are in flight at once; the
 * journal waits for each.
 *
 * <p>Thread: any puts; {@code hawser-payload-writer} hands them to Kafka's client, which may make it wait.
 */
final class PayloadWriter {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final PayloadPartitions partitions;
    private final int maxPartBytes;
    private final long incarnation;
    private final JournalQueue journal;
    private final Consumer<StorageException> failed;
    private final BlockingQueue<PendingRecord> queue = new LinkedBlockingQueue<>(); // bounded by the fragments' pool
    private final Thread thread;
    private byte[] last = {};
    private volatile boolean stopped;

    PayloadWriter(
            KafkaProducer<byte[], byte[]> producer,
            String topic,
            int partitions,
            int maxPartBytes,
            long incarnation,
            JournalQueue journal,
            Consumer<StorageException> failed) {
        this.producer = producer;
        this.topic = topic;
        this.partitions = new PayloadPartitions(partitions);
        this.maxPartBytes = maxPartBytes;
        this.incarnation = incarnation;
        this.journal = journal;
        this.failed = failed;
        this.thread = new Thread(this::run, "hawser-payload-writer");
    }

    void start() {
        thread.start();
    }

    /** Takes it over, with its fragment's buffer. */
    void put(PendingRecord record) {
        queue.add(record);
    }

    private void run() {
        try {
            while (!stopped) {
                write(queue.take());
            }
        } catch (InterruptedException e) {
            stopped = true;
        } catch (RuntimeException | Error e) { // what Kafka's client throws, and what would end the thread unseen
            failed.accept(
                    new RemoteStoreException("a payload cannot be written to " + topic + ": " + e.getMessage(), e));
        } finally {
            releaseAll();
        }
    }

    private void write(PendingRecord record) {
        Fragment fragment = Objects.requireNonNull(record.fragment);
        try {
            int partition = partitions.begin(fragment.key(), fragment.length());
            int parts = PayloadPart.count(fragment.length(), maxPartBytes);
            Placing placing = new Placing(record, partition, fragment.length(), parts);
            for (int part = 0; part < parts; part++) {
                byte[] value = encoded(PayloadPart.encodedLength(fragment.length(), part, parts));
                PayloadPart.encode(fragment, part, parts, incarnation, value);
                var unused = producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, problem) -> {
                    if (problem == null) {
                        placing.written(metadata.offset());
                    } else {
                        failed.accept(new RemoteStoreException(
                                "a payload cannot be written to " + topic + ": " + problem.getMessage(), problem));
                    }
                });
            }
        } finally {
            fragment.buffer().release(); // Kafka's client has copied it
        }
    }

    /** The last one's where the length is the same, as almost always: Kafka's client has copied it. */
    private byte[] encoded(int length) {
        if (last.length != length) {
            last = new byte[length];
        }
        return last;
    }

    /** Where the parts of one payload have come to lie. Thread: Kafka's client's. */
    private final class Placing {
        private final PendingRecord record;
        private final int partition;
        private final int length;
        private int missing;
        private long first = -1;

        Placing(PendingRecord record, int partition, int length, int parts) {
            this.record = record;
            this.partition = partition;
            this.length = length;
            this.missing = parts;
        }

        void written(long offset) {
            first = first < 0 ? offset : first;
            missing--;
            if (missing == 0) {
                partitions.end(partition, length);
                int count = (int) (offset - first + 1);
                journal.placed(record, new KafkaJournalRecord.PayloadPlace(partition, first, count, length));
            }
        }
    }

    private void releaseAll() {
        stopped = true;
        for (PendingRecord rest = queue.poll(); rest != null; rest = queue.poll()) {
            Objects.requireNonNull(rest.fragment).buffer().release();
        }
    }

    /** Ends; what has not been written is not. */
    void close() {
        stopped = true;
        thread.interrupt();
        producer.close(CLOSE);
        UninterruptibleJoin.await(thread);
        releaseAll(); // what came in between
    }
}
