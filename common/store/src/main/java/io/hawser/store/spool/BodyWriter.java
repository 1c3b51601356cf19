package io.hawser.store.spool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Builds the body of a journal record: big-endian numbers, strings of UTF-8 after their length. */
final class BodyWriter {
    private static final int INITIAL_BYTES = 256;

    private ByteBuffer bytes = ByteBuffer.allocate(INITIAL_BYTES);

    BodyWriter putByte(int value) {
        room(Byte.BYTES).put((byte) value);
        return this;
    }

    BodyWriter putInt(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    BodyWriter putLong(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    BodyWriter putBytes(byte[] value) {
        room(value.length).put(value);
        return this;
    }

    BodyWriter putString(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return putInt(utf8.length).putBytes(utf8);
    }

    BodyWriter putStrings(List<String> values) {
        putInt(values.size());
        values.forEach(this::putString);
        return this;
    }

    byte[] toBytes() {
        byte[] result = new byte[bytes.position()];
        bytes.get(0, result);
        return result;
    }

    private ByteBuffer room(int length) {
        if (bytes.remaining() < length) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.position() + length));
            bytes = larger.put(bytes.flip());
        }
        return bytes;
    }
}
