package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.record.FieldReader;
import io.hawser.store.record.FieldWriter;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.util.List;

/**
 * The bodies of journal records, drawn in {@code docs/reference/format-landing.md}. Big-endian; a text is its length in bytes (4 bytes)
 * and its UTF-8. The record's kind, key and checksums are the log's.
 */
final class LandingRecordCodec {
    static final int KIND_OPENED = 1;
    static final int KIND_VERIFIED = 2;
    static final int KIND_ENDED = 3;
    static final int KIND_ACKED = 4;
    static final int KIND_CANCELLED = 5;
    static final int KIND_DROPPED = 6;
    static final int KIND_PARKED = 7;
    static final int KIND_ACKED_FAILURE = 8;

    /** From kind 1 on. */
    private static final List<Class<? extends LandingRecord>> KINDS = List.of(
            LandingRecord.Opened.class,
            LandingRecord.Verified.class,
            LandingRecord.Ended.class,
            LandingRecord.Acked.class,
            LandingRecord.Cancelled.class,
            LandingRecord.Dropped.class,
            LandingRecord.Parked.class,
            LandingRecord.AckedFailure.class);

    private LandingRecordCodec() {}

    static int kind(LandingRecord record) {
        int index = KINDS.indexOf(record.getClass());
        if (index < 0) {
            throw new IllegalArgumentException(record.getClass() + " has no kind");
        }
        return index + 1;
    }

    static byte[] encode(LandingRecord record) {
        FieldWriter out = new FieldWriter();
        if (record instanceof LandingRecord.Opened opened) {
            out.i64(opened.epochMillis());
            put(out, opened.manifest());
        } else if (record instanceof LandingRecord.Verified verified) {
            out.i64(verified.order());
            put(out, verified.commit());
            put(out, verified.manifest());
        } else if (record instanceof LandingRecord.Ended ended) {
            put(out, ended.receipt());
        } else if (record instanceof LandingRecord.Acked acked) {
            out.i64(acked.epochMillis());
        } else if (record instanceof LandingRecord.AckedFailure failure) {
            out.i64(failure.epochMillis());
        } else if (record instanceof LandingRecord.Cancelled cancelled) {
            out.i64(cancelled.epochMillis());
        } else if (record instanceof LandingRecord.Parked parked) {
            DeadLetter letter = parked.letter();
            out.i64(letter.sinceMillis()).string(letter.reason()).string(letter.overtakenBy());
            put(out, parked.commit());
            put(out, parked.manifest());
        }
        return out.toBytes();
    }

    /**
     * Decodes a record's body.
     *
     * @throws FormatTooNewException if its kind is not known
     * @throws CorruptRecordException if it is not what {@link #encode} makes
     */
    static LandingRecord decode(int kind, TransferKey key, byte[] body) throws StorageException {
        FieldReader in = new FieldReader(body);
        try {
            return switch (kind) {
                case KIND_OPENED -> {
                    long epochMillis = in.i64();
                    yield new LandingRecord.Opened(manifest(in, key), epochMillis);
                }
                case KIND_VERIFIED -> {
                    long order = in.i64();
                    Commit commit = commit(in);
                    yield new LandingRecord.Verified(manifest(in, key), commit, order);
                }
                case KIND_ENDED -> new LandingRecord.Ended(receipt(in, key));
                case KIND_ACKED -> new LandingRecord.Acked(key, in.i64());
                case KIND_ACKED_FAILURE -> new LandingRecord.AckedFailure(key, in.i64());
                case KIND_CANCELLED -> new LandingRecord.Cancelled(key, in.i64());
                case KIND_DROPPED -> new LandingRecord.Dropped(key);
                case KIND_PARKED -> parked(in, key);
                default ->
                    throw new FormatTooNewException("landing journal: a record of kind " + kind
                            + ". A later version of Hawser wrote it; use that one.");
            };
        } catch (CorruptRecordException | IllegalArgumentException | ArithmeticException e) {
            throw new CorruptRecordException("landing journal: a record of kind " + kind + " cannot be read", e);
        }
    }

    private static LandingRecord parked(FieldReader in, TransferKey key) throws CorruptRecordException {
        long sinceMillis = in.i64();
        String reason = in.string();
        String overtakenBy = in.string();
        Commit commit = commit(in);
        Manifest manifest = manifest(in, key);
        DeadLetter letter =
                new DeadLetter(key.toString(), manifest.name(), commit.sizeBytes(), sinceMillis, reason, overtakenBy);
        return new LandingRecord.Parked(manifest, commit, letter);
    }

    private static void put(FieldWriter out, Manifest manifest) {
        out.i64(manifest.number())
                .u8(manifest.kind().code())
                .i64(manifest.sizeBytes())
                .i32(manifest.fragmentSizeBytes())
                .string(manifest.topic().name())
                .string(manifest.name())
                .strings(manifest.paths())
                .pairs(manifest.attributes());
    }

    private static Manifest manifest(FieldReader in, TransferKey key) throws CorruptRecordException {
        long number = in.i64();
        TransferKind kind = TransferKind.of(in.u8());
        long sizeBytes = in.i64();
        int fragmentSizeBytes = in.i32();
        Topic topic = new Topic(in.string());
        String name = in.string();
        return new Manifest(key, number, topic, kind, name, in.strings(), sizeBytes, fragmentSizeBytes, in.pairs());
    }

    private static void put(FieldWriter out, Commit commit) {
        out.i64(commit.sizeBytes())
                .i64(commit.fragmentCount())
                .i32(commit.digest().fragmentSizeBytes())
                .raw(commit.digest().root());
    }

    private static Commit commit(FieldReader in) throws CorruptRecordException {
        return new Commit(in.i64(), in.i64(), new TransferDigest(in.i32(), in.raw(TransferDigest.LENGTH_BYTES)));
    }

    private static void put(FieldWriter out, Receipt receipt) {
        out.i64(receipt.epochMillis())
                .u8(receipt.status().code())
                .string(receipt.subscription())
                .string(receipt.reason());
    }

    private static Receipt receipt(FieldReader in, TransferKey key) throws CorruptRecordException {
        long epochMillis = in.i64();
        ReceiptStatus status = ReceiptStatus.of(in.u8());
        return new Receipt(key, in.string(), status, in.string(), epochMillis);
    }
}
