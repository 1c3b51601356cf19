package io.hawser.brokerkafka;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.storage.CorruptRecordException;
import io.hawser.common.storage.PathMissingException;
import io.hawser.common.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads at their places. A client that has fetched a place already, or has just read what lies before, is taken first: it
 * fetches on while its last records are being used.
 *
 * <p>Thread: any; blocks.
 */
final class PayloadReader implements AutoCloseable {
    /** As many as there are partitions of payloads unless told otherwise: transfers that are read by turns find each its own. */
    private static final int MAX_CLIENTS = KafkaStoreConfig.DEFAULT_PARTITIONS;
    /** Parts of one payload lie no further apart. */
    private static final int MAX_SPAN = 4_096;

    private static final Duration POLL = Duration.ofMillis(500);
    /** As long as a cluster may take to have a leader again. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final KafkaClients clients;
    private final String topic;
    private final Deque<Client> idle = new ArrayDeque<>();
    /** Idle ones and those that are reading; more than the most only while more are reading. */
    private int count;

    private boolean closed;

    PayloadReader(KafkaClients clients, String topic) {
        this.clients = clients;
        this.topic = topic;
    }

    /** A client of Kafka's and where it stands. */
    private static final class Client {
        private final KafkaConsumer<byte[], byte[]> consumer;
        /** What it has fetched and nobody has read; the next fetch is on its way meanwhile. */
        private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();

        private @Nullable TopicPartition partition;
        private long position;

        Client(KafkaConsumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        /** Whether it has fetched that place, or would fetch it next. */
        boolean isAt(TopicPartition wanted, long offset) {
            return wanted.equals(partition)
                    && (position == offset
                            || (!fetched.isEmpty()
                                    && fetched.getFirst().offset() <= offset
                                    && offset <= fetched.getLast().offset()));
        }

        void seek(TopicPartition wanted, long offset) {
            if (isAt(wanted, offset)) {
                while (!fetched.isEmpty() && fetched.getFirst().offset() < offset) {
                    fetched.removeFirst(); // of a transfer that nobody reads just now
                }
                return;
            }
            fetched.clear();
            if (!wanted.equals(partition)) {
                consumer.assign(List.of(wanted));
                partition = wanted;
            }
            consumer.seek(wanted, offset);
            position = offset;
        }

        ConsumerRecord<byte[], byte[]> next() throws StorageException {
            long deadline = System.nanoTime() + SILENCE_NANOS;
            while (fetched.isEmpty() && System.nanoTime() < deadline) {
                consumer.poll(POLL).forEach(fetched::addLast);
            }
            if (fetched.isEmpty()) {
                throw new StorageException(
                        "Kafka gave nothing of " + partition + " from offset " + position + " on for two minutes");
            }
            ConsumerRecord<byte[], byte[]> record = fetched.removeFirst();
            position = record.offset() + 1;
            return record;
        }
    }

    /**
     * Reads a payload to the beginning of {@code into}'s payload area and checks it. Payloads of a broker that was fenced off may lie
     * between its parts.
     */
    PayloadPart read(int partition, long first, FragmentBuffer into) throws StorageException {
        TopicPartition wanted = new TopicPartition(topic, partition);
        Client client = take(wanted, first);
        boolean whole = false;
        try {
            client.seek(wanted, first);
            PayloadPart head = readParts(client, first, into);
            whole = true;
            return head;
        } catch (OffsetOutOfRangeException e) {
            throw new PathMissingException("offset " + first + " of " + wanted + " is no longer there", e);
        } catch (KafkaException e) {
            throw new StorageException("a payload cannot be read from " + wanted + ": " + e.getMessage(), e);
        } finally {
            giveBack(client, whole);
        }
    }

    private static PayloadPart readParts(Client client, long first, FragmentBuffer into) throws StorageException {
        PayloadPart head = null;
        int done = 0;
        while (head == null || done < head.parts()) {
            ConsumerRecord<byte[], byte[]> record = client.next();
            if (record.offset() > first + MAX_SPAN) {
                throw new CorruptRecordException("of the payload at offset " + first + " part " + done
                        + " is missing before offset " + record.offset());
            }
            PayloadPart part = PayloadPart.tryRead(record.value());
            if (head == null) {
                if (part == null || record.offset() != first || part.part() != 0) {
                    throw new CorruptRecordException("at offset " + first + " no payload begins");
                }
                if (part.payloadLength() > into.payloadCapacity()) {
                    throw new CorruptRecordException(
                            "the payload at offset " + first + " has " + part.payloadLength() + " bytes");
                }
                head = part;
            }
            if (part != null && part.isOfSame(head) && part.part() == done) {
                int bytes = record.value().length - PayloadPart.HEADER_BYTES;
                into.payload(part.offset(), bytes).put(record.value(), PayloadPart.HEADER_BYTES, bytes);
                done++;
            }
        }
        CRC32C crc = new CRC32C();
        ByteBuffer payload = into.payload(0, head.payloadLength());
        crc.update(payload);
        if ((int) crc.getValue() != head.crc32c()) {
            throw new CorruptRecordException("the payload at offset " + first + " does not agree with its checksum");
        }
        return head;
    }

    private Client take(TopicPartition wanted, long offset) throws StorageException {
        synchronized (this) {
            if (closed) {
                throw new StorageException("the store is closed");
            }
            for (Iterator<Client> each = idle.iterator(); each.hasNext(); ) {
                Client client = each.next();
                if (client.isAt(wanted, offset)) {
                    each.remove();
                    return client;
                }
            }
            if (count >= MAX_CLIENTS && !idle.isEmpty()) {
                return idle.removeFirst(); // the one that was not used for longest
            }
            count++;
        }
        try {
            return new Client(clients.payloadConsumer());
        } catch (KafkaException e) {
            synchronized (this) {
                count--;
            }
            throw new StorageException("payloads cannot be read: " + e.getMessage(), e);
        }
    }

    private void giveBack(Client client, boolean whole) {
        synchronized (this) {
            if (whole && !closed && count <= MAX_CLIENTS) {
                idle.addLast(client);
                return;
            }
            count--;
        }
        client.consumer.close();
    }

    @Override
    public void close() {
        List<Client> rest;
        synchronized (this) {
            closed = true;
            rest = List.copyOf(idle);
            idle.clear();
        }
        rest.forEach(client -> client.consumer.close());
    }
}
