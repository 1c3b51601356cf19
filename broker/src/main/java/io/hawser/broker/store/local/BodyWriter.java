package io.hawser.broker.store.local;

import io.hawser.common.model.Commit;
import io.hawser.common.model.FragmentRange;
import io.hawser.common.model.FragmentRanges;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.SubscriptionSpec;
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
 * byte is the version of the body's format, {@value #VERSION}.
 *
 * <p>Thread: whoever made it.
 */
final class BodyWriter {
    static final int VERSION = 1;
    private static final int INITIAL_BYTES = 256;

    private ByteBuffer out = ByteBuffer.allocate(INITIAL_BYTES).put((byte) VERSION);

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
                .i32(manifest.fragmentSizeBytes())
                .i32(manifest.attributes().size());
        for (Map.Entry<String, String> attribute : new TreeMap<>(manifest.attributes()).entrySet()) {
            string(attribute.getKey()).string(attribute.getValue());
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

    BodyWriter subscription(SubscriptionSpec spec) {
        return string(spec.name())
                .string(spec.topic().name())
                .i64(spec.owner().high())
                .i64(spec.owner().low())
                .u8(spec.startAt().code())
                .u8(spec.ackLevel().code());
    }

    BodyWriter ranges(FragmentRanges ranges) {
        List<FragmentRange> runs = ranges.runs();
        i32(runs.size());
        runs.forEach(run -> i64(run.start()).i64(run.end()));
        return this;
    }
}
