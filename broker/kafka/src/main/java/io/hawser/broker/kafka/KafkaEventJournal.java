package io.hawser.broker.kafka;

import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.ops.event.EventJournal;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordVisitor;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * The broker's events in a topic of their own, with one partition, so that whichever broker serves has the history. Its records have the form
 * of the journal's. Opening it fences off the broker that had it before: each initialises the transactions of one id.
 *
 * <p>Thread: any; {@code hawser-events-log} writes.
 */
public final class KafkaEventJournal implements EventJournal {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaEventJournal.class);
    /** What is deleted at once. The mark of a transaction's end counts as well. */
    public static final long SEGMENT_RECORDS = 2_000;
    /** What Kafka adds to a record, at the most. */
    private static final int RECORD_OVERHEAD_BYTES = 512;

    /** Of a record, with room to spare: one has 1 MiB at the most, a part 64 KiB at the least. */
    private static final long MAX_PARTS = 64;

    private static final Duration CLOSE = Duration.ofSeconds(6);

    private final TopicPartition partition;
    private final Admin admin;
    private final String id;
    private final JournalReader reader;
    private final JournalQueue queue = new JournalQueue();
    private final JournalWriter writer;
    private final ReceiverPlaces places;
    private final EventOffsets offsets = new EventOffsets();
    private final Consumer<StorageException> fatal;
    private final AtomicBoolean dead = new AtomicBoolean();
    private final Object lock = new Object();
    /** By segment: the bytes of all bodies before its first record. */
    private final TreeMap<Long, Long> bytesBefore = new TreeMap<>();

    private long bytes;
    private volatile long start;
    private volatile boolean closed;

    private KafkaEventJournal(
            KafkaStoreConfig config,
            KafkaClients clients,
            Admin admin,
            KafkaTopics.EventFacts facts,
            KafkaProducer<byte[], byte[]> producer,
            Consumer<StorageException> fatal)
            throws StorageException {
        this.partition = new TopicPartition(config.eventsTopic(), 0);
        this.admin = admin;
        this.id = facts.id();
        this.fatal = fatal;
        this.places = new ReceiverPlaces(admin, config);
        this.reader = new JournalReader(clients, config.eventsTopic(), SEGMENT_RECORDS);
        JournalReader.Ends found = reader.ends();
        this.start = found.start();
        findSize(found);
        this.writer = new JournalWriter(
                producer,
                new JournalWriter.Beginning(
                        "hawser-events-log",
                        config.eventsTopic(),
                        facts.messageBytes() - RECORD_OVERHEAD_BYTES - KafkaJournalRecord.HEADER_BYTES,
                        found.lastIncarnation() + 1,
                        SEGMENT_RECORDS,
                        found.lastSequence(),
                        found.lastOffset(),
                        found.end()),
                queue,
                LogObserver.NONE,
                this::die);
        LOG.atInfo()
                .addKeyValue("topic", config.eventsTopic())
                .addKeyValue("incarnation", found.lastIncarnation() + 1)
                .addKeyValue("lastSequence", found.lastSequence())
                .log("Events in Kafka opened");
    }

    private void findSize(JournalReader.Ends found) throws StorageException {
        RecordVisitor seen = record -> {};
        long from = Math.max(found.start(), found.lastOffset() - MAX_PARTS);
        readable(() -> reader.replay(from, found.end(), record -> show(record, seen)));
    }

    /**
     * Opens it: from now on no other broker can write to it. Blocks.
     *
     * @param fatal told once when it has died
     */
    public static KafkaEventJournal open(KafkaStoreConfig config, Consumer<StorageException> fatal)
            throws StorageException {
        KafkaClients clients = new KafkaClients(config);
        Admin admin = clients.admin();
        KafkaProducer<byte[], byte[]> producer = null;
        try {
            OpeningReporter reporter = new OpeningReporter(StoreOpeningListener.UNSEEN, System::nanoTime);
            KafkaTopics.EventFacts facts = new KafkaTopics(admin, config, reporter).prepareEvents();
            producer = clients.eventsProducer(facts.messageBytes());
            producer.initTransactions();
            KafkaEventJournal journal = new KafkaEventJournal(config, clients, admin, facts, producer, fatal);
            journal.writer.start();
            return journal;
        } catch (KafkaException | StorageException e) {
            if (producer != null) {
                producer.close(Duration.ZERO);
            }
            admin.close(Duration.ZERO);
            throw e instanceof StorageException known
                    ? known
                    : new RemoteStoreException("the events in Kafka cannot be taken: " + e.getMessage(), e);
        }
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void append(long firstSequence, byte[] body, AppendCallback done) {
        StorageException refused;
        synchronized (lock) {
            long before = bytes;
            AppendCallback noted = AppendCallback.of(
                    (sequence, position) -> {
                        note(position.segment(), before);
                        done.durable(sequence, position);
                    },
                    done::failed);
            byte[] whole = EventBody.encode(before, body);
            refused = queue.put(new PendingRecord(KIND, null, firstSequence, whole, null, null, noted), payload -> {});
            bytes += refused == null ? body.length : 0;
        }
        if (refused != null) {
            done.failed(refused);
        }
    }

    private void note(long segment, long before) {
        synchronized (lock) {
            bytesBefore.merge(segment, before, Math::min);
        }
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
    public void showFirst(RecordVisitor visitor) throws StorageException {
        List<Long> from =
                segments().stream().map(segment -> startOf(segment.number())).toList();
        readable(() -> reader.showFirst(from, writer.end().offset(), record -> show(record, visitor)));
    }

    private static long startOf(long segment) {
        return Math.max(0, segment - 1) * SEGMENT_RECORDS;
    }

    @Override
    public void replay(long segment, long sequence, RecordVisitor visitor) throws StorageException {
        long from = Math.max(startOf(segment), offsets.before(sequence));
        LogRecord[] last = new LogRecord[1];
        try {
            readable(() -> reader.replay(from, writer.end().offset(), record -> {
                last[0] = record;
                show(record, visitor);
            }));
        } finally {
            LogRecord reached = last[0];
            if (reached != null) {
                offsets.put(reached.index(), reached.position().offset());
            }
        }
    }

    private interface Reading {
        void run() throws StorageException;
    }

    /** Says what an operator can do if it is damaged. */
    private void readable(Reading reading) throws StorageException {
        try {
            reading.run();
        } catch (CorruptRecordException e) {
            throw new CorruptRecordException(
                    e.getMessage()
                            + ". These are the broker's events: no transfer depends on them. To start without the"
                            + " events and the history that are in it, stop the brokers and delete topic "
                            + partition.topic(),
                    e);
        }
    }

    private void show(LogRecord record, RecordVisitor visitor) throws StorageException {
        long before = EventBody.bytesBefore(record);
        LogRecord events = EventBody.events(record);
        note(record.position().segment(), before);
        synchronized (lock) {
            bytes = Math.max(bytes, before + events.body().length);
        }
        visitor.record(events);
    }

    @Override
    public List<SegmentInfo> segments() {
        long last = JournalReader.segmentOf(writer.lastOffset(), SEGMENT_RECORDS);
        List<SegmentInfo> segments = new ArrayList<>();
        for (long number = JournalReader.segmentOf(start, SEGMENT_RECORDS); number <= last; number++) {
            segments.add(new SegmentInfo(number, 0, 0, number < last));
        }
        return segments;
    }

    @Override
    public void deleteSegment(long number) {
        long before = number * SEGMENT_RECORDS;
        if (before > writer.lastOffset()) {
            return;
        }
        var unused = admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before)))
                .all()
                .whenComplete((nothing, problem) -> deleted(before, problem));
    }

    private void deleted(long before, @Nullable Throwable problem) {
        if (problem != null) {
            LOG.atWarn()
                    .addKeyValue("topic", partition.topic())
                    .addKeyValue("reason", problem.getMessage())
                    .log("Old events could not be deleted now; it is tried again");
            return;
        }
        synchronized (lock) {
            start = Math.max(start, before);
            bytesBefore.headMap(JournalReader.segmentOf(start, SEGMENT_RECORDS)).clear();
        }
    }

    /** Of bodies, since the oldest that is kept; what Kafka adds does not count, nor its copies. */
    @Override
    public long sizeBytes() {
        synchronized (lock) {
            return bytesBefore.isEmpty() ? 0 : bytes - bytesBefore.firstEntry().getValue();
        }
    }

    /** Its nodes' disks are Kafka's to watch. */
    @Override
    public boolean isFull() {
        return false;
    }

    /** A damaged record ends the reading. */
    @Override
    public int damages() {
        return 0;
    }

    /** Kafka's nodes check what they copy. */
    @Override
    public void scrub(SerialQueue queue, DiskExecutor disk) {
        // A record that is damaged all the same is found when it is read.
    }

    @Override
    public String place(String receiver) throws StorageException {
        return places.read(receiver);
    }

    @Override
    public void place(String receiver, String place) throws StorageException {
        places.write(receiver, place);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        StorageException reason = new RemoteStoreException("the events in Kafka are closed");
        places.close();
        queue.close(reason);
        boolean interrupted = false;
        try {
            if (!writer.awaitEnd(CLOSE)) {
                LOG.atWarn().log("Kafka did not take in time what was under way; the next start tells it again");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        closed = true;
        die(reason);
        writer.close();
        admin.close(Duration.ofSeconds(1));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
