package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * A fragment of which some packets have arrived. A packet is read straight into the fragment's buffer, if none of its bytes were received
 * or are being read there; otherwise into a buffer of its own and copied, so that checked bytes are never overwritten. A stream that is
 * stuck in the middle of a packet delays no other: when another copy of those bytes is complete, the fragment moves to that copy's buffer.
 * Checked bytes are never dropped.
 *
 * <p>Thread: the receiver's loop.
 */
final class IncomingFragment {
    final int length;
    final byte[] leaf;
    private FragmentBuffer buffer;
    /** Byte ranges that arrived and match their CRC. */
    private final FragmentRanges received = new FragmentRanges();

    private long arrivedBytes;
    /** Packets that are being read into the buffer now; no two of them overlap. */
    private final List<PacketHeader> writers = new ArrayList<>(2);

    /** Takes over one reference of the buffer. */
    IncomingFragment(FragmentBuffer buffer, int length, byte[] leaf) {
        this.buffer = buffer;
        this.length = length;
        this.leaf = leaf;
    }

    /** The fragment's bytes. This object owns one reference of the buffer, until its caller takes it over. */
    FragmentBuffer buffer() {
        return buffer;
    }

    /** Whether the packet's bytes are here already. */
    boolean has(PacketHeader packet) {
        return received.containsAll(packet.offset(), end(packet));
    }

    /** Whether the packet can be read straight into the buffer. */
    boolean isFree(PacketHeader packet) {
        long firstReceived = received.firstPresent(packet.offset());
        return (firstReceived < 0 || firstReceived >= end(packet)) && !isBeingWritten(packet);
    }

    private boolean isBeingWritten(PacketHeader packet) {
        for (PacketHeader writer : writers) {
            if (writer.offset() < end(packet) && packet.offset() < end(writer)) {
                return true;
            }
        }
        return false;
    }

    /** The packet will be read into the buffer. */
    void begin(PacketHeader packet) {
        writers.add(packet);
    }

    /** The packet is no longer being read into {@code memory}. */
    void ended(PacketHeader packet, FragmentBuffer memory) {
        if (memory == buffer) {
            writers.remove(packet);
        }
    }

    /** The packet is complete in {@code memory} and matches its CRC. */
    void received(PacketHeader packet, FragmentBuffer memory) {
        if (memory != buffer && !has(packet)) {
            if (isBeingWritten(packet)) {
                moveTo(memory.retain());
            } else {
                copy(packet.offset(), packet.length(), memory, buffer);
            }
        }
        received.add(packet.offset(), end(packet));
        arrivedBytes += packet.length();
    }

    /** Leaves the old buffer to the streams that are stuck in it. */
    private void moveTo(FragmentBuffer memory) {
        for (FragmentRange run : received.runs()) {
            copy((int) run.start(), (int) run.count(), buffer, memory);
        }
        buffer.release();
        buffer = memory;
        writers.clear();
    }

    private static void copy(int offset, int count, FragmentBuffer from, FragmentBuffer to) {
        to.payload(offset, count).put(from.payload(offset, count));
    }

    /** How many pieces it consists of now; their number bounds the memory for them. */
    int pieces() {
        return received.runCount() + writers.size();
    }

    boolean isBeingWritten() {
        return !writers.isEmpty();
    }

    boolean complete() {
        return received.containsAll(0, length);
    }

    /** Bytes that arrived, repetitions included. */
    long arrivedBytes() {
        return arrivedBytes;
    }

    private static long end(PacketHeader packet) {
        return packet.offset() + (long) packet.length();
    }
}
