package io.hawser.store.log;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An append-only log in segment files, with group commit: a writer writes what waits, forces once, and completes
 * all of it. There is no timer; groups form by themselves while a force is running.
 *
 * <p>After a failed write or force the log is dead: every append from then on fails with the exception that killed it, and
 * the listener that was given at {@link #open} is told once. The node then ends with its own exit code.
 *
 * <p>Thread: any, where a method does not say otherwise. Blocking calls are marked so and are not made on an event loop.
 */
public final class SegmentLog implements RecordLog {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentLog.class);
    private static final byte[] NO_BODY = {};

    private final LogConfig config;
    private final Storage storage;
    private final LogId id;
    private final long foundSequence;
    private final SegmentCatalog catalog = new SegmentCatalog();
    private final SegmentListFile list;
    private final boolean listMadeAgain;
    private final SegmentHandles handles;
    private final RecordLookup reader;
    private final SpareSegments spares;
    private final LogWriter writer;
    private final LogDamages damages =
            new LogDamages(LOG, "The log is damaged where it was durable once; the records after it are still read");

    private SegmentLog(Storage storage, LogConfig config, LogObserver observer, Consumer<StorageException> fatal)
            throws StorageException {
        this.config = config;
        this.storage = storage;
        SegmentFiles files = new SegmentFiles(storage, config.directory());
        LogRecovery.Recovered recovered = new LogRecovery(files, config, damages::add).recover();
        this.id = recovered.id();
        this.foundSequence = recovered.foundSequence();
        this.list = recovered.list();
        this.listMadeAgain = recovered.listMadeAgain();
        recovered.segments().forEach(catalog::add);
        this.handles = new SegmentHandles(storage, catalog);
        this.reader = new RecordLookup(id, catalog, handles);
        this.spares = new SpareSegments(files, config);
        this.writer =
                new LogWriter(config, id, files, list, spares, catalog, observer, fatal, recovered.lastSequence());
        LOG.atInfo()
                .addKeyValue("directory", config.directory())
                .addKeyValue("segments", recovered.segments().size())
                .addKeyValue("lastSequence", recovered.lastSequence())
                .log("Log opened");
    }

    /**
     * Opens the log, made if it is not there. Blocks while the last segment is read: a torn tail is cut off (a copy is kept
     * aside), what is accepted is forced, and only then this returns.
     *
     * @param fatal told once when the log dies, on the writer's thread, before any append is answered as failed; it must not block
     * @throws io.hawser.store.storage.CorruptRecordException if a file that the log cannot do without is damaged or gone
     * @throws io.hawser.store.storage.FormatTooNewException if a later version wrote it; nothing is changed
     * @throws io.hawser.store.storage.FormatTooOldException if this version no longer reads it; nothing is changed
     */
    public static SegmentLog open(
            Storage storage, LogConfig config, LogObserver observer, Consumer<StorageException> fatal)
            throws StorageException {
        return new SegmentLog(storage, config, observer, fatal);
    }

    @Override
    public void append(int kind, @Nullable TransferKey key, long index, byte[] body, AppendCallback done) {
        if (body.length > maxBodyBytes()) {
            throw new IllegalArgumentException("a body of " + body.length + " bytes");
        }
        enqueue(new PendingAppend(checkKind(kind), key, index, body, null, false, done));
    }

    /**
     * Appends a record with a fragment as its payload. The buffer is retained until it has been written. A large payload at
     * offset 0 of its buffer is written from where it is, with the buffer's header block in front of it: so at any time only
     * one log may append a given buffer, and no other thread uses its header block meanwhile. A small payload, or one at another
     * offset, is copied.
     *
     * @param body at most {@link #maxFragmentBodyBytes()}, or with a payload of at most 64 KiB whatever fits with it into
     *     {@link #maxBodyBytes()}; not to be changed afterwards
     */
    @Override
    public void append(int kind, Fragment fragment, byte[] body, AppendCallback done) {
        PendingAppend append =
                new PendingAppend(checkKind(kind), fragment.key(), fragment.index(), body, fragment, false, done);
        boolean fits = append.bulk()
                ? body.length <= LogFormat.MAX_BULK_BODY_BYTES && fragment.length() <= LogFormat.MAX_PAYLOAD_BYTES
                : body.length + fragment.length() <= LogFormat.MAX_PACKED_BYTES;
        if (!fits) {
            throw new IllegalArgumentException("a body of " + body.length + " bytes with a payload of "
                    + fragment.length() + " bytes at offset " + fragment.offset() + " of its buffer");
        }
        fragment.buffer().retain();
        enqueue(append);
    }

    private static int checkKind(int kind) {
        if (kind < 1 || kind > LogRecord.MAX_KIND) {
            throw new IllegalArgumentException("kind " + kind);
        }
        return kind;
    }

    private void enqueue(PendingAppend append) {
        StorageException refused = writer.append(append);
        if (refused != null) {
            append.releasePayload();
            append.done().failed(refused);
        }
    }

    /** The longest body of a record without payload. */
    public static int maxBodyBytes() {
        return LogFormat.MAX_PACKED_BYTES;
    }

    /** The longest body of a record with a payload of any length. */
    public static int maxFragmentBodyBytes() {
        return LogFormat.MAX_BULK_BODY_BYTES;
    }

    /**
     * Reads a record without its payload. Blocks.
     *
     * @throws io.hawser.store.storage.PathMissingException if its segment has been deleted
     * @throws io.hawser.store.storage.CorruptRecordException if it does not agree with its checksums
     */
    public LogRecord read(LogPosition position) throws StorageException {
        return reader.read(position, 0, null);
    }

    @Override
    public LogRecord read(LogPosition position, int expectedPayloadLength, FragmentBuffer into)
            throws StorageException {
        return reader.read(position, expectedPayloadLength, into);
    }

    /** {@inheritDoc} {@code visitor} is called on this thread, while another reads ahead. */
    @Override
    public void replay(LogPosition from, RecordVisitor visitor) throws StorageException {
        LogPosition end = writer.durableEnd();
        new LogReplay(config.runtime().disk(), ahead -> scan(from, end, ahead)).run(visitor);
    }

    private void scan(LogPosition from, LogPosition end, RecordVisitor visitor) throws StorageException {
        ByteBuffer memory = SegmentScanner.memory();
        for (LogSegment segment : catalog.from(from.segment())) {
            if (segment.number() > end.segment()) {
                return;
            }
            long fromOffset = segment.number() == from.segment() ? from.offset() : 0;
            long limit = segment.number() == end.segment() ? end.offset() : Long.MAX_VALUE;
            try (StorageFile file = storage.open(segment.path(), OpenMode.READ, FileIoMode.DIRECT)) {
                SegmentScanner.skippingPayloads(file, memory, segment.header(), config.epoch(), damages::add)
                        .scan(fromOffset, limit, true, visitor);
            }
        }
    }

    /** Reads a sealed segment, with payloads, to find what is {@linkplain #damages() damaged} in it; nothing if it was deleted. Blocks. */
    public void verify(long number) throws StorageException {
        LogSegment segment = catalog.get(number);
        if (segment == null) {
            return;
        }
        try (StorageFile file = storage.open(segment.path(), OpenMode.READ, FileIoMode.DIRECT)) {
            new SegmentScanner(file, segment.header(), true, config.epoch(), damages::add)
                    .scan(LogFormat.BLOCK_BYTES, Long.MAX_VALUE, true, record -> {});
        } catch (StorageException e) {
            if (catalog.get(number) != null) { // else it was deleted, or used again, while it was read
                throw e;
            }
        }
    }

    /** Whether it may have had records, durable ones, that a replay did not show. */
    public boolean mayLackRecords() {
        return listMadeAgain || !damages.all().isEmpty();
    }

    @Override
    public LogDamages damages() {
        return damages;
    }

    @Override
    public String id() {
        return id.toString();
    }

    @Override
    public LogPosition end() {
        return writer.durableEnd();
    }

    /** The number of the last durable record, 0 if there is none. */
    public long lastSequence() {
        return writer.durableSequence();
    }

    @Override
    public long foundSequence() {
        return foundSequence;
    }

    @Override
    public List<SegmentInfo> segments() {
        return catalog.infos();
    }

    @Override
    public long sizeBytes() {
        return catalog.sizeBytes() + spares.sizeBytes();
    }

    @Override
    public long spareBytes() {
        return spares.sizeBytes();
    }

    /** Ends the current segment; the next append begins another. Does nothing if it is empty. */
    public void roll() {
        AppendCallback nothing = AppendCallback.of((sequence, position) -> {}, cause -> {});
        enqueue(new PendingAppend(1, null, 0, NO_BODY, null, true, nothing));
    }

    /** Deletes a sealed segment, or keeps its file as a spare. The newest segment stays, whatever is asked. Blocks shortly. */
    @Override
    public void deleteSegment(long number) throws StorageException {
        LogSegment segment = catalog.get(number);
        if (segment == null || !segment.sealed() || number == catalog.lastNumber()) {
            return;
        }
        list.deleting(number);
        config.runtime().crashPoints().reached("log.before-delete");
        catalog.remove(number);
        handles.forget(number);
        spares.recycle(segment.path(), segment.sizeBytes());
    }

    /** What killed the log, or null while it lives. */
    public @Nullable StorageException failure() {
        return writer.failure();
    }

    @Override
    public void close() {
        writer.close(new StorageException("the log in " + config.directory() + " is closed"));
        spares.stop();
        handles.close();
    }
}
