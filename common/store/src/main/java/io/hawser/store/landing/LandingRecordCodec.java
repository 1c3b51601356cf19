package io.hawser.store.landing;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.record.StoredManifests;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.util.List;

/**
 * The bodies of journal records, drawn in {@code docs/reference/format-landing.md}. {@link io.hawser.core.codec} has the form of
 * the fields. The record's kind, key and checksums are the log's.
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
            out.i64(opened.epochMillis()).manifest(opened.manifest());
        } else if (record instanceof LandingRecord.Verified verified) {
            out.i64(verified.order()).commit(verified.commit()).manifest(verified.manifest());
        } else if (record instanceof LandingRecord.Ended ended) {
            out.receipt(ended.receipt());
        } else if (record instanceof LandingRecord.Acked acked) {
            out.i64(acked.epochMillis());
        } else if (record instanceof LandingRecord.AckedFailure failure) {
            out.i64(failure.epochMillis());
        } else if (record instanceof LandingRecord.Cancelled cancelled) {
            out.i64(cancelled.epochMillis());
        } else if (record instanceof LandingRecord.Parked parked) {
            DeadLetter letter = parked.letter();
            out.i64(letter.sinceMillis()).string(letter.reason()).string(letter.overtakenBy());
            out.commit(parked.commit()).manifest(parked.manifest());
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
                    yield new LandingRecord.Opened(StoredManifests.read(in, key), epochMillis);
                }
                case KIND_VERIFIED -> {
                    long order = in.i64();
                    Commit commit = in.commit();
                    yield new LandingRecord.Verified(StoredManifests.read(in, key), commit, order);
                }
                case KIND_ENDED -> new LandingRecord.Ended(in.receipt(key));
                case KIND_ACKED -> new LandingRecord.Acked(key, in.i64());
                case KIND_ACKED_FAILURE -> new LandingRecord.AckedFailure(key, in.i64());
                case KIND_CANCELLED -> new LandingRecord.Cancelled(key, in.i64());
                case KIND_DROPPED -> new LandingRecord.Dropped(key);
                case KIND_PARKED -> parked(in, key);
                default ->
                    throw new FormatTooNewException("landing journal: a record of kind " + kind
                            + ". A later version of Hawser wrote it; use that one.");
            };
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CorruptRecordException("landing journal: a record of kind " + kind + " cannot be read", e);
        }
    }

    private static LandingRecord parked(FieldReader in, TransferKey key) throws FormatTooNewException {
        long sinceMillis = in.i64();
        String reason = in.string();
        String overtakenBy = in.string();
        Commit commit = in.commit();
        Manifest manifest = StoredManifests.read(in, key);
        DeadLetter letter =
                new DeadLetter(key.toString(), manifest.name(), commit.sizeBytes(), sinceMillis, reason, overtakenBy);
        return new LandingRecord.Parked(manifest, commit, letter);
    }
}
