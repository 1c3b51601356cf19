package io.hawser.store.spool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the body of a journal record apart. Each length is checked against what is left before anything is allocated;
 * whatever does not fit is an {@link IllegalArgumentException}.
 */
final class BodyReader {
    private final ByteBuffer bytes;

    BodyReader(byte[] body) {
        this.bytes = ByteBuffer.wrap(body);
    }

    int getByte() {
        return need(Byte.BYTES).get();
    }

    int getInt() {
        return need(Integer.BYTES).getInt();
    }

    long getLong() {
        return need(Long.BYTES).getLong();
    }

    byte[] getBytes(int length) {
        byte[] value = new byte[checked(length)];
        bytes.get(value);
        return value;
    }

    String getString() {
        return new String(getBytes(getInt()), StandardCharsets.UTF_8);
    }

    List<String> getStrings() {
        int count = getInt();
        if (count < 0 || (long) count * Integer.BYTES > bytes.remaining()) {
            throw new IllegalArgumentException(count + " strings in " + bytes.remaining() + " bytes");
        }
        List<String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(getString());
        }
        return List.copyOf(values);
    }

    private ByteBuffer need(int length) {
        checked(length);
        return bytes;
    }

    private int checked(int length) {
        if (length < 0 || length > bytes.remaining()) {
            throw new IllegalArgumentException(length + " bytes wanted, " + bytes.remaining() + " left");
        }
        return length;
    }
}
