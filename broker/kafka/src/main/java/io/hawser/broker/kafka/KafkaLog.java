package io.hawser.broker.kafka;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.DetachedPayloadLog;
import io.hawser.store.log.LogDamage;
import io.hawser.store.log.LogDamages;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordVisitor;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log over two topics: the journal, with one partition, whose committed records are the truth in their order; and the payloads,
 * which the journal names. Opening it fences off the broker that had it before.
 *
 * <p>Thread: any.
 */
final class KafkaLog implements DetachedPayloadLog {
    /** Each read waits for a node of Kafka, mostly for another one than the next. */
    static final int READS_AT_ONCE = 4;

    private static final Logger LOG = LoggerFactory.getLogger(KafkaLog.class);
    /** What Kafka adds to a record, at the most. */
    private static final int RECORD_OVERHEAD_BYTES = 512;

    private static final byte[] NO_BODY = {};
    private static final Duration CLOSE = Duration.ofSeconds(6);
    /** A record of the journal with what Kafka adds to it, about. */
    private static final long ABOUT_RECORD_BYTES = 256;

    private final KafkaStoreConfig config;
    private final Admin admin;
    private final KafkaTopics.Facts facts;
    private final JournalReader reader;
    private final PayloadReader payloads;
    private final JournalReader.Ends found;
    private final JournalQueue queue = new JournalQueue();
    private final PayloadWriter payloadWriter;
    private final JournalWriter journalWriter;
    private final AckStallMonitor ackStalls;
    private final Consumer<StorageException> fatal;
    private final LogDamages damages =
            new LogDamages(LOG, "Kafka does not have what it had acknowledged; the records after it are still read");
    private final AtomicBoolean dead = new AtomicBoolean();
    private final Map<Integer, Long> truncated = new HashMap<>();
    private volatile long start;
    private volatile boolean cutting;
    private volatile boolean closed;

    private KafkaLog(
            KafkaStoreConfig config,
            KafkaClients clients,
            Admin admin,
            KafkaTopics.Facts facts,
            KafkaProducer<byte[], byte[]> journalProducer,
            LogObserver observer,
            AckStallMonitor ackStalls,
            Consumer<StorageException> fatal)
            throws StorageException {
        this.config = config;
        this.admin = admin;
        this.facts = facts;
        this.ackStalls = ackStalls;
        this.fatal = fatal;
        this.reader = new JournalReader(clients, config.journalTopic(), config.segmentRecords());
        this.payloads = new PayloadReader(clients, config.payloadTopic());
        this.found = reader.ends();
        this.start = found.start();
        long incarnation = found.lastIncarnation() + 1;
        this.payloadWriter = new PayloadWriter(
                clients.payloadProducer(facts.payloadMessageBytes()),
                config.payloadTopic(),
                facts.payloadPartitions(),
                facts.payloadMessageBytes() - RECORD_OVERHEAD_BYTES - PayloadPart.HEADER_BYTES,
                incarnation,
                queue,
                this::die);
        this.journalWriter = new JournalWriter(
                journalProducer,
                new JournalWriter.Beginning(
                        "hawser-log-writer",
                        config.journalTopic(),
                        facts.journalMessageBytes() - RECORD_OVERHEAD_BYTES - KafkaJournalRecord.HEADER_BYTES,
                        incarnation,
                        config.segmentRecords(),
                        found.lastSequence(),
                        found.lastOffset(),
                        found.end()),
                queue,
                records -> {
                    ackStalls.over(records.size());
                    observer.durable(records);
                },
                this::die);
        LOG.atInfo()
                .addKeyValue("journal", config.journalTopic())
                .addKeyValue("incarnation", incarnation)
                .addKeyValue("lastSequence", found.lastSequence())
                .log("Log in Kafka opened");
    }

    /**
     * Opens the log: from now on no other broker can write to it. Blocks.
     *
     * @param admin closed with the log
     * @param ackStalls told what is given to Kafka, and what it confirms
     * @param fatal told once when it has died
     */
    static KafkaLog open(
            KafkaStoreConfig config,
            KafkaClients clients,
            Admin admin,
            KafkaTopics.Facts facts,
            LogObserver observer,
            AckStallMonitor ackStalls,
            Consumer<StorageException> fatal)
            throws StorageException {
        KafkaProducer<byte[], byte[]> journalProducer = clients.journalProducer(facts.journalMessageBytes());
        try {
            journalProducer.initTransactions();
            KafkaLog log = new KafkaLog(config, clients, admin, facts, journalProducer, observer, ackStalls, fatal);
            log.payloadWriter.start();
            log.journalWriter.start();
            return log;
        } catch (KafkaException e) {
            journalProducer.close(Duration.ZERO);
            throw new RemoteStoreException("the store in Kafka cannot be taken: " + e.getMessage(), e);
        } catch (StorageException e) {
            journalProducer.close(Duration.ZERO);
            throw e;
        }
    }

    @Override
    public void append(int kind, @Nullable TransferKey key, long index, byte[] body, AppendCallback done) {
        enqueue(new PendingRecord(kind, key, index, body, null, null, done));
    }

    @Override
    public void append(int kind, Fragment fragment, byte[] body, AppendCallback done) {
        if (fragment.length() == 0) {
            append(kind, fragment.key(), fragment.index(), body, done);
            return;
        }
        fragment.buffer().retain();
        PendingRecord pending = new PendingRecord(kind, fragment.key(), fragment.index(), body, fragment, null, done);
        if (!enqueue(pending)) {
            fragment.buffer().release();
        }
    }

    @Override
    public void appendAgain(
            int kind,
            TransferKey key,
            long index,
            LogPosition place,
            long placeLength,
            int payloadLength,
            byte[] body,
            AppendCallback done) {
        KafkaJournalRecord.PayloadPlace payload = new KafkaJournalRecord.PayloadPlace(
                DetachedPayloadLog.areaOf(place.offset()),
                DetachedPayloadLog.numberOf(place.offset()),
                (int) placeLength,
                payloadLength);
        enqueue(new PendingRecord(kind, key, index, body, null, payload, done));
    }

    private boolean enqueue(PendingRecord record) {
        ackStalls.given();
        StorageException refused = queue.put(record, payloadWriter::put);
        if (refused != null) {
            ackStalls.over(1);
            record.done.failed(refused);
        }
        return refused == null;
    }

    /** Nothing can be written any more. */
    private void die(StorageException reason) {
        if (dead.getAndSet(true)) {
            return;
        }
        if (!closed) {
            fatal.accept(reason);
        }
        queue.drain(reason).forEach(record -> record.done.failed(reason));
    }

    @Override
    public LogRecord read(LogPosition position, int expectedPayloadLength, FragmentBuffer into)
            throws StorageException {
        long first = DetachedPayloadLog.numberOf(position.offset());
        PayloadPart part = payloads.read(DetachedPayloadLog.areaOf(position.offset()), first, into);
        return new LogRecord(
                1,
                0,
                part.incarnation(),
                position,
                0,
                part.key(),
                part.index(),
                part.leaf(),
                NO_BODY,
                part.payloadLength(),
                part.crc32c(),
                position,
                0);
    }

    @Override
    public void replay(LogPosition from, RecordVisitor visitor) throws StorageException {
        long end = journalWriter.end().offset();
        Continuity continuity = new Continuity();
        reader.replay(from.offset(), end, record -> {
            continuity.see(record);
            visitor.record(record);
        });
    }

    /** Whether records follow each other without a gap: Kafka has lost some otherwise. */
    private final class Continuity {
        private long last;

        void see(LogRecord record) {
            if (last > 0 && record.sequence() > last + 1) {
                damages.add(new LogDamage(record.position(), 0, last + 1, record.sequence() - 1));
            }
            last = record.sequence();
        }
    }

    @Override
    public LogDamages damages() {
        return damages;
    }

    @Override
    public String id() {
        return facts.journalId();
    }

    @Override
    public LogPosition end() {
        return journalWriter.end();
    }

    @Override
    public long foundSequence() {
        return found.lastSequence();
    }

    /** As far as records go: a segment in which there is nothing but the mark of a transaction's end does not count. */
    @Override
    public List<SegmentInfo> segments() {
        long last = JournalReader.segmentOf(journalWriter.lastOffset(), config.segmentRecords());
        List<SegmentInfo> segments = new ArrayList<>();
        for (long number = JournalReader.segmentOf(start, config.segmentRecords()); number <= last; number++) {
            long bytes = config.segmentRecords() * ABOUT_RECORD_BYTES;
            segments.add(new SegmentInfo(number, found.firstSequence(), bytes, number < last));
        }
        return segments;
    }

    @Override
    public long segmentRecords() {
        return config.segmentRecords();
    }

    @Override
    public long sizeBytes() {
        return (journalWriter.end().offset() - start) * ABOUT_RECORD_BYTES;
    }

    @Override
    public long spareBytes() {
        return 0;
    }

    @Override
    public void deleteSegment(long number) {
        long before = number * config.segmentRecords();
        if (cutting || before > journalWriter.lastOffset()) {
            return;
        }
        cutting = true;
        TopicPartition partition = new TopicPartition(config.journalTopic(), 0);
        var unused = admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before)))
                .all()
                .whenComplete((nothing, problem) -> {
                    if (problem == null) {
                        start = Math.max(start, before);
                    } else {
                        notCut(partition, problem);
                    }
                    cutting = false;
                });
    }

    private static void notCut(Object what, Throwable problem) {
        LOG.atWarn()
                .addKeyValue("what", what)
                .addKeyValue("reason", problem.getMessage())
                .log("What is not needed any more could not be deleted now; it is tried again");
    }

    @Override
    public Filled filled() {
        return journalWriter.filled();
    }

    @Override
    public void truncate(Map<Integer, Long> firstNeeded) {
        Map<TopicPartition, RecordsToDelete> cuts = new HashMap<>();
        firstNeeded.forEach((area, first) -> {
            if (first > truncated.getOrDefault(area, 0L)) {
                cuts.put(new TopicPartition(config.payloadTopic(), area), RecordsToDelete.beforeOffset(first));
            }
        });
        if (cuts.isEmpty()) {
            return;
        }
        var unused = admin.deleteRecords(cuts).all().whenComplete((nothing, problem) -> {
            if (problem != null) {
                notCut(cuts.keySet(), problem);
            }
        });
        truncated.putAll(firstNeeded);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        StorageException reason = new RemoteStoreException("the log in Kafka is closed");
        queue.close(reason);
        boolean interrupted = false;
        try {
            if (!journalWriter.awaitEnd(CLOSE)) {
                LOG.atWarn().log("Kafka did not take in time what was under way; it was not acknowledged to anyone");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        closed = true;
        die(reason);
        payloadWriter.close();
        journalWriter.close();
        payloads.close();
        admin.close(Duration.ofSeconds(1));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
