package io.hawser.store.spool;

import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Manifest;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.util.function.Consumer;

/**
 * The journal: a segment log of {@link SpoolRecord}s whose completions come on the loop, in the order of the appends.
 *
 * <p>Thread: any for reads, the loop for appends; blocking calls are marked.
 */
final class SpoolJournal {
    /** Room that a record takes beside its body, at most, for the account of what is live. */
    private static final int OVERHEAD_BYTES = 192;

    /** For what needs no record of the spool: reading, sizes, deletion, the end. */
    final SegmentLog log;

    private final LoopMailbox mailbox;

    private SpoolJournal(SegmentLog log, LoopMailbox mailbox) {
        this.log = log;
        this.mailbox = mailbox;
    }

    /** Receives the place of a record that is durable, on the loop. */
    interface Durable {
        void durable(LogPosition position, long lengthBytes);
    }

    /** Sees the records of an earlier life. */
    interface Visitor {
        void record(SpoolRecord record, LogPosition position, long lengthBytes);
    }

    /** Opens it. Blocks. {@code fatal} runs on the loop when the log dies. */
    static SpoolJournal open(Storage storage, LogConfig config, LoopMailbox mailbox, Consumer<StorageException> fatal)
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

    /** Appends a record; {@code failed} learns on the loop that it is not durable, and never will be. */
    void append(SpoolRecord record, Durable durable, Consumer<StorageException> failed) {
        SpoolRecordCodec.Encoded encoded = SpoolRecordCodec.encode(record);
        log.append(encoded.kind(), encoded.key(), 0, encoded.body(), posting(encoded.body().length, durable, failed));
    }

    /** Appends a small transfer with its bytes. The fragment's buffer is retained until they are written. */
    void append(SpoolRecord.Small record, Fragment content, Durable durable, Consumer<StorageException> failed) {
        byte[] body = SpoolRecordCodec.encode(record).body();
        AppendCallback callback = posting(body.length + content.length(), durable, failed);
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

    private AppendCallback posting(int lengthBytes, Durable durable, Consumer<StorageException> failed) {
        return AppendCallback.of(
                (sequence, position) -> mailbox.post(() -> durable.durable(position, lengthBytes + OVERHEAD_BYTES)),
                cause -> mailbox.post(() -> failed.accept(cause)));
    }
}
