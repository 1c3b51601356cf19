package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts what a receiving end got, per transfer and through all sessions, and how much of it was a repetition: bytes that the
 * sender says to have sent before, bytes of fragments that were here already, and bytes of fragments whose first part was lost
 * with a session. Remembers a bounded number of transfers, the latest.
 *
 * <p>Thread: the receiver's loop.
 */
public final class ReceiveMeter {
    private static final int MAX_TRANSFERS = 2048;
    /** Fragments of one transfer that are remembered as repeated or lost; beyond that some repetitions are not counted. */
    private static final int MAX_FRAGMENTS = 1024;

    private static final class Counts {
        private final Map<Long, Long> lostParts = new HashMap<>();
        /** Bytes by fragment that were taken from a copy, whose first sending may come yet. */
        private final Map<Long, Long> copied = new HashMap<>();

        private long receivedBytes;
        private long repeatedBytes;
        private long heardMillis;
    }

    private final LinkedHashMap<TransferKey, Counts> byTransfer = new LinkedHashMap<>();
    private long totalRepeatedBytes;
    private long damagedFragments;
    private long beganMillis;
    private long nowMillis;

    /** Time passes; in milliseconds, by a clock that is never set. */
    public void tick(long now) {
        if (beganMillis == 0) {
            beganMillis = now;
        }
        nowMillis = now;
    }

    void received(PacketHeader header) {
        Counts counts = arrived(header);
        Long lost = counts.lostParts.remove(header.index());
        if (header.resent()) {
            makeRoom(counts.copied);
            counts.copied.merge(header.index(), (long) header.length(), Long::sum);
            repeated(counts, header.length());
        } else if (lost != null) {
            repeated(counts, Math.min(lost, header.fragmentLength()));
        }
    }

    /** A packet came whose bytes are here already. It has been counted if they are from a copy that overtook it. */
    void discarded(PacketHeader header) {
        Counts counts = arrived(header);
        long counted = 0;
        if (!header.resent()) {
            long copied = counts.copied.getOrDefault(header.index(), 0L);
            counted = Math.min(copied, header.length());
            counts.copied.replace(header.index(), copied - counted);
        }
        repeated(counts, header.length() - counted);
    }

    private Counts arrived(PacketHeader header) {
        Counts counts = counts(header.key());
        counts.receivedBytes += header.length();
        counts.heardMillis = nowMillis;
        return counts;
    }

    void repeated(TransferKey key, long bytes) {
        repeated(counts(key), bytes);
    }

    /** A fragment's first bytes are given up; if they come again it is a repetition. */
    void lost(TransferKey key, long index, long bytes) {
        if (bytes > 0) {
            Map<Long, Long> lostParts = counts(key).lostParts;
            makeRoom(lostParts);
            lostParts.put(index, bytes);
        }
    }

    /** Bytes that were received of that transfer, repetitions counted. */
    public long receivedBytes(TransferKey key) {
        Counts counts = byTransfer.get(key);
        return counts == null ? 0 : counts.receivedBytes;
    }

    /** Of these, repetitions. */
    public long repeatedBytes(TransferKey key) {
        Counts counts = byTransfer.get(key);
        return counts == null ? 0 : counts.repeatedBytes;
    }

    /** Since a packet of that transfer came; since the first {@link #tick} if none is known of. */
    public long idleMillis(TransferKey key) {
        Counts counts = byTransfer.get(key);
        return Math.max(0, nowMillis - Math.max(beganMillis, counts == null ? 0 : counts.heardMillis));
    }

    /** Repetitions over all transfers. */
    public long repeatedBytes() {
        return totalRepeatedBytes;
    }

    /** A fragment did not agree with its CRC. */
    void damaged() {
        damagedFragments++;
    }

    /** Fragments that did not agree with their CRC. */
    public long damagedFragments() {
        return damagedFragments;
    }

    private static void makeRoom(Map<Long, Long> byFragment) {
        if (byFragment.size() >= MAX_FRAGMENTS) {
            byFragment.remove(byFragment.keySet().iterator().next());
        }
    }

    private void repeated(Counts counts, long bytes) {
        counts.repeatedBytes += bytes;
        totalRepeatedBytes += bytes;
    }

    private Counts counts(TransferKey key) {
        Counts counts = byTransfer.computeIfAbsent(key, unused -> new Counts());
        if (byTransfer.size() > MAX_TRANSFERS) {
            byTransfer.remove(byTransfer.keySet().iterator().next());
        }
        return counts;
    }
}
