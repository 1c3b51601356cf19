package io.hawser.core.hop;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.TransferKey;
import java.util.Map;

/**
 * Counts received bytes by transfer over all sessions, and how many of them were repetitions: bytes that the sender marks as resent, bytes
 * of fragments that were here already, and bytes of fragments whose first part was lost with a session. Remembers the latest {@value
 * #MAX_TRANSFERS} transfers.
 *
 * <p>Thread: the receiver's loop.
 */
public final class ReceiveMeter {
    private static final int MAX_TRANSFERS = 2048;
    /** Fragments of one transfer that are remembered as repeated or lost; beyond that some repetitions are not counted. */
    private static final int MAX_FRAGMENTS = 1024;

    private static final class Counts {
        private final Map<Long, Long> lostParts = new EvictingMap<>(MAX_FRAGMENTS);
        /** Bytes by fragment that came from a resent copy; the first copy may still arrive. */
        private final Map<Long, Long> copied = new EvictingMap<>(MAX_FRAGMENTS);

        private long receivedBytes;
        private long repeatedBytes;
        private long heardMillis;
    }

    private final Map<TransferKey, Counts> byTransfer = new EvictingMap<>(MAX_TRANSFERS);
    private long damagedFragments;
    private long receivedBytes;
    private long beganMillis;
    private long nowMillis;

    /** Sets the current time, in milliseconds of a monotonic clock. */
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
            counts.copied.merge(header.index(), (long) header.length(), Long::sum);
            counts.repeatedBytes += header.length();
        } else if (lost != null) {
            counts.repeatedBytes += Math.min(lost, header.fragmentLength());
        }
    }

    /** A packet was discarded because its bytes are here already. Bytes of a copy that overtook it are already counted. */
    void discarded(PacketHeader header) {
        Counts counts = arrived(header);
        long counted = 0;
        if (!header.resent()) {
            long copied = counts.copied.getOrDefault(header.index(), 0L);
            counted = Math.min(copied, header.length());
            counts.copied.replace(header.index(), copied - counted);
        }
        counts.repeatedBytes += header.length() - counted;
    }

    private Counts arrived(PacketHeader header) {
        Counts counts = counts(header.key());
        counts.receivedBytes += header.length();
        receivedBytes += header.length();
        counts.heardMillis = nowMillis;
        return counts;
    }

    /** A small transfer came, of which no progress is kept. */
    void receivedSmall(int bytes) {
        receivedBytes += bytes;
    }

    void repeated(TransferKey key, long bytes) {
        counts(key).repeatedBytes += bytes;
    }

    /** The first bytes of a fragment were dropped; if they come again they are a repetition. */
    void lost(TransferKey key, long index, long bytes) {
        if (bytes > 0) {
            counts(key).lostParts.put(index, bytes);
        }
    }

    /** Bytes received of all transfers, repetitions included. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Bytes received of that transfer, repetitions included. */
    public long receivedBytes(TransferKey key) {
        Counts counts = byTransfer.get(key);
        return counts == null ? 0 : counts.receivedBytes;
    }

    public long repeatedBytes(TransferKey key) {
        Counts counts = byTransfer.get(key);
        return counts == null ? 0 : counts.repeatedBytes;
    }

    /** Milliseconds since the last packet of that transfer; since the first {@link #tick} if none is known. */
    public long idleMillis(TransferKey key) {
        Counts counts = byTransfer.get(key);
        return Math.max(0, nowMillis - Math.max(beganMillis, counts == null ? 0 : counts.heardMillis));
    }

    /** A packet or fragment did not match its checksum. */
    void damaged() {
        damagedFragments++;
    }

    /** Packets and fragments that did not match their checksum. */
    public long damagedFragments() {
        return damagedFragments;
    }

    private Counts counts(TransferKey key) {
        return byTransfer.computeIfAbsent(key, unused -> new Counts());
    }
}
