package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts packets in order and drops duplicates. Packets that wait for an earlier one are bounded in bytes, by the limit that the sender got,
 * and in number.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class PacketReorderer {
    /** What the merger did with a packet. */
    public enum Verdict {
        /** Kept until {@link #poll()}. */
        KEPT,
        /** Released, because it arrived before. */
        DUPLICATE,
        /** Released, because it breaks the protocol. */
        REFUSED
    }

    private final int piecesLimit;
    private final TreeMap<Long, ByteBuf> waiting = new TreeMap<>();
    private long nextPosition;

    /** Creates a merger at position 0 that keeps at most {@code piecesLimit} pieces. */
    public PacketReorderer(int piecesLimit) {
        this.piecesLimit = piecesLimit;
    }

    /**
     * Takes a piece. Takes ownership of {@code bytes}.
     *
     * @param limit position that no piece may reach beyond
     */
    public Verdict offer(long position, ByteBuf bytes, long limit) {
        long end = position + bytes.readableBytes();
        Verdict verdict = judge(position, end, limit);
        if (verdict == Verdict.KEPT) {
            waiting.put(position, bytes);
        } else {
            bytes.release();
        }
        return verdict;
    }

    private Verdict judge(long position, long end, long limit) {
        if (position < 0 || end <= position || end > limit) {
            return Verdict.REFUSED;
        }
        if (position < nextPosition) {
            return end <= nextPosition ? Verdict.DUPLICATE : Verdict.REFUSED;
        }
        ByteBuf same = waiting.get(position);
        if (same != null) {
            return same.readableBytes() == end - position ? Verdict.DUPLICATE : Verdict.REFUSED;
        }
        Map.Entry<Long, ByteBuf> before = waiting.lowerEntry(position);
        Map.Entry<Long, ByteBuf> after = waiting.higherEntry(position);
        boolean overlaps =
                (before != null && before.getKey() + before.getValue().readableBytes() > position)
                        || (after != null && after.getKey() < end);
        return overlaps || waiting.size() >= piecesLimit ? Verdict.REFUSED : Verdict.KEPT;
    }

    /** The next bytes of the stream, or null if they have not arrived. The caller owns them. */
    public @Nullable ByteBuf poll() {
        ByteBuf next = waiting.remove(nextPosition);
        if (next != null) {
            nextPosition += next.readableBytes();
        }
        return next;
    }

    /** Everything before this position has arrived and was polled. */
    public long nextPosition() {
        return nextPosition;
    }

    /** Drops everything. */
    public void release() {
        waiting.values().forEach(ByteBuf::release);
        waiting.clear();
    }
}
