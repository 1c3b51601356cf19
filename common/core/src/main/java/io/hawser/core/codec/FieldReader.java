package io.hawser.core.codec;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.model.Utf8;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decodes what {@link FieldWriter} encoded. Each length is checked against what is left before anything is allocated. Every method
 * throws a {@link MalformedFieldException} where the bytes are not what they should be.
 *
 * <p>Thread: its creator.
 */
public class FieldReader {
    private static final int GROUP_BITS = 7;
    private static final int GROUP_MASK = (1 << GROUP_BITS) - 1;
    private static final int LAST_GROUP_SHIFT = 4 * GROUP_BITS;
    /** The least that an extension takes. */
    private static final int EXTENSION_BYTES = 3;

    private final ByteBuf in;

    public FieldReader(byte[] body) {
        this(Unpooled.wrappedBuffer(body));
    }

    /** Reads on in {@code in}, which stays the caller's. */
    public FieldReader(ByteBuf in) {
        this.in = in;
    }

    private ByteBuf need(long bytes) {
        if (bytes > in.readableBytes()) {
            throw new MalformedFieldException(in.writerIndex() + " bytes end before their content does");
        }
        return in;
    }

    /** What {@code maker} makes of fields that were read; a value that {@code what} cannot have is malformed. */
    public static <T> T checked(String what, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new MalformedFieldException("a " + what + " that cannot be: " + e.getMessage(), e);
        }
    }

    /** Whether bytes are left. */
    public final boolean hasMore() {
        return in.isReadable();
    }

    public final int u8() {
        return need(Byte.BYTES).readUnsignedByte();
    }

    public final int u16() {
        return need(Short.BYTES).readUnsignedShort();
    }

    public final boolean flag() {
        return u8() != 0;
    }

    public final int i32() {
        return need(Integer.BYTES).readInt();
    }

    public final long i64() {
        return need(Long.BYTES).readLong();
    }

    /** A length or count of things that take at least {@code elementBytes} each. */
    public final int count(int elementBytes) {
        int value = 0;
        int shift = 0;
        int group = u8();
        while (group > GROUP_MASK) {
            value |= (group & GROUP_MASK) << shift;
            shift += GROUP_BITS;
            if (shift > LAST_GROUP_SHIFT) {
                throw new MalformedFieldException("a count of more than 31 bits");
            }
            group = u8();
        }
        value |= group << shift;
        if (value < 0 || (shift == LAST_GROUP_SHIFT && group > GROUP_MASK >>> (GROUP_BITS - 3))) {
            throw new MalformedFieldException("a count of more than 31 bits");
        }
        need((long) value * elementBytes);
        return value;
    }

    /** The same, of {@code what}, of which there may be {@code most}. */
    public final int count(int elementBytes, int most, String what) {
        int count = count(elementBytes);
        if (count > most) {
            throw new MalformedFieldException(count + " " + what + " where " + most + " are allowed");
        }
        return count;
    }

    /** Bytes whose number the format fixes. */
    public final byte[] raw(int length) {
        need(length); // before anything is allocated
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** What {@code reading} reads, which moves the position of the buffer that it gets to behind it. */
    public final <T> T read(Function<ByteBuffer, T> reading) {
        ByteBuffer rest = in.nioBuffer();
        T read = reading.apply(rest);
        in.skipBytes(rest.position());
        return read;
    }

    /** Bytes after their number. */
    public final byte[] bytes() {
        return raw(count(1));
    }

    public final String string() {
        return string(Integer.MAX_VALUE);
    }

    /** A text of at most {@code mostBytes} in UTF-8. */
    public final String string(int mostBytes) {
        byte[] bytes = raw(count(1, mostBytes, "bytes of a text"));
        return checked("text", () -> Utf8.decode(bytes));
    }

    public final List<String> strings() {
        return strings(Integer.MAX_VALUE, Integer.MAX_VALUE, "texts");
    }

    /** At most {@code most} texts of at most {@code mostBytes} in UTF-8 each; {@code what} they are is for the message. */
    public final List<String> strings(int mostBytes, int most, String what) {
        int count = count(1, most, what);
        List<String> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            strings.add(string(mostBytes));
        }
        return strings;
    }

    public final Map<String, String> pairs() {
        return pairs(Integer.MAX_VALUE, "pairs");
    }

    /** At most {@code most} names and texts; {@code what} they are is for the message. */
    public final Map<String, String> pairs(int most, String what) {
        int count = count(2, most, what);
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < count; i++) {
            pairs.put(Attributes.shared(string()), string());
        }
        return pairs;
    }

    public final NodeId node() {
        return new NodeId(i64(), i64());
    }

    public final TransferKey key() {
        return new TransferKey(node(), new TransferId(i64(), i64()));
    }

    /** The manifest of transfer {@code key}. */
    public final Manifest manifest(TransferKey key) {
        long number = i64();
        String topic = string(Topic.MAX_LENGTH_BYTES);
        int kind = u8();
        String name = string(Manifest.MAX_NAME_LENGTH_BYTES);
        List<String> read = strings(Manifest.MAX_NAME_LENGTH_BYTES, Manifest.MAX_PATHS, "paths");
        // One string on the heap, not two.
        List<String> paths = read.size() == 1 && read.get(0).equals(name) ? List.of(name) : read;
        long sizeBytes = i64();
        int fragmentSizeBytes = i32();
        Map<String, String> attributes = pairs(Manifest.MAX_ATTRIBUTES, "attributes");
        List<Extension> extensions = extensions();
        return checked(
                "manifest",
                () -> new Manifest(
                        key,
                        number,
                        new Topic(topic),
                        TransferKind.of(kind),
                        name,
                        paths,
                        sizeBytes,
                        fragmentSizeBytes,
                        attributes,
                        extensions));
    }

    public final Commit commit() {
        long sizeBytes = i64();
        int fragmentSizeBytes = i32();
        byte[] root = raw(TransferDigest.LENGTH_BYTES);
        refuseRequired(extensions());
        return checked("commit", () -> Commit.of(sizeBytes, new TransferDigest(fragmentSizeBytes, root)));
    }

    /** The receipt for transfer {@code key}. */
    public final Receipt receipt(TransferKey key) {
        return receipt(key, Integer.MAX_VALUE);
    }

    /** With a reason of at most {@code mostBytes} in UTF-8. */
    public final Receipt receipt(TransferKey key, int mostBytes) {
        String subscription = string(Topic.MAX_LENGTH_BYTES);
        int status = u8();
        String reason = string(mostBytes);
        long epochMillis = i64();
        refuseRequired(extensions());
        return checked("receipt", () -> new Receipt(key, subscription, ReceiptStatus.of(status), reason, epochMillis));
    }

    public final Refusal refusal() {
        return refusal(Integer.MAX_VALUE);
    }

    /** With at most {@code mostBytes} of detail in UTF-8. */
    public final Refusal refusal(int mostBytes) {
        int code = u16();
        String detail = string(mostBytes);
        return checked("refusal", () -> new Refusal(ErrorCode.of(code), detail));
    }

    public final FragmentRanges ranges() {
        return ranges(Integer.MAX_VALUE);
    }

    /** At most {@code most} runs. */
    public final FragmentRanges ranges(int most) {
        int count = count(2 * Long.BYTES, most, "ranges");
        FragmentRanges ranges = new FragmentRanges();
        for (int i = 0; i < count; i++) {
            long start = i64();
            long end = i64();
            if (start < 0 || end <= start) {
                throw new MalformedFieldException("a range from " + start + " to " + end);
            }
            ranges.add(start, end);
        }
        return ranges;
    }

    private List<Extension> extensions() {
        int count = count(EXTENSION_BYTES, Manifest.MAX_EXTENSIONS, "extensions");
        if (count == 0) {
            return List.of();
        }
        List<Extension> extensions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            extensions.add(new Extension(count(0), flag(), bytes()));
        }
        return extensions;
    }

    private static void refuseRequired(List<Extension> extensions) {
        Extension.unknown(extensions).ifPresent(extension -> {
            throw new MalformedFieldException(extension.refusal());
        });
    }
}
