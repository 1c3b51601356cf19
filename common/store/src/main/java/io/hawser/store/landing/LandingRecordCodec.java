package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    private LandingRecordCodec() {}

    static int kind(LandingRecord record) {
        if (record instanceof LandingRecord.Opened) {
            return KIND_OPENED;
        } else if (record instanceof LandingRecord.Verified) {
            return KIND_VERIFIED;
        } else if (record instanceof LandingRecord.Ended) {
            return KIND_ENDED;
        } else if (record instanceof LandingRecord.Acked) {
            return KIND_ACKED;
        } else if (record instanceof LandingRecord.AckedFailure) {
            return KIND_ACKED_FAILURE;
        } else if (record instanceof LandingRecord.Cancelled) {
            return KIND_CANCELLED;
        } else if (record instanceof LandingRecord.Parked) {
            return KIND_PARKED;
        }
        return KIND_DROPPED;
    }

    static byte[] encode(LandingRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            if (record instanceof LandingRecord.Opened opened) {
                out.writeLong(opened.epochMillis());
                put(out, opened.manifest());
            } else if (record instanceof LandingRecord.Verified verified) {
                out.writeLong(verified.order());
                put(out, verified.commit());
                put(out, verified.manifest());
            } else if (record instanceof LandingRecord.Ended ended) {
                put(out, ended.receipt());
            } else if (record instanceof LandingRecord.Acked acked) {
                out.writeLong(acked.epochMillis());
            } else if (record instanceof LandingRecord.AckedFailure failure) {
                out.writeLong(failure.epochMillis());
            } else if (record instanceof LandingRecord.Cancelled cancelled) {
                out.writeLong(cancelled.epochMillis());
            } else if (record instanceof LandingRecord.Parked parked) {
                out.writeLong(parked.letter().sinceMillis());
                put(out, parked.letter().reason());
                put(out, parked.letter().overtakenBy());
                put(out, parked.commit());
                put(out, parked.manifest());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Decodes a record's body.
     *
     * @throws FormatTooNewException if its kind is not known
     * @throws CorruptRecordException if it is not what {@link #encode} makes
     */
    static LandingRecord decode(int kind, TransferKey key, byte[] body) throws StorageException {
        ByteBuffer in = ByteBuffer.wrap(body);
        try {
            return switch (kind) {
                case KIND_OPENED -> {
                    long epochMillis = in.getLong();
                    yield new LandingRecord.Opened(manifest(in, key), epochMillis);
                }
                case KIND_VERIFIED -> {
                    long order = in.getLong();
                    Commit commit = commit(in);
                    yield new LandingRecord.Verified(manifest(in, key), commit, order);
                }
                case KIND_ENDED -> new LandingRecord.Ended(receipt(in, key));
                case KIND_ACKED -> new LandingRecord.Acked(key, in.getLong());
                case KIND_ACKED_FAILURE -> new LandingRecord.AckedFailure(key, in.getLong());
                case KIND_CANCELLED -> new LandingRecord.Cancelled(key, in.getLong());
                case KIND_DROPPED -> new LandingRecord.Dropped(key);
                case KIND_PARKED -> parked(in, key);
                default ->
                    throw new FormatTooNewException("landing journal: a record of kind " + kind
                            + ". A later version of Hawser wrote it; use that one.");
            };
        } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
            throw new CorruptRecordException("landing journal: a record of kind " + kind + " cannot be read", e);
        }
    }

    private static LandingRecord parked(ByteBuffer in, TransferKey key) {
        long sinceMillis = in.getLong();
        String reason = text(in);
        String overtakenBy = text(in);
        Commit commit = commit(in);
        Manifest manifest = manifest(in, key);
        DeadLetter letter =
                new DeadLetter(key.toString(), manifest.name(), commit.sizeBytes(), sinceMillis, reason, overtakenBy);
        return new LandingRecord.Parked(manifest, commit, letter);
    }

    private static void put(DataOutputStream out, Manifest manifest) throws IOException {
        out.writeLong(manifest.number());
        out.writeByte(manifest.kind().code());
        out.writeLong(manifest.sizeBytes());
        out.writeInt(manifest.fragmentSizeBytes());
        put(out, manifest.topic().name());
        put(out, manifest.name());
        out.writeInt(manifest.paths().size());
        for (String path : manifest.paths()) {
            put(out, path);
        }
        out.writeInt(manifest.attributes().size());
        for (Map.Entry<String, String> attribute : manifest.attributes().entrySet()) {
            put(out, attribute.getKey());
            put(out, attribute.getValue());
        }
    }

    private static Manifest manifest(ByteBuffer in, TransferKey key) {
        long number = in.getLong();
        TransferKind kind = TransferKind.of(in.get());
        long sizeBytes = in.getLong();
        int fragmentSizeBytes = in.getInt();
        Topic topic = new Topic(text(in));
        String name = text(in);
        int pathCount = count(in);
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < pathCount; i++) {
            paths.add(text(in));
        }
        int attributeCount = count(in);
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < attributeCount; i++) {
            String attribute = text(in);
            attributes.put(attribute, text(in));
        }
        return new Manifest(key, number, topic, kind, name, paths, sizeBytes, fragmentSizeBytes, attributes);
    }

    private static void put(DataOutputStream out, Commit commit) throws IOException {
        out.writeLong(commit.sizeBytes());
        out.writeLong(commit.fragmentCount());
        out.writeInt(commit.digest().fragmentSizeBytes());
        out.write(commit.digest().root());
    }

    private static Commit commit(ByteBuffer in) {
        long sizeBytes = in.getLong();
        long fragmentCount = in.getLong();
        int fragmentSizeBytes = in.getInt();
        byte[] root = new byte[TransferDigest.LENGTH_BYTES];
        in.get(root);
        return new Commit(sizeBytes, fragmentCount, new TransferDigest(fragmentSizeBytes, root));
    }

    private static void put(DataOutputStream out, Receipt receipt) throws IOException {
        out.writeLong(receipt.epochMillis());
        out.writeByte(receipt.status().code());
        put(out, receipt.subscription());
        put(out, receipt.reason());
    }

    private static Receipt receipt(ByteBuffer in, TransferKey key) {
        long epochMillis = in.getLong();
        ReceiptStatus status = ReceiptStatus.of(in.get());
        String subscription = text(in);
        return new Receipt(key, subscription, status, text(in), epochMillis);
    }

    private static void put(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[count(in)];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A count or length; never more than what is left could hold. */
    private static int count(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining()) {
            throw new IllegalArgumentException("a count of " + count + " with " + in.remaining() + " bytes left");
        }
        return count;
    }
}
