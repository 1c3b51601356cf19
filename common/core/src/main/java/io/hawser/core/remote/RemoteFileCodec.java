package io.hawser.core.remote;

import io.hawser.core.model.Utf8;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and decodes file metadata, big-endian: kind u8 (0 file, 1 directory), size i64, modified milliseconds i64, mode u16, name
 * and fingerprint as strings (u16 length, UTF-8). A page of a listing is a sequence of these.
 */
public final class RemoteFileCodec {
    /** The longest name of an entry, in bytes. */
    public static final int MAX_NAME_LENGTH_BYTES = 1024;

    private static final int FIXED_LENGTH_BYTES = 1 + 8 + 8 + 2 + 2 + 2;
    /** The most bytes of one file. */
    public static final int MAX_LENGTH_BYTES =
            FIXED_LENGTH_BYTES + MAX_NAME_LENGTH_BYTES + RemoteFile.MAX_FINGERPRINT_LENGTH;

    private RemoteFileCodec() {}

    /** Writes a file. {@link BufferOverflowException} if it does not fit: then nothing was written. */
    public static void put(ByteBuffer out, RemoteFile file) {
        byte[] name = file.name().getBytes(StandardCharsets.UTF_8);
        byte[] fingerprint = file.fingerprint().getBytes(StandardCharsets.UTF_8);
        if (name.length > MAX_NAME_LENGTH_BYTES || fingerprint.length > RemoteFile.MAX_FINGERPRINT_LENGTH) {
            throw new IllegalArgumentException("a name of " + name.length + " bytes");
        }
        if (out.remaining() < FIXED_LENGTH_BYTES + name.length + fingerprint.length) {
            throw new BufferOverflowException();
        }
        out.put((byte) (file.isDirectory() ? 1 : 0)).putLong(file.sizeBytes()).putLong(file.modifiedMillis());
        out.putShort((short) file.mode());
        out.putShort((short) name.length).put(name);
        out.putShort((short) fingerprint.length).put(fingerprint);
    }

    /** Reads a file. {@link IllegalArgumentException} if the bytes are malformed. */
    public static RemoteFile get(ByteBuffer in) {
        try {
            int kind = in.get();
            long sizeBytes = in.getLong();
            long modifiedMillis = in.getLong();
            int mode = in.getShort() & 0xFFFF;
            if (kind < 0 || kind > 1 || sizeBytes < 0) {
                throw new IllegalArgumentException("a file of kind " + kind + " and size " + sizeBytes);
            }
            String name = string(in, MAX_NAME_LENGTH_BYTES);
            String fingerprint = string(in, RemoteFile.MAX_FINGERPRINT_LENGTH);
            return new RemoteFile(
                    name,
                    kind == 1 ? RemoteFile.Kind.DIRECTORY : RemoteFile.Kind.FILE,
                    sizeBytes,
                    modifiedMillis,
                    mode,
                    fingerprint);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a file is truncated", e);
        }
    }

    /** Reads a page of files until the bytes end. */
    public static List<RemoteFile> getAll(ByteBuffer in) {
        List<RemoteFile> files = new ArrayList<>();
        while (in.hasRemaining()) {
            files.add(get(in));
        }
        return files;
    }

    private static String string(ByteBuffer in, int maxBytes) {
        int length = in.getShort() & 0xFFFF;
        if (length > maxBytes) {
            throw new IllegalArgumentException("a string of " + length + " bytes where " + maxBytes + " are allowed");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return Utf8.decode(bytes);
    }
}
