package io.hawser.broker.kafka;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads at their places. A client that has fetched a place already, or fetches it next, is taken first, and waited for if it
 * is reading what lies just before: nothing crosses the network twice because two ask for neighbours. While its last records are being
 * used, a client fetches on.
 *
 * <p>Thread: any; blocks.
 */
final class PayloadReader implements AutoCloseable {
    /** As many as there are partitions of payloads unless told otherwise: transfers that are read by turns find each its own. */
    private static final int MAX_CLIENTS = KafkaStoreConfig.DEFAULT_PARTITIONS;
    /** Parts of one payload lie no further apart. */
    private static final int MAX_SPAN = 4_096;
    /** A read this close after another's offset waits for that one's client. */
    private static final int NEAR = 4;

    private static final Duration POLL = Duration.ofMillis(500);
    /** As long as a cluster may take to have a leader again. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final KafkaClients clients;
    private final String topic;
    private final Deque<Client> idle = new ArrayDeque<>();
    /** Idle ones and those that are reading; more than the most only while more are reading. */
    private int count;
    /** What is being read, and what waits for one that reads. */
    private final List<Place> reading = new ArrayList<>();

    private final List<Place> waiting = new ArrayList<>();
    private boolean closed;

    PayloadReader(KafkaClients clients, String topic) {
        this.clients = clients;
        this.topic = topic;
    }

    /** Where a payload begins. */
    private record Place(TopicPartition partition, long offset) {
        boolean isJustBehind(Place other) {
            return partition.equals(other.partition) && other.offset < offset && offset - other.offset <= NEAR;
        }
    }

    /** A client of Kafka's and its position. */
    private static final class Client {
        private final KafkaConsumer<byte[], ByteBuffer> consumer;
        /** Unread records of the last fetch, by offset; the next fetch is on its way meanwhile. */
        private final NavigableMap<Long, ConsumerRecord<byte[], ByteBuffer>> fetched = new TreeMap<>();

        private @Nullable TopicPartition partition;
        /** Where the next fetch begins, and how many records it probably brings. */
        private long next;

        private int expected = 1;

        Client(KafkaConsumer<byte[], ByteBuffer> consumer) {
            this.consumer = consumer;
        }

        /** Whether it has fetched that place, or fetches it next. */
        boolean isAt(Place wanted) {
            return wanted.partition.equals(partition)
                    && (fetched.containsKey(wanted.offset)
                            || (next <= wanted.offset && wanted.offset - next < expected));
        }

        void seek(Place wanted) {
            if (isAt(wanted)) {
                return;
            }
            fetched.clear();
            if (!wanted.partition.equals(partition)) {
                consumer.assign(List.of(wanted.partition));
                partition = wanted.partition;
            }
            consumer.seek(wanted.partition, wanted.offset);
            next = wanted.offset;
        }

        /** The first record at {@code offset} or after it. */
        ConsumerRecord<byte[], ByteBuffer> next(long offset) throws StorageException {
            long deadline = System.nanoTime() + SILENCE_NANOS;
            Map.Entry<Long, ConsumerRecord<byte[], ByteBuffer>> found = fetched.ceilingEntry(offset);
            while (found == null && System.nanoTime() < deadline) {
                fetched.clear(); // unwanted records
                poll(offset);
                if (!fetched.isEmpty()) {
                    next = fetched.lastKey() + 1;
                    expected = fetched.size();
                    found = fetched.ceilingEntry(offset);
                }
            }
            if (found == null) {
                throw new RemoteStoreException(
                        "Kafka gave nothing of " + partition + " from offset " + next + " on for two minutes");
            }
            fetched.remove(found.getKey());
            return found.getValue();
        }

        private void poll(long offset) {
            try {
                consumer.poll(POLL).forEach(record -> fetched.put(record.offset(), record));
            } catch (OffsetOutOfRangeException e) {
                if (partition == null || offset <= next) {
                    throw e;
                }
                consumer.seek(partition, offset); // only unneeded records are gone
                next = offset;
            }
        }
    }

    /**
     * Reads a payload to the beginning of {@code into}'s payload area and checks it. Payloads of a broker that was fenced off may lie
     * between its parts.
     */
    PayloadPart read(int partition, long first, FragmentBuffer into) throws StorageException {
        Place wanted = new Place(new TopicPartition(topic, partition), first);
        Client client = take(wanted);
        boolean whole = false;
        try {
            client.seek(wanted);
            PayloadPart head = readParts(client, first, into);
            whole = true;
            return head;
        } catch (OffsetOutOfRangeException e) {
            throw new PathMissingException("offset " + first + " of " + wanted.partition + " is no longer there", e);
        } catch (KafkaException e) {
            throw new RemoteStoreException(
                    "a payload cannot be read from " + wanted.partition + ": " + e.getMessage(), e);
        } finally {
            giveBack(client, wanted, whole);
        }
    }

    private static PayloadPart readParts(Client client, long first, FragmentBuffer into) throws StorageException {
        PayloadPart head = null;
        int done = 0;
        long next = first;
        while (head == null || done < head.parts()) {
            ConsumerRecord<byte[], ByteBuffer> record = client.next(next);
            next = record.offset() + 1;
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
                ByteBuffer bytes = PayloadPart.bytes(record.value());
                into.payload(part.offset(), bytes.remaining()).put(bytes);
                done++;
            }
        }
        if (Crc32c.of(into.payload(0, head.payloadLength())) != head.crc32c()) {
            throw new CorruptRecordException("the payload at offset " + first + " does not agree with its checksum");
        }
        return head;
    }

    private Client take(Place wanted) throws StorageException {
        synchronized (this) {
            Client client = awaitOneAt(wanted);
            reading.add(wanted);
            if (client == null && count >= MAX_CLIENTS && !idle.isEmpty()) {
                client = idle.removeFirst(); // the one that was not used for longest
            }
            if (client != null) {
                return client;
            }
            count++;
        }
        try {
            return new Client(clients.payloadConsumer());
        } catch (KafkaException e) {
            forget(wanted);
            throw new RemoteStoreException("payloads cannot be read: " + e.getMessage(), e);
        }
    }

    /** One that has fetched it or does so next; null if there is none, and no client reads just before it. */
    private synchronized @Nullable Client awaitOneAt(Place wanted) throws StorageException {
        waiting.add(wanted);
        try {
            while (!closed) {
                for (Iterator<Client> each = idle.iterator(); each.hasNext(); ) {
                    Client client = each.next();
                    if (client.isAt(wanted)) {
                        each.remove();
                        return client;
                    }
                }
                if (reading.stream().noneMatch(wanted::isJustBehind)
                        && waiting.stream().noneMatch(wanted::isJustBehind)) {
                    return null;
                }
                wait();
            }
            throw new RemoteStoreException("the store is closed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RemoteStoreException("interrupted while a payload was to be read", e);
        } finally {
            waiting.remove(wanted);
            notifyAll();
        }
    }

    private void giveBack(Client client, Place read, boolean whole) {
        synchronized (this) {
            if (whole && !closed && count <= MAX_CLIENTS) {
                reading.remove(read);
                idle.addLast(client);
                notifyAll();
                return;
            }
        }
        forget(read);
        client.consumer.close();
    }

    private synchronized void forget(Place read) {
        reading.remove(read);
        count--;
        notifyAll();
    }

    @Override
    public void close() {
        List<Client> rest;
        synchronized (this) {
            closed = true;
            rest = List.copyOf(idle);
            idle.clear();
            notifyAll();
        }
        rest.forEach(client -> client.consumer.close());
    }
}
