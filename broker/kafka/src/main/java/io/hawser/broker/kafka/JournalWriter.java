package io.hawser.broker.kafka;

import io.hawser.core.trace.WorkSpanEvent;
import io.hawser.store.log.DetachedPayloadLog;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the journal: waiting records with their payload in place become one transaction. When that is committed, each node that
 * counts has it and no other broker had begun in between; then the observer is called, and then the appender.
 *
 * <p>Thread: its own, {@code hawser-log-writer} for the store's journal, but for the questions.
 */
final class JournalWriter {
    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);
    private static final int MAX_ATTEMPTS = 5;
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int maxBodyBytes;
    private final long incarnation;
    private final long segmentRecords;
    private final JournalQueue queue;
    private final LogObserver observer;
    private final Consumer<StorageException> failed;
    private final Thread thread;
    private final Map<Integer, Long> filled = new HashMap<>();
    private volatile long sequence;
    private volatile long lastOffset;
    private volatile long end;

    /** How the journal is written, and from where. */
    record Beginning(
            String threadName,
            String topic,
            int maxBodyBytes,
            long incarnation,
            long segmentRecords,
            long sequence,
            long lastOffset,
            long end) {}

    JournalWriter(
            KafkaProducer<byte[], byte[]> producer,
            Beginning beginning,
            JournalQueue queue,
            LogObserver observer,
            Consumer<StorageException> failed) {
        this.producer = producer;
        this.topic = beginning.topic;
        this.maxBodyBytes = beginning.maxBodyBytes;
        this.incarnation = beginning.incarnation;
        this.segmentRecords = beginning.segmentRecords;
        this.sequence = beginning.sequence;
        this.end = beginning.end;
        this.lastOffset = beginning.lastOffset;
        this.queue = queue;
        this.observer = observer;
        this.failed = failed;
        this.thread = new Thread(this::run, beginning.threadName);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            List<PendingRecord> group = queue.take();
            while (!group.isEmpty()) {
                write(group);
                group = queue.take();
            }
        } catch (InterruptedException e) {
            failed.accept(new RemoteStoreException("the journal's writer was interrupted", e));
        } catch (RuntimeException | Error e) { // also what would end the thread unseen
            failed.accept(notWritten(e));
        }
    }

    private void write(List<PendingRecord> group) {
        List<LogRecord> records;
        WorkSpanEvent work = WorkSpanEvent.begun(WorkSpanEvent.JOURNAL);
        try {
            records = commit(group);
        } catch (StorageException e) {
            failed.accept(e);
            group.forEach(record -> record.done.failed(e));
            return;
        } finally {
            work.done();
        }
        LogRecord last = records.get(records.size() - 1);
        synchronized (filled) {
            for (PendingRecord record : group) {
                KafkaJournalRecord.PayloadPlace place = record.place();
                if (record.fragment != null && place != null) {
                    filled.put(place.area(), place.first() + place.count());
                }
            }
            sequence = last.sequence();
        }
        lastOffset = last.position().offset();
        end = lastOffset + last.lengthBytes();
        observer.durable(records);
        for (int i = 0; i < group.size(); i++) {
            LogRecord record = records.get(i);
            group.get(i).done.durable(record.sequence(), record.position());
        }
    }

    private List<LogRecord> commit(List<PendingRecord> group) throws StorageException {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction(group);
            } catch (KafkaException e) {
                if (attempt == MAX_ATTEMPTS || isFinal(e)) {
                    throw notWritten(e);
                }
                LOG.atWarn()
                        .addKeyValue("attempt", attempt)
                        .addKeyValue("reason", e.getMessage())
                        .log("A group of records was not committed and is written again");
                abort();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw notWritten(e);
            }
        }
    }

    private static boolean isFenced(@Nullable Throwable e) {
        return e instanceof ProducerFencedException
                || e instanceof InvalidProducerEpochException
                || (e != null && e.getCause() != e && isFenced(e.getCause()));
    }

    private static boolean isFinal(KafkaException e) {
        return isFenced(e) || e instanceof OutOfOrderSequenceException || e instanceof AuthorizationException;
    }

    private StorageException notWritten(Throwable e) {
        if (isFenced(e)) {
            return new RemoteStoreException("another broker has taken over the store in Kafka; this one ends", e);
        }
        return new RemoteStoreException("the journal " + topic + " cannot be written: " + e.getMessage(), e);
    }

    private void abort() throws StorageException {
        try {
            producer.abortTransaction();
        } catch (KafkaException e) {
            throw notWritten(e);
        }
    }

    private List<LogRecord> transaction(List<PendingRecord> group) throws InterruptedException {
        long next = sequence;
        List<KafkaJournalRecord> records = new ArrayList<>(group.size());
        List<List<Future<RecordMetadata>>> sent = new ArrayList<>(group.size());
        producer.beginTransaction();
        for (PendingRecord pending : group) {
            next++;
            KafkaJournalRecord record = new KafkaJournalRecord(
                    pending.kind, next, incarnation, pending.key, pending.index, pending.place(), pending.body);
            records.add(record);
            List<Future<RecordMetadata>> parts = new ArrayList<>(1);
            for (byte[] part : record.encode(maxBodyBytes)) {
                parts.add(producer.send(new ProducerRecord<>(topic, 0, null, part)));
            }
            sent.add(parts);
        }
        commitTransaction();
        List<LogRecord> durable = new ArrayList<>(group.size());
        for (int i = 0; i < records.size(); i++) {
            List<Future<RecordMetadata>> parts = sent.get(i);
            long first = offset(parts.get(0));
            long last = offset(parts.get(parts.size() - 1));
            durable.add(JournalReader.toLogRecord(records.get(i), first, last - first + 1, segmentRecords));
        }
        return durable;
    }

    /** Whether a transaction was committed that timed out is found out by committing it again. */
    private void commitTransaction() {
        for (int attempt = 1; ; attempt++) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static long offset(Future<RecordMetadata> sent) throws InterruptedException {
        try {
            return sent.get().offset();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a record of a committed transaction has no offset", e);
        }
    }

    /** How far the partitions of payloads are filled by records of this incarnation. */
    DetachedPayloadLog.Filled filled() {
        synchronized (filled) {
            return new DetachedPayloadLog.Filled(sequence, Map.copyOf(filled));
        }
    }

    /** Offset of the last durable record. */
    long lastOffset() {
        return lastOffset;
    }

    /** Where the next record would begin at the earliest. */
    LogPosition end() {
        long offset = end;
        return new LogPosition(JournalReader.segmentOf(offset, segmentRecords), offset);
    }

    /** Whether it ended by itself in that time. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        if (Thread.currentThread() != thread) {
            thread.join(limit.toMillis());
        }
        return !thread.isAlive();
    }

    /** Lets go of Kafka's client; what is under way fails. */
    void close() {
        producer.close(CLOSE);
    }
}
