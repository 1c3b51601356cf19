package io.hawser.store.record;

import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Encodes the body of a record, field by field; {@link FieldReader} decodes it.
 *
 * <p>Thread: its creator.
 */
public final class FieldWriter {
    private static final int INITIAL_BYTES = 256;

    private ByteBuffer out = ByteBuffer.allocate(INITIAL_BYTES);

    /** What was written so far; more may follow. */
    public byte[] toBytes() {
        return Arrays.copyOf(out.array(), out.position());
    }

    /** How many bytes there are so far. */
    public int size() {
        return out.position();
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * out.capacity(), out.position() + bytes));
            out = larger.put(out.flip());
        }
        return out;
    }

    public FieldWriter u8(int value) {
        room(Byte.BYTES).put((byte) value);
        return this;
    }

    public FieldWriter flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    public FieldWriter i32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    public FieldWriter i64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /** Bytes whose number the format fixes. */
    public FieldWriter raw(byte[] value) {
        room(value.length).put(value);
        return this;
    }

    /** Bytes after their number. */
    public FieldWriter bytes(byte[] value) {
        return i32(value.length).raw(value);
    }

    public FieldWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public FieldWriter strings(Collection<String> values) {
        i32(values.size());
        values.forEach(this::string);
        return this;
    }

    /** Names and texts, ascending by name. */
    public FieldWriter pairs(Map<String, String> pairs) {
        i32(pairs.size());
        new TreeMap<>(pairs).forEach((name, value) -> string(name).string(value));
        return this;
    }

    public FieldWriter node(NodeId node) {
        return i64(node.high()).i64(node.low());
    }

    public FieldWriter key(TransferKey key) {
        return node(key.publisher()).i64(key.id().high()).i64(key.id().low());
    }

    /** All of a manifest but its key and its attributes. */
    public FieldWriter description(Manifest manifest) {
        return i64(manifest.number())
                .string(manifest.topic().name())
                .u8(manifest.kind().code())
                .string(manifest.name())
                .strings(manifest.paths())
                .i64(manifest.sizeBytes())
                .i32(manifest.fragmentSizeBytes());
    }

    /** All of a receipt but its key. */
    public FieldWriter receipt(Receipt receipt) {
        return string(receipt.subscription())
                .u8(receipt.status().code())
                .string(receipt.reason())
                .i64(receipt.epochMillis());
    }

    public FieldWriter ranges(FragmentRanges ranges) {
        List<FragmentRange> runs = ranges.runs();
        i32(runs.size());
        runs.forEach(run -> i64(run.start()).i64(run.end()));
        return this;
    }
}
