package io.hawser.ptcp.wire;

import java.util.Arrays;

/** Immutable bytes, compared by value. The text is only their length, because some are secret. */
public final class ByteString {
    public static final ByteString EMPTY = new ByteString(new byte[0]);

    private final byte[] bytes;

    private ByteString(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A copy of {@code bytes}. */
    public static ByteString of(byte[] bytes) {
        return new ByteString(bytes.clone());
    }

    /** A copy of these bytes. */
    public byte[] toArray() {
        return bytes.clone();
    }

    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteString that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " octets";
    }
}
