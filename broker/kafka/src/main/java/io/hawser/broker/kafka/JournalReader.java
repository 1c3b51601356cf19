package io.hawser.broker.kafka;

import io.hawser.store.log.DetachedPayloadLog;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordVisitor;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the committed records of the journal. Each reading has a client of its own.
 *
 * <p>Thread: any; blocks.
 */
final class JournalReader {
    /** Short: passing the mark at the end of the last transaction is no record that would end the waiting. */
    private static final Duration POLL = Duration.ofMillis(20);

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long FIRST_STEP_BACK = 64;
    private static final byte[] NO_LEAF = new byte[32];

    private final KafkaClients clients;
    private final TopicPartition partition;
    private final long segmentRecords;

    JournalReader(KafkaClients clients, String topic, long segmentRecords) {
        this.clients = clients;
        this.partition = new TopicPartition(topic, 0);
        this.segmentRecords = segmentRecords;
    }

    /**
     * What a journal looks like from its ends.
     *
     * @param start the first offset that is still there
     * @param end the offset after the last committed record
     * @param firstSequence number of the first record that is still there, or of the next one if there is none
     * @param lastOffset where the last record ends, {@code start} if there is none
     * @param lastSequence number of the last record, 0 if there never was one
     * @param lastIncarnation incarnation of the last record
     */
    record Ends(long start, long end, long firstSequence, long lastOffset, long lastSequence, long lastIncarnation) {}

    static long segmentOf(long offset, long segmentRecords) {
        return offset / segmentRecords + 1;
    }

    /** Looks at the journal's ends. */
    Ends ends() throws StorageException {
        try (KafkaConsumer<byte[], byte[]> consumer = open()) {
            long start = beginning(consumer);
            long end = end(consumer);
            LogRecord first = null;
            LogRecord last = null;
            for (long step = FIRST_STEP_BACK; last == null && start < end; step *= 16) {
                long from = Math.max(start, end - step);
                last = latest(consumer, from, end, true);
                if (from == start) {
                    break;
                }
            }
            if (last != null) {
                first = latest(consumer, start, end, false);
            }
            return new Ends(
                    start,
                    end,
                    first == null ? 1 : first.sequence(),
                    last == null ? start : last.position().offset() + last.lengthBytes() - 1,
                    last == null ? 0 : last.sequence(),
                    last == null ? 0 : last.epoch());
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    /** The last record from {@code from} on, or the first if the reading shall not {@code goOn}; null if there is none. */
    private @Nullable LogRecord latest(KafkaConsumer<byte[], byte[]> consumer, long from, long end, boolean goOn)
            throws StorageException {
        AtomicReference<LogRecord> found = new AtomicReference<>();
        read(consumer, from, end, record -> {
            found.set(record);
            return goOn;
        });
        return found.get();
    }

    /** Shows the first record at or after each of these offsets, and before {@code end}. */
    void showFirst(List<Long> from, long end, RecordVisitor visitor) throws StorageException {
        try (KafkaConsumer<byte[], byte[]> consumer = open()) {
            long start = beginning(consumer);
            for (long each : from) {
                LogRecord first = latest(consumer, Math.max(each, start), end, false);
                if (first != null) {
                    visitor.record(first);
                }
            }
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    private interface Visitor {
        /** Whether to continue. */
        boolean record(LogRecord record) throws StorageException;
    }

    /** Shows all records from {@code from} on to before {@code end}. */
    void replay(long from, long end, RecordVisitor visitor) throws StorageException {
        try (KafkaConsumer<byte[], byte[]> consumer = open()) {
            read(consumer, Math.max(from, beginning(consumer)), end, record -> {
                visitor.record(record);
                return true;
            });
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    private StorageException failed(KafkaException e) {
        return new RemoteStoreException("the journal " + partition.topic() + " cannot be read: " + e.getMessage(), e);
    }

    private KafkaConsumer<byte[], byte[]> open() {
        KafkaConsumer<byte[], byte[]> consumer = clients.journalConsumer();
        consumer.assign(List.of(partition));
        return consumer;
    }

    private long beginning(KafkaConsumer<byte[], byte[]> consumer) {
        Long offset = consumer.beginningOffsets(List.of(partition)).get(partition);
        return offset == null ? 0 : offset;
    }

    private long end(KafkaConsumer<byte[], byte[]> consumer) {
        Long offset = consumer.endOffsets(List.of(partition)).get(partition);
        return offset == null ? 0 : offset;
    }

    /** Reads from {@code from} on; the rest of a record that began before is skipped. */
    private void read(KafkaConsumer<byte[], byte[]> consumer, long from, long end, Visitor visitor)
            throws StorageException {
        consumer.seek(partition, from);
        List<ConsumerRecord<byte[], byte[]>> parts = new ArrayList<>();
        boolean passing = true;
        long lastNanos = System.nanoTime();
        while (consumer.position(partition) < end) {
            List<ConsumerRecord<byte[], byte[]>> polled;
            long before = consumer.position(partition);
            try {
                polled = consumer.poll(POLL).records(partition);
            } catch (OffsetOutOfRangeException e) {
                throw new RemoteStoreException("the journal was cut while it was read; begin again", e);
            }
            if (consumer.position(partition) > before) {
                lastNanos = System.nanoTime();
            } else if (System.nanoTime() - lastNanos > SILENCE_NANOS) {
                throw new RemoteStoreException("Kafka gave nothing of " + partition.topic() + " after offset " + before
                        + " for two minutes, though it goes to " + end);
            }
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                if (record.offset() >= end) {
                    return;
                }
                KafkaJournalRecord.PartOf part = KafkaJournalRecord.check(record.value(), record.offset());
                passing &= part.part() > 0;
                if (passing) {
                    continue;
                }
                if (part.part() != parts.size()) {
                    throw new CorruptRecordException("at offset " + record.offset() + " of " + partition.topic()
                            + " there is part " + part.part() + " of a record, where part " + parts.size()
                            + " should be");
                }
                parts.add(record);
                if (parts.size() == part.parts()) {
                    LogRecord whole = whole(parts);
                    parts.clear();
                    if (!visitor.record(whole)) {
                        return;
                    }
                }
            }
        }
    }

    private LogRecord whole(List<ConsumerRecord<byte[], byte[]>> parts) throws StorageException {
        KafkaJournalRecord record = KafkaJournalRecord.decode(
                parts.stream().map(ConsumerRecord::value).toList());
        long first = parts.get(0).offset();
        long last = parts.get(parts.size() - 1).offset();
        return toLogRecord(record, first, last - first + 1, segmentRecords);
    }

    /** The record as the fold takes it, which lies at {@code offset} and takes {@code length} offsets. */
    static LogRecord toLogRecord(KafkaJournalRecord record, long offset, long length, long segmentRecords) {
        LogPosition position = new LogPosition(segmentOf(offset, segmentRecords), offset);
        KafkaJournalRecord.PayloadPlace payload = record.payload();
        return new LogRecord(
                record.kind(),
                record.sequence(),
                record.incarnation(),
                position,
                length,
                record.key(),
                record.index(),
                NO_LEAF,
                record.body(),
                payload == null ? 0 : payload.length(),
                0,
                payload == null
                        ? position
                        : new LogPosition(
                                position.segment(), DetachedPayloadLog.place(payload.area(), payload.first())),
                payload == null ? length : payload.count());
    }
}
