package io.hawser.store.record;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.CorruptRecordException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Decodes the body of a record that {@link FieldWriter} encoded. Each length is checked against what is left before anything is
 * allocated.
 *
 * <p>Thread: its creator.
 */
public class FieldReader {
    private final ByteBuffer in;

    public FieldReader(byte[] body) {
        this.in = ByteBuffer.wrap(body);
    }

    public interface AttributesReader {
        Map<String, String> read() throws CorruptRecordException;
    }

    private ByteBuffer need(long bytes) throws CorruptRecordException {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new CorruptRecordException(
                    "a record's body of " + in.limit() + " bytes ends before its content does");
        }
        return in;
    }

    /** What {@code maker} makes of fields that were read; a value that {@code what} cannot have means damage. */
    public static <T> T checked(String what, Supplier<T> maker) throws CorruptRecordException {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a " + what + " that cannot be: " + e.getMessage(), e);
        }
    }

    public final int u8() throws CorruptRecordException {
        return Byte.toUnsignedInt(need(Byte.BYTES).get());
    }

    public final boolean flag() throws CorruptRecordException {
        return u8() != 0;
    }

    public final int i32() throws CorruptRecordException {
        return need(Integer.BYTES).getInt();
    }

    public final long i64() throws CorruptRecordException {
        return need(Long.BYTES).getLong();
    }

    /** Bytes whose number the format fixes. */
    public final byte[] raw(int length) throws CorruptRecordException {
        need(length); // before anything is allocated
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** Bytes after their number. */
    public final byte[] bytes() throws CorruptRecordException {
        return raw(i32());
    }

    public final String string() throws CorruptRecordException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** A count of elements that take at least {@code elementBytes} each. */
    public final int count(int elementBytes) throws CorruptRecordException {
        int count = i32();
        need(count < 0 ? -1 : (long) count * elementBytes);
        return count;
    }

    public final List<String> strings() throws CorruptRecordException {
        int count = count(Integer.BYTES);
        List<String> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            strings.add(string());
        }
        return strings;
    }

    public final Map<String, String> pairs() throws CorruptRecordException {
        int count = count(2 * Integer.BYTES);
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < count; i++) {
            pairs.put(string(), string());
        }
        return pairs;
    }

    public final NodeId node() throws CorruptRecordException {
        return new NodeId(i64(), i64());
    }

    public final TransferKey key() throws CorruptRecordException {
        return new TransferKey(node(), new TransferId(i64(), i64()));
    }

    /** The manifest of which {@link FieldWriter#description} comes next, and then the attributes. */
    public final Manifest manifest(TransferKey key, AttributesReader attributesReader) throws CorruptRecordException {
        long number = i64();
        String topic = string();
        int kind = u8();
        String name = string();
        List<String> read = strings();
        // One string on the heap, not two.
        List<String> paths = read.size() == 1 && read.get(0).equals(name) ? List.of(name) : read;
        long sizeBytes = i64();
        int fragmentSizeBytes = i32();
        Map<String, String> attributes = attributesReader.read();
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
                        attributes));
    }

    /** The receipt for {@code key}, of which {@link FieldWriter#receipt} comes next. */
    public final Receipt receipt(TransferKey key) throws CorruptRecordException {
        String subscription = string();
        int status = u8();
        String reason = string();
        long epochMillis = i64();
        return checked("receipt", () -> new Receipt(key, subscription, ReceiptStatus.of(status), reason, epochMillis));
    }

    public final FragmentRanges ranges() throws CorruptRecordException {
        int count = count(2 * Long.BYTES);
        FragmentRanges ranges = new FragmentRanges();
        for (int i = 0; i < count; i++) {
            long start = i64();
            long end = i64();
            if (start < 0 || end <= start) {
                throw new CorruptRecordException("a range from " + start + " to " + end);
            }
            ranges.add(start, end);
        }
        return ranges;
    }
}
