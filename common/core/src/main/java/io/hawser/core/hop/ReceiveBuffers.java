package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that one session's fragments take from the pool, within the sender's credit and its {@link SenderAllowance}.
 *
 * <p>Thread: the receiver's loop.
 */
final class ReceiveBuffers {
    private final FragmentBufferPool pool;
    private final SenderAllowance allowance;
    /** Buffers with a second copy of bytes that some stream is reading; each counts in the allowance. */
    private final Set<FragmentBuffer> copies = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The largest credit that the sender ever had: a smaller one does not reach it before its next packets leave. */
    private long maxWindowBytes;
    /** The sender's credit now. */
    private long windowBytes;
    /** Bytes of fragments that are partly here, wait for OPEN, or are being written. */
    private long fragmentBytes;

    ReceiveBuffers(FragmentBufferPool pool, SenderAllowance allowance, long windowBytes) {
        this.pool = pool;
        this.allowance = allowance;
        this.maxWindowBytes = windowBytes;
        this.windowBytes = windowBytes;
    }

    void credit(long newWindowBytes) {
        windowBytes = newWindowBytes;
        maxWindowBytes = Math.max(maxWindowBytes, newWindowBytes);
    }

    long windowBytes() {
        return windowBytes;
    }

    /** A placement for the first packet of a fragment. {@link #release} ends the fragment's use of credit and allowance. */
    PacketPlacement placeFirst(PacketHeader header) {
        if (fragmentBytes > 0 && fragmentBytes + header.fragmentLength() > maxWindowBytes) {
            return new PacketPlacement.AwaitAllowance();
        }
        PacketPlacement placement = place(header.offset());
        if (placement instanceof PacketPlacement.InBuffer) {
            fragmentBytes += header.fragmentLength();
        }
        return placement;
    }

    /** A placement in memory of its own for a packet some of whose bytes are here, or are being read by another stream. */
    PacketPlacement placeCopy(PacketHeader header) {
        PacketPlacement placement = place(header.offset());
        if (placement instanceof PacketPlacement.InBuffer placed) {
            copies.add(placed.buffer());
        }
        return placement;
    }

    private PacketPlacement place(int offset) {
        if (!allowance.tryTakeBuffer()) {
            return new PacketPlacement.AwaitAllowance();
        }
        @Nullable FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            allowance.giveBuffer();
            return new PacketPlacement.AwaitMemory();
        }
        return new PacketPlacement.InBuffer(buffer, offset);
    }

    /** A stream is stuck in the middle of a packet in this buffer, which the fragment no longer uses. */
    void heldByStream(FragmentBuffer buffer) {
        if (allowance.tryTakeBuffer()) {
            copies.add(buffer);
        }
    }

    /** No stream reads into this buffer any more. */
    void read(FragmentBuffer buffer) {
        if (!copies.isEmpty() && copies.remove(buffer)) {
            allowance.giveBuffer();
        }
    }

    /** A fragment of that length is durable or dropped. */
    void release(int fragmentLength) {
        fragmentBytes -= fragmentLength;
        allowance.giveBuffer();
    }

    /** The session is over. Fragments that the store is writing are released later. */
    void linkDown() {
        copies.forEach(copy -> allowance.giveBuffer());
        copies.clear();
    }
}
