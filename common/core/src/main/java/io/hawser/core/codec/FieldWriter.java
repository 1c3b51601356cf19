package io.hawser.core.codec;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Encodes a message or a record, field by field; {@link FieldReader} decodes it. The package's page has the form.
 *
 * <p>Thread: its creator.
 */
public final class FieldWriter {
    private static final int INITIAL_BYTES = 256;
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 1 << GROUP_BITS;

    private final ByteBuf out;

    /** Into memory of its own, on the heap. */
    public FieldWriter() {
        this(Unpooled.buffer(INITIAL_BYTES));
    }

    /** Adds to {@code out}, which stays the caller's. */
    public FieldWriter(ByteBuf out) {
        this.out = out;
    }

    /** What was written so far; more may follow. */
    public byte[] toBytes() {
        return ByteBufUtil.getBytes(out);
    }

    /** How many bytes there are so far. */
    public int size() {
        return out.readableBytes();
    }

    public FieldWriter u8(int value) {
        out.writeByte(value);
        return this;
    }

    public FieldWriter u16(int value) {
        out.writeShort(value);
        return this;
    }

    public FieldWriter flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    public FieldWriter i32(int value) {
        out.writeInt(value);
        return this;
    }

    public FieldWriter i64(long value) {
        out.writeLong(value);
        return this;
    }

    /** A number from 0 on that is mostly small, such as a length or a count. */
    public FieldWriter count(int value) {
        int rest = value;
        while (rest >= GROUP) {
            out.writeByte(rest | GROUP);
            rest >>>= GROUP_BITS;
        }
        out.writeByte(rest);
        return this;
    }

    /** Bytes whose number the format fixes. */
    public FieldWriter raw(byte[] value) {
        out.writeBytes(value);
        return this;
    }

    /** The same. */
    public FieldWriter raw(ByteBuffer value) {
        out.writeBytes(value);
        return this;
    }

    /** Bytes after their number. */
    public FieldWriter bytes(byte[] value) {
        return count(value.length).raw(value);
    }

    public FieldWriter string(String value) {
        count(ByteBufUtil.utf8Bytes(value));
        out.writeCharSequence(value, StandardCharsets.UTF_8);
        return this;
    }

    public FieldWriter strings(Collection<String> values) {
        count(values.size());
        values.forEach(this::string);
        return this;
    }

    /** Names and texts, ascending by name. */
    public FieldWriter pairs(Map<String, String> pairs) {
        count(pairs.size());
        Map<String, String> sorted = pairs.size() > 1 ? new TreeMap<>(pairs) : pairs;
        sorted.forEach((name, value) -> string(name).string(value));
        return this;
    }

    public FieldWriter node(NodeId node) {
        return i64(node.high()).i64(node.low());
    }

    public FieldWriter key(TransferKey key) {
        return node(key.publisher()).i64(key.id().high()).i64(key.id().low());
    }

    /** All of a manifest but its key. */
    public FieldWriter manifest(Manifest manifest) {
        i64(manifest.number())
                .string(manifest.topic().name())
                .u8(manifest.kind().code())
                .string(manifest.name())
                .strings(manifest.paths())
                .i64(manifest.sizeBytes())
                .i32(manifest.fragmentSizeBytes())
                .pairs(manifest.attributes());
        return extensions(manifest.extensions());
    }

    public FieldWriter commit(Commit commit) {
        i64(commit.sizeBytes())
                .i32(commit.digest().fragmentSizeBytes())
                .raw(commit.digest().root());
        return extensions(List.of());
    }

    /** All of a receipt but its key. */
    public FieldWriter receipt(Receipt receipt) {
        string(receipt.subscription())
                .u8(receipt.status().code())
                .string(receipt.reason())
                .i64(receipt.epochMillis());
        return extensions(List.of());
    }

    public FieldWriter refusal(Refusal refusal) {
        return u16(refusal.code().code()).string(refusal.detail());
    }

    public FieldWriter ranges(FragmentRanges ranges) {
        return runs(ranges.runs());
    }

    public FieldWriter runs(List<FragmentRange> runs) {
        count(runs.size());
        runs.forEach(run -> i64(run.start()).i64(run.end()));
        return this;
    }

    private FieldWriter extensions(List<Extension> extensions) {
        count(extensions.size());
        extensions.forEach(
                extension -> count(extension.type()).flag(extension.required()).bytes(extension.value()));
        return this;
    }
}
