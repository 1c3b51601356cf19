package io.hawser.broker.store.local;

import io.hawser.common.model.Commit;
import io.hawser.common.model.FragmentRange;
import io.hawser.common.model.FragmentRanges;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.SubscriptionSpec;
import io.hawser.common.model.SubscriptionTerms;
import io.hawser.common.model.TransferKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the body of a record: big-endian numbers, strings as length and UTF-8, collections as count and elements. The first
 * byte is the version of the body's format: {@value #FIRST_VERSION}, or {@value #VERSION} where a body has more since.
 *
 * <p>Thread: whoever made it.
 */
final class BodyWriter {
    static final int FIRST_VERSION = 1;
    /** The latest: a transfer's state says when it was committed, and a subscription has terms. */
    static final int VERSION = 2;

    private static final int INITIAL_BYTES = 256;

    private final int version;
    private ByteBuffer out;

    BodyWriter() {
        this(FIRST_VERSION);
    }

    BodyWriter(int version) {
        this.version = version;
        out = ByteBuffer.allocate(INITIAL_BYTES).put((byte) version);
    }

    /** What was written so far; more may follow. */
    byte[] toBytes() {
        return Arrays.copyOf(out.array(), out.position());
    }

    /** How many bytes there are so far. */
    int size() {
        return out.position();
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * out.capacity(), out.position() + bytes));
            out = larger.put(out.flip());
        }
        return out;
    }

    BodyWriter u8(int value) {
        room(Byte.BYTES).put((byte) value);
        return this;
    }

    BodyWriter flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    BodyWriter i32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    BodyWriter i64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    BodyWriter bytes(byte[] value) {
        i32(value.length);
        room(value.length).put(value);
        return this;
    }

    BodyWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    BodyWriter strings(Collection<String> values) {
        i32(values.size());
        values.forEach(this::string);
        return this;
    }

    BodyWriter key(TransferKey key) {
        return i64(key.publisher().high())
                .i64(key.publisher().low())
                .i64(key.id().high())
                .i64(key.id().low());
    }

    BodyWriter manifest(Manifest manifest) {
        key(manifest.key())
                .i64(manifest.number())
                .string(manifest.topic().name())
                .u8(manifest.kind().code())
                .string(manifest.name())
                .strings(manifest.paths())
                .i64(manifest.sizeBytes())
                .i32(manifest.fragmentSizeBytes());
        return pairs(manifest.attributes());
    }

    private BodyWriter pairs(Map<String, String> pairs) {
        i32(pairs.size());
        for (Map.Entry<String, String> pair : new TreeMap<>(pairs).entrySet()) {
            string(pair.getKey()).string(pair.getValue());
        }
        return this;
    }

    BodyWriter commit(Commit commit) {
        return i64(commit.sizeBytes())
                .i64(commit.fragmentCount())
                .i32(commit.digest().fragmentSizeBytes())
                .bytes(commit.digest().root());
    }

    BodyWriter receipt(Receipt receipt) {
        return key(receipt.key())
                .string(receipt.subscription())
                .u8(receipt.status().code())
                .string(receipt.reason())
                .i64(receipt.epochMillis());
    }

    /** For a body that holds a subscription: one without terms is written as it always was. */
    static BodyWriter of(SubscriptionSpec spec) {
        return new BodyWriter(spec.terms().equals(SubscriptionTerms.NONE) ? FIRST_VERSION : VERSION);
    }

    BodyWriter subscription(SubscriptionSpec spec) {
        string(spec.name())
                .string(spec.topic().name())
                .i64(spec.owner().high())
                .i64(spec.owner().low())
                .u8(spec.startAt().code())
                .u8(spec.ackLevel().code());
        return version == FIRST_VERSION ? this : pairs(spec.terms().toMap());
    }

    BodyWriter ranges(FragmentRanges ranges) {
        List<FragmentRange> runs = ranges.runs();
        i32(runs.size());
        runs.forEach(run -> i64(run.start()).i64(run.end()));
        return this;
    }
}
