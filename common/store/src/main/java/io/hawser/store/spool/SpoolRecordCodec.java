package io.hawser.store.spool;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogRecord;
import io.hawser.store.record.StoredManifests;
import io.hawser.store.spool.SpoolRecord.Brokered;
import io.hawser.store.spool.SpoolRecord.Cancelled;
import io.hawser.store.spool.SpoolRecord.Committed;
import io.hawser.store.spool.SpoolRecord.Ended;
import io.hawser.store.spool.SpoolRecord.HighWater;
import io.hawser.store.spool.SpoolRecord.Opened;
import io.hawser.store.spool.SpoolRecord.Receipted;
import io.hawser.store.spool.SpoolRecord.Refused;
import io.hawser.store.spool.SpoolRecord.Resumed;
import io.hawser.store.spool.SpoolRecord.Small;
import io.hawser.store.spool.SpoolRecord.Suspended;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal records' bodies, version {@value #VERSION}; the log's record carries the kind, the transfer's key and, for a
 * small transfer, the payload with its digest. {@link io.hawser.core.codec} has the form of the fields.
 *
 * <pre>
 *  1 OPENED     version 1, manifest, has source 1, [path, size 8, modified nanos 8, file key]
 *  2 SMALL      version 1, manifest, commit
 *  3 COMMITTED  version 1, commit
 *  4 SUSPENDED  version 1, epoch millis 8, reason
 *  5 RESUMED    version 1
 *  6 CANCELLED  version 1, refusal
 *  7 BROKERED   version 1, n, subscriptions
 *  8 RECEIPT    version 1, receipt
 *  9 REFUSED    version 1, refusal
 * 10 ENDED      version 1
 * 11 HIGH_WATER version 1, number 8
 * </pre>
 */
final class SpoolRecordCodec {
    static final int OPENED = 1;
    static final int SMALL = 2;
    static final int COMMITTED = 3;
    static final int SUSPENDED = 4;
    static final int RESUMED = 5;
    static final int CANCELLED = 6;
    static final int BROKERED = 7;
    static final int RECEIPT = 8;
    static final int REFUSED = 9;
    static final int ENDED = 10;
    static final int HIGH_WATER = 11;

    /** From kind 1 on. */
    private static final List<Class<? extends SpoolRecord>> KINDS = List.of(
            Opened.class,
            Small.class,
            Committed.class,
            Suspended.class,
            Resumed.class,
            Cancelled.class,
            Brokered.class,
            Receipted.class,
            Refused.class,
            Ended.class,
            HighWater.class);

    private static final byte VERSION = 2;
    private static final int FIXED_SMALL_BYTES = 128 + Topic.MAX_LENGTH_BYTES;

    private SpoolRecordCodec() {}

    /** A record as the log takes it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Encoded(int kind, @Nullable TransferKey key, byte[] body) {}

    static Encoded encode(SpoolRecord record) {
        FieldWriter out = new FieldWriter().u8(VERSION);
        if (record instanceof Opened opened) {
            out.manifest(opened.manifest());
            putSource(out, opened.source());
        } else if (record instanceof Small small) {
            out.manifest(small.manifest()).commit(small.commit());
        } else if (record instanceof Committed committed) {
            out.commit(committed.commit());
        } else if (record instanceof Suspended suspended) {
            out.i64(suspended.epochMillis()).string(suspended.reason());
        } else if (record instanceof Cancelled cancelled) {
            out.refusal(cancelled.refusal());
        } else if (record instanceof Brokered brokered) {
            out.strings(brokered.deliverySet());
        } else if (record instanceof Receipted receipted) {
            out.receipt(receipted.receipt());
        } else if (record instanceof Refused refused) {
            out.refusal(refused.refusal());
        } else if (record instanceof HighWater highWater) {
            out.i64(highWater.number());
        }
        int index = KINDS.indexOf(record.getClass());
        if (index < 0) {
            throw new IllegalArgumentException(record.getClass() + " has no kind");
        }
        return new Encoded(index + 1, record.key(), out.toBytes());
    }

    /** A bound on the body of {@link Small}, without encoding it. */
    static int maxSmallBodyBytes(Manifest manifest) {
        int strings = manifest.paths().size() + 2 * manifest.attributes().size();
        return FIXED_SMALL_BYTES + manifest.weightBytes() + Integer.BYTES * strings;
    }

    /**
     * Reads a record back.
     *
     * @throws FormatTooNewException if a later version wrote it
     * @throws CorruptRecordException if it is not one of these
     */
    static SpoolRecord decode(LogRecord record) throws StorageException {
        FieldReader in = new FieldReader(record.body());
        try {
            int version = in.u8();
            if (version < VERSION) {
                throw new IllegalArgumentException("version " + version);
            }
            if (version > VERSION || record.kind() > KINDS.size()) {
                throw new FormatTooNewException("The spool's journal has a record of kind " + record.kind()
                        + " and version " + version + " at " + record.position()
                        + ". A later version of Hawser wrote it; use that one.");
            }
            if (record.kind() == HIGH_WATER) {
                return new HighWater(in.i64());
            }
            TransferKey key = record.key();
            if (key == null) {
                throw new IllegalArgumentException("no transfer key");
            }
            return decode(record.kind(), key, in);
        } catch (RuntimeException e) {
            throw new CorruptRecordException(
                    "The spool's journal has a record at " + record.position() + " that cannot be read: " + e, e);
        }
    }

    private static SpoolRecord decode(int kind, TransferKey key, FieldReader in) throws FormatTooNewException {
        return switch (kind) {
            case OPENED -> new Opened(StoredManifests.read(in, key), getSource(in));
            case SMALL -> new Small(StoredManifests.read(in, key), in.commit());
            case COMMITTED -> new Committed(key, in.commit());
            case SUSPENDED -> new Suspended(key, in.i64(), in.string());
            case RESUMED -> new Resumed(key);
            case CANCELLED -> new Cancelled(key, in.refusal());
            case BROKERED -> new Brokered(key, List.copyOf(in.strings()));
            case RECEIPT -> new Receipted(key, in.receipt(key));
            case REFUSED -> new Refused(key, in.refusal());
            case ENDED -> new Ended(key);
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    private static void putSource(FieldWriter out, @Nullable SourceFingerprint source) {
        out.flag(source != null);
        if (source != null) {
            out.string(source.path())
                    .i64(source.sizeBytes())
                    .i64(source.modifiedNanos())
                    .string(source.fileKey());
        }
    }

    private static @Nullable SourceFingerprint getSource(FieldReader in) {
        return in.flag() ? new SourceFingerprint(in.string(), in.i64(), in.i64(), in.string()) : null;
    }
}
