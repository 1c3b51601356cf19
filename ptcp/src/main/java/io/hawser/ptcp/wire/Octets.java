package io.hawser.ptcp.wire;

import java.util.Arrays;

/** Immutable bytes, compared by value. The text is only their length, because some are secret. */
public final class Octets {
    public static final Octets EMPTY = new Octets(new byte[0]);

    private final byte[] bytes;

    private Octets(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A copy of {@code bytes}. */
    public static Octets of(byte[] bytes) {
        return new Octets(bytes.clone());
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
        return other instanceof Octets that && Arrays.equals(bytes, that.bytes);
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
