package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.log.LogRecord;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The journal records' bodies, version {@value #VERSION}; the log's record carries the kind, the transfer's key and, for a
 * small transfer, the payload with its digest. Strings are 4 bytes of length and UTF-8; lists begin with a 4-byte count.
 *
 * <pre>
 *  1 OPENED     version 1, manifest, has source 1, [path, size 8, modified nanos 8, file key]
 *  2 SMALL      version 1, manifest, size 8, fragment size 4, root 32
 *  3 COMMITTED  version 1, size 8, fragment size 4, root 32
 *  4 SUSPENDED  version 1, epoch millis 8, reason
 *  5 RESUMED    version 1
 *  6 CANCELLED  version 1, error code 4, detail
 *  7 BROKERED   version 1, subscriptions
 *  8 RECEIPT    version 1, subscription, status 1, reason, epoch millis 8
 *  9 REFUSED    version 1, error code 4, detail
 * 10 ENDED      version 1
 * 11 HIGH_WATER version 1, number 8
 * manifest: number 8, topic, kind 1, name, paths, size 8, fragment size 4, attributes (sorted; name, value)
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

    private static final byte VERSION = 1;
    private static final int FIXED_SMALL_BYTES = 128 + Topic.MAX_LENGTH_BYTES;

    private SpoolRecordCodec() {}

    /** A record as the log takes it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Encoded(int kind, @Nullable TransferKey key, byte[] body) {}

    static Encoded encode(SpoolRecord record) {
        BodyWriter out = new BodyWriter().putByte(VERSION);
        if (record instanceof Opened opened) {
            putManifest(out, opened.manifest());
            putSource(out, opened.source());
            return new Encoded(OPENED, opened.manifest().key(), out.toBytes());
        } else if (record instanceof Small small) {
            putManifest(out, small.manifest());
            putCommit(out, small.commit());
            return new Encoded(SMALL, small.manifest().key(), out.toBytes());
        } else if (record instanceof Committed committed) {
            putCommit(out, committed.commit());
            return new Encoded(COMMITTED, committed.key(), out.toBytes());
        } else if (record instanceof Suspended suspended) {
            out.putLong(suspended.epochMillis()).putString(suspended.reason());
            return new Encoded(SUSPENDED, suspended.key(), out.toBytes());
        } else if (record instanceof Resumed resumed) {
            return new Encoded(RESUMED, resumed.key(), out.toBytes());
        } else if (record instanceof Cancelled cancelled) {
            return new Encoded(CANCELLED, cancelled.key(), putRefusal(out, cancelled.refusal()));
        } else if (record instanceof Brokered brokered) {
            out.putStrings(brokered.deliverySet());
            return new Encoded(BROKERED, brokered.key(), out.toBytes());
        } else if (record instanceof Receipted receipted) {
            Receipt receipt = receipted.receipt();
            out.putString(receipt.subscription())
                    .putByte(receipt.status().code())
                    .putString(receipt.reason())
                    .putLong(receipt.epochMillis());
            return new Encoded(RECEIPT, receipted.key(), out.toBytes());
        } else if (record instanceof Refused refused) {
            return new Encoded(REFUSED, refused.key(), putRefusal(out, refused.refusal()));
        } else if (record instanceof Ended ended) {
            return new Encoded(ENDED, ended.key(), out.toBytes());
        }
        HighWater highWater = (HighWater) record;
        return new Encoded(HIGH_WATER, null, out.putLong(highWater.number()).toBytes());
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
        BodyReader in = new BodyReader(record.body());
        try {
            int version = Byte.toUnsignedInt((byte) in.getByte());
            if (version < VERSION) {
                throw new IllegalArgumentException("version " + version);
            }
            if (version > VERSION || record.kind() > HIGH_WATER) {
                throw new FormatTooNewException("The spool's journal has a record of kind " + record.kind()
                        + " and version " + version + " at " + record.position()
                        + ". A later version of Hawser wrote it; use that one.");
            }
            if (record.kind() == HIGH_WATER) {
                return new HighWater(in.getLong());
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

    private static SpoolRecord decode(int kind, TransferKey key, BodyReader in) {
        return switch (kind) {
            case OPENED -> new Opened(getManifest(in, key), getSource(in));
            case SMALL -> new Small(getManifest(in, key), getCommit(in));
            case COMMITTED -> new Committed(key, getCommit(in));
            case SUSPENDED -> new Suspended(key, in.getLong(), in.getString());
            case RESUMED -> new Resumed(key);
            case CANCELLED -> new Cancelled(key, getRefusal(in));
            case BROKERED -> new Brokered(key, in.getStrings());
            case RECEIPT ->
                new Receipted(
                        key,
                        new Receipt(key, in.getString(), ReceiptStatus.of(in.getByte()), in.getString(), in.getLong()));
            case REFUSED -> new Refused(key, getRefusal(in));
            case ENDED -> new Ended(key);
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    private static void putManifest(BodyWriter out, Manifest manifest) {
        out.putLong(manifest.number())
                .putString(manifest.topic().name())
                .putByte(manifest.kind().code())
                .putString(manifest.name())
                .putStrings(manifest.paths())
                .putLong(manifest.sizeBytes())
                .putInt(manifest.fragmentSizeBytes());
        List<String> attributes = new ArrayList<>();
        new TreeMap<>(manifest.attributes()).forEach((name, value) -> {
            attributes.add(name);
            attributes.add(value);
        });
        out.putStrings(attributes);
    }

    private static Manifest getManifest(BodyReader in, TransferKey key) {
        long number = in.getLong();
        Topic topic = new Topic(in.getString());
        TransferKind kind = TransferKind.of(in.getByte());
        String name = in.getString();
        List<String> paths = in.getStrings();
        if (paths.size() == 1 && paths.get(0).equals(name)) {
            paths = List.of(name); // one string on the heap, not two
        }
        long sizeBytes = in.getLong();
        int fragmentSizeBytes = in.getInt();
        List<String> pairs = in.getStrings();
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            attributes.put(pairs.get(i).intern(), pairs.get(i + 1));
        }
        return new Manifest(key, number, topic, kind, name, paths, sizeBytes, fragmentSizeBytes, attributes);
    }

    private static void putSource(BodyWriter out, @Nullable SourceFingerprint source) {
        out.putByte(source == null ? 0 : 1);
        if (source != null) {
            out.putString(source.path())
                    .putLong(source.sizeBytes())
                    .putLong(source.modifiedNanos())
                    .putString(source.fileKey());
        }
    }

    private static @Nullable SourceFingerprint getSource(BodyReader in) {
        return in.getByte() == 0
                ? null
                : new SourceFingerprint(in.getString(), in.getLong(), in.getLong(), in.getString());
    }

    private static void putCommit(BodyWriter out, Commit commit) {
        out.putLong(commit.sizeBytes())
                .putInt(commit.digest().fragmentSizeBytes())
                .putBytes(commit.digest().root());
    }

    private static Commit getCommit(BodyReader in) {
        long sizeBytes = in.getLong();
        int fragmentSizeBytes = in.getInt();
        return new Commit(
                sizeBytes,
                Manifest.fragmentCount(sizeBytes, fragmentSizeBytes),
                new TransferDigest(fragmentSizeBytes, in.getBytes(TransferDigest.LENGTH_BYTES)));
    }

    private static byte[] putRefusal(BodyWriter out, Refusal refusal) {
        return out.putInt(refusal.code().code()).putString(refusal.detail()).toBytes();
    }

    private static Refusal getRefusal(BodyReader in) {
        return new Refusal(ErrorCode.of(in.getInt()), in.getString());
    }
}
