package io.hawser.store.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/**
 * A file's bytes, as the kernel shows them and as the device has them.
 *
 * <p>Thread: any.
 */
final class FaultyInode {
    private final int sectorBytes;
    private final long number;
    /** Zeros follow the {@link #size} bytes of the file. */
    private byte[] cached = new byte[0];

    private int size;
    private byte[] durable = new byte[0];
    private int durableSize;
    private final BitSet dirtySectors = new BitSet();
    /** Of which a force failed: the cache shows what the device has not, and no later force writes it. */
    private final BitSet lostSectors = new BitSet();

    private long modifiedNanos;

    FaultyInode(int sectorBytes, long number) {
        this.number = number;
        this.sectorBytes = sectorBytes;
    }

    /** Another one for each file, also for one that takes another's name. */
    long number() {
        return number;
    }

    /** The device changes one bit of what it has. */
    synchronized void flipBit(long bit) {
        int place = (int) (bit / Byte.SIZE);
        byte mask = (byte) (1 << bit % Byte.SIZE);
        cached[place] ^= mask;
        if (place < durableSize) {
            durable[place] ^= mask;
        }
    }

    synchronized long sizeBytes() {
        return size;
    }

    synchronized long modifiedNanos() {
        return modifiedNanos;
    }

    synchronized void modifiedNanos(long nanos) {
        modifiedNanos = nanos;
    }

    /** {@code direct}: past the cache, which shows what a failed force has lost. */
    synchronized int read(ByteBuffer into, long position, boolean direct) {
        byte[] seen = direct && !lostSectors.isEmpty() ? onDevice() : cached;
        int length = (int) Math.max(0, Math.min(into.remaining(), size - position));
        if (length > 0) {
            into.put(seen, (int) position, length);
        }
        return length;
    }

    /** What is in the cache, but in the lost sectors what is on the device. */
    private byte[] onDevice() {
        byte[] seen = cached.clone();
        for (int sector = lostSectors.nextSetBit(0); sector >= 0; sector = lostSectors.nextSetBit(sector + 1)) {
            int from = sector * sectorBytes;
            for (int i = from; i < Math.min(from + sectorBytes, size); i++) {
                seen[i] = i < durableSize ? durable[i] : 0;
            }
        }
        return seen;
    }

    /** The same with room for {@code size} bytes and more. */
    private static byte[] grown(byte[] bytes, int size) {
        return size <= bytes.length ? bytes : Arrays.copyOf(bytes, Math.max(size, 2 * bytes.length));
    }

    synchronized void write(ByteBuffer from, long position) {
        int length = from.remaining();
        int end = Math.toIntExact(position + length);
        cached = grown(cached, end);
        size = Math.max(size, end);
        from.get(cached, (int) position, length);
        if (length > 0) {
            int first = (int) (position / sectorBytes);
            int behind = (end - 1) / sectorBytes + 1;
            dirtySectors.set(first, behind);
            lostSectors.clear(first, behind);
        }
    }

    synchronized void truncate(long sizeBytes) {
        if (sizeBytes < size) {
            int first = (int) (sizeBytes / sectorBytes);
            int behind = size / sectorBytes + 1;
            dirtySectors.set(first, behind); // what is cut off does not come back when the file grows again
            lostSectors.clear(first, behind);
            Arrays.fill(cached, (int) sizeBytes, size, (byte) 0);
            size = (int) sizeBytes;
        }
    }

    synchronized void force() {
        durable = grown(durable, size);
        if (size < durableSize) {
            Arrays.fill(durable, size, durableSize, (byte) 0);
        }
        durableSize = size;
        for (int first = dirtySectors.nextSetBit(0); first >= 0; ) {
            int behind = dirtySectors.nextClearBit(first);
            copy(durable, first * sectorBytes, Math.min(behind * sectorBytes, size));
            first = dirtySectors.nextSetBit(behind);
        }
        dirtySectors.clear();
    }

    /** The force failed: the kernel forgets that the bytes are dirty, and goes on showing them. */
    synchronized void failForce() {
        lostSectors.or(dirtySectors);
        dirtySectors.clear();
    }

    /** Whether some of the sectors that had not been forced survived, and some did not. */
    synchronized boolean powerCut(Random random) {
        byte[] survived = Arrays.copyOf(durable, durableSize);
        if (size != durableSize && random.nextBoolean()) {
            int low = Math.min(size, durableSize);
            int high = Math.max(size, durableSize);
            int newSize = random.nextBoolean() ? size : low + random.nextInt(high - low + 1);
            survived = Arrays.copyOf(survived, newSize);
        }
        int mode = random.nextInt(4); // all, none, or any
        int whole = 0;
        int lost = 0;
        for (int sector = dirtySectors.nextSetBit(0); sector >= 0; sector = dirtySectors.nextSetBit(sector + 1)) {
            boolean survives = mode == 0 || (mode > 1 && random.nextBoolean());
            whole += survives ? 1 : 0;
            lost += survives ? 0 : 1;
            if (survives) {
                int from = sector * sectorBytes;
                int end = Math.min(from + sectorBytes, size);
                int to = random.nextInt(8) == 0 ? from + random.nextInt(sectorBytes) : end; // torn
                copy(survived, from, Math.min(to, end));
            }
        }
        cached = survived;
        size = survived.length;
        durable = survived.clone();
        durableSize = size;
        dirtySectors.clear();
        lostSectors.clear();
        return whole > 0 && lost > 0;
    }

    private void copy(byte[] into, int from, int to) {
        int end = Math.min(to, into.length);
        if (from < end) {
            System.arraycopy(cached, from, into, from, end - from);
        }
    }
}
