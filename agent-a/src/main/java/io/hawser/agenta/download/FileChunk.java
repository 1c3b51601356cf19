package io.hawser.agenta.download;

import io.hawser.core.buffer.FragmentBuffer;
import java.nio.ByteBuffer;

/**
 * Some bytes of a file in memory. The receiver of a block releases it, once.
 *
 * @param offset where they are in the file
 * @param length how many they are
 * @param buffer where they lie
 * @param start where they begin in the payload of {@code buffer}
 * @param released gives back what the block holds
 */
public record FileChunk(long offset, int length, FragmentBuffer buffer, int start, Runnable released) {
    /** A block that holds one reference of its buffer. */
    public static FileChunk of(long offset, int length, FragmentBuffer buffer, int start) {
        return new FileChunk(offset, length, buffer, start, buffer::release);
    }

    /** A view of bytes {@code [from, from + count)} of this block. */
    public ByteBuffer bytes(int from, int count) {
        return buffer.payload(start + from, count);
    }

    /** Where the byte after the last one is in the file. */
    public long end() {
        return offset + length;
    }

    /** The bytes are no longer needed. */
    public void release() {
        released.run();
    }

    /** This chunk, whose release also runs {@code more}. */
    FileChunk andThen(Runnable more) {
        return new FileChunk(offset, length, buffer, start, () -> {
            released.run();
            more.run();
        });
    }
}
