package io.hawser.it.reference;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.StorageException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fields of a body, one after the other, as the description of {@code io.hawser.core.codec} has them. Thread: its owner's. */
final class ReferenceInput {
    private final ByteBuffer in;

    private ReferenceInput(byte[] body) {
        this.in = ByteBuffer.wrap(body);
    }

    /** What reads a body. */
    interface Body<T> {
        T read(ReferenceInput in) throws StorageException;
    }

    /** Reads a whole body: nothing may be missing or left over. */
    static <T> T whole(byte[] body, Body<T> form) throws StorageException {
        ReferenceInput input = new ReferenceInput(body);
        try {
            T value = form.read(input);
            if (input.in.hasRemaining()) {
                throw new StorageException(input.in.remaining() + " bytes are left over in a body of " + body.length);
            }
            return value;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new StorageException("a body of " + body.length + " bytes is not what it should be: " + e, e);
        }
    }

    boolean hasMore() {
        return in.hasRemaining();
    }

    int u8() {
        return in.get() & 0xFF;
    }

    int u16() {
        return in.getShort() & 0xFFFF;
    }

    long i64() {
        return in.getLong();
    }

    boolean flag() throws StorageException {
        int value = u8();
        if (value > 1) {
            throw new StorageException("a flag is 0 or 1, not " + value);
        }
        return value == 1;
    }

    private byte[] bytes(int length) {
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] value = new byte[length];
        in.get(value);
        return value;
    }

    /** An unsigned number in groups of seven bits, the lowest first. */
    int n() throws StorageException {
        long value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int group = u8();
            value |= (long) (group & 0x7F) << shift;
            if (group < 0x80) {
                if (value > Integer.MAX_VALUE) {
                    break;
                }
                return (int) value;
            }
        }
        throw new StorageException("a number of more than 31 bits");
    }

    String text() throws StorageException {
        return new String(bytes(n()), StandardCharsets.UTF_8);
    }

    List<String> texts() throws StorageException {
        List<String> all = new ArrayList<>();
        for (int left = n(); left > 0; left--) {
            all.add(text());
        }
        return all;
    }

    /** Pairs of texts, ascending by the first. */
    SortedMap<String, String> pairs() throws StorageException {
        TreeMap<String, String> all = new TreeMap<>();
        for (int left = n(); left > 0; left--) {
            String name = text();
            if (!all.isEmpty() && all.lastKey().compareTo(name) >= 0) {
                throw new StorageException("names do not ascend: " + name);
            }
            all.put(name, text());
        }
        return all;
    }

    NodeId nodeId() {
        return new NodeId(i64(), i64());
    }

    TransferKey key() {
        return TransferKey.read(in);
    }

    Manifest manifest(TransferKey key) throws StorageException {
        long number = i64();
        Topic topic = new Topic(text());
        TransferKind kind = TransferKind.of(u8());
        String name = text();
        List<String> paths = texts();
        long size = i64();
        int fragmentSize = in.getInt();
        Map<String, String> attributes = pairs();
        return new Manifest(key, number, topic, kind, name, paths, size, fragmentSize, attributes, extensions());
    }

    Commit commit() throws StorageException {
        long size = i64();
        TransferDigest digest = digest();
        extensions();
        return Commit.of(size, digest);
    }

    TransferDigest digest() {
        return new TransferDigest(in.getInt(), bytes(TransferDigest.LENGTH_BYTES));
    }

    Receipt receipt(TransferKey key) throws StorageException {
        Receipt receipt = new Receipt(key, text(), ReceiptStatus.of(u8()), text(), i64());
        extensions();
        return receipt;
    }

    /** A refusal, as its code and its detail. */
    String refusal() throws StorageException {
        return u16() + " " + text();
    }

    FragmentRanges ranges() throws StorageException {
        FragmentRanges all = new FragmentRanges();
        for (int left = n(); left > 0; left--) {
            all.add(i64(), i64());
        }
        return all;
    }

    private List<Extension> extensions() throws StorageException {
        List<Extension> all = new ArrayList<>();
        for (int left = n(); left > 0; left--) {
            all.add(new Extension(n(), flag(), bytes(n())));
        }
        return all;
    }
}
