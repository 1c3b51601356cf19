package io.hawser.it.chaos;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Bytes of objects. Thread: any. */
final class Content {
    private static final int SMALL = 64 << 10;
    private static final int MIB = 1 << 20;

    private Content() {}

    /** Mostly small, some of a few MiB, a few of many; incompressible, and different each time. */
    static byte[] next(SplittableRandom random) {
        int dice = random.nextInt(100);
        int size = dice < 4
                ? 0
                : dice < 65
                        ? random.nextInt(SMALL)
                        : dice < 95 ? random.nextInt(2 * MIB) : 4 * MIB + random.nextInt(8 * MIB);
        return of(random, size);
    }

    static byte[] of(SplittableRandom random, int size) {
        byte[] content = new byte[size];
        ByteBuffer buffer = ByteBuffer.wrap(content);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(random.nextLong());
        }
        while (buffer.hasRemaining()) {
            buffer.put((byte) random.nextInt());
        }
        return content;
    }
}
