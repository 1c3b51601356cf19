package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Manifest;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogDamage;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.function.Consumer;

/**
 * The journal: a segment log of {@link SpoolRecord}s whose completions come on the loop, in the order of the appends.
 *
 * <p>Thread: any for reads, the loop for appends; blocking calls are marked.
 */
final class SpoolJournal {
    /** Room that a record takes beside its body, at most, for the account of what is live. */
    private static final int OVERHEAD_BYTES = 192;

    private final SegmentLog log;
    private final Mailbox mailbox;

    private SpoolJournal(SegmentLog log, Mailbox mailbox) {
        this.log = log;
        this.mailbox = mailbox;
    }

    /** Receives the outcome of an append, on the loop. */
    interface Done {
        void durable(LogPosition position, long lengthBytes);

        void failed(StorageException cause);
    }

    /** Sees the records of an earlier life. */
    interface Visitor {
        void record(SpoolRecord record, LogPosition position, long lengthBytes);
    }

    /** Opens it. Blocks. {@code fatal} runs on the loop when the log dies. */
    static SpoolJournal open(Storage storage, LogConfig config, Mailbox mailbox, Consumer<StorageException> fatal)
            throws StorageException {
        SegmentLog log =
                SegmentLog.open(storage, config, LogObserver.NONE, cause -> mailbox.post(() -> fatal.accept(cause)));
        return new SpoolJournal(log, mailbox);
    }

    /** Shows all records. Blocks. */
    void replay(Visitor visitor) throws StorageException {
        log.replay(
                LogPosition.START,
                record -> visitor.record(SpoolRecordCodec.decode(record), record.position(), record.lengthBytes()));
    }

    void append(SpoolRecord record, Done done) {
        SpoolRecordCodec.Encoded encoded = SpoolRecordCodec.encode(record);
        log.append(encoded.kind(), encoded.key(), 0, encoded.body(), posting(encoded.body().length, done));
    }

    /** Appends a small transfer with its bytes. The fragment's buffer is retained until they are written. */
    void append(SpoolRecord.Small record, Fragment content, Done done) {
        byte[] body = SpoolRecordCodec.encode(record).body();
        AppendCallback callback = posting(body.length + content.length(), done);
        if (content.length() == 0) {
            log.append(SpoolRecordCodec.SMALL, record.manifest().key(), 0, body, callback);
        } else {
            log.append(SpoolRecordCodec.SMALL, content, body, callback);
        }
    }

    /** Whether that manifest surely fits into the record of a small transfer. */
    static boolean fitsSmall(Manifest manifest) {
        return SpoolRecordCodec.maxSmallBodyBytes(manifest) <= SegmentLog.maxFragmentBodyBytes();
    }

    private AppendCallback posting(int lengthBytes, Done done) {
        return new AppendCallback() {
            @Override
            public void durable(long sequence, LogPosition position) {
                mailbox.post(() -> done.durable(position, lengthBytes + OVERHEAD_BYTES));
            }

            @Override
            public void failed(StorageException cause) {
                mailbox.post(() -> done.failed(cause));
            }
        };
    }

    /** Reads a small transfer's record and its bytes. Blocks. */
    LogRecord read(LogPosition position, int length, FragmentBuffer into) throws StorageException {
        return log.read(position, length, into);
    }

    List<LogDamage> damages() {
        return log.damages();
    }

    List<SegmentInfo> segments() {
        return log.segments();
    }

    long sizeBytes() {
        return log.sizeBytes();
    }

    /** Blocks shortly. */
    void deleteSegment(long number) throws StorageException {
        log.deleteSegment(number);
    }

    /** Blocks. */
    void close() {
        log.close();
    }
}
