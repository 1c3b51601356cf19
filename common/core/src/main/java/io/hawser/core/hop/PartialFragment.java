package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * A fragment of which some packets have arrived. A packet is read straight into its place, if nothing has been received or is being
 * read there; otherwise into memory of its own, so that nobody writes over bytes that were checked, and is copied. A stream that is
 * stuck in the middle of a packet holds nobody up: when another copy of those bytes is complete, the fragment goes on in that copy's
 * memory. What was checked once is never given up.
 *
 * <p>Thread: the receiver's loop.
 */
final class PartialFragment {
    final int length;
    final byte[] leaf;
    private FragmentBuffer buffer;
    /** Byte ranges that arrived and agreed with their CRC. */
    private final FragmentRanges received = new FragmentRanges();

    private long arrivedBytes;
    /** Packets that are being read into the buffer at this moment; no two of them overlap. */
    private final List<PacketHeader> writers = new ArrayList<>(2);

    /** Takes over one reference of the buffer. */
    PartialFragment(FragmentBuffer buffer, int length, byte[] leaf) {
        this.buffer = buffer;
        this.length = length;
        this.leaf = leaf;
    }

    /** Where the fragment's bytes are; one reference of it belongs to this partial, until somebody takes it over. */
    FragmentBuffer buffer() {
        return buffer;
    }

    /** Whether the packet's bytes are here already. */
    boolean has(PacketHeader packet) {
        return received.containsAll(packet.offset(), end(packet));
    }

    /** Whether the packet can be read straight into its place. */
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

    /** The packet will be read into its place. */
    void begin(PacketHeader packet) {
        writers.add(packet);
    }

    /** The packet is no longer being read into {@code memory}. */
    void ended(PacketHeader packet, FragmentBuffer memory) {
        if (memory == buffer) {
            writers.remove(packet);
        }
    }

    /** The packet is whole in {@code memory} and agrees with its CRC. */
    void received(PacketHeader packet, FragmentBuffer memory) {
        if (memory != buffer && !has(packet)) {
            if (isBeingWritten(packet)) {
                goOnIn(memory.retain());
            } else {
                copy(packet.offset(), packet.length(), memory, buffer);
            }
        }
        received.add(packet.offset(), end(packet));
        arrivedBytes += packet.length();
    }

    /** Leaves the old memory to those who are stuck in it. */
    private void goOnIn(FragmentBuffer memory) {
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

    /** Into how many pieces it is split at this moment: what bounds the memory that they take. */
    int pieces() {
        return received.runCount() + writers.size();
    }

    boolean isBeingWritten() {
        return !writers.isEmpty();
    }

    boolean complete() {
        return received.containsAll(0, length);
    }

    /** Bytes that arrived, counting what came twice. */
    long arrivedBytes() {
        return arrivedBytes;
    }

    private static long end(PacketHeader packet) {
        return packet.offset() + (long) packet.length();
    }
}
