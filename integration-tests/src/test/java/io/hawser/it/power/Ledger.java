package io.hawser.it.power;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the publishers know: what they tried, each under a name of its own and never again, and what they were told is safe.
 *
 * <p>Thread: any.
 */
final class Ledger {
    /** Whether a consumer has taken a file away. */
    enum Taken {
        NO,
        /** The power failed while it did. */
        MAYBE,
        /** The removal was forced. */
        YES
    }

    /** One object. Guarded by its ledger. */
    static final class Entry {
        final String name;
        final long sizeBytes;
        final String sha256;
        final int round;
        boolean acked;
        boolean seen;
        Taken taken = Taken.NO;

        Entry(String name, long sizeBytes, String sha256, int round) {
            this.name = name;
            this.sizeBytes = sizeBytes;
            this.sha256 = sha256;
            this.round = round;
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private int acks;
    private long ackedBytes;

    /** Before an object is sent. */
    synchronized void attempt(String name, byte[] content, int round) {
        if (entries.put(name, new Entry(name, content.length, sha256(content), round)) != null) {
            throw new IllegalArgumentException(name + " was tried before");
        }
    }

    /** The node has promised. */
    synchronized void acked(String name) {
        Entry entry = entries.get(name);
        if (entry != null && !entry.acked) {
            entry.acked = true;
            acks++;
            ackedBytes += entry.sizeBytes;
        }
    }

    synchronized int acks() {
        return acks;
    }

    /** Of objects whose names begin so. */
    synchronized int acksOf(String lane) {
        return (int) entries.values().stream()
                .filter(entry -> entry.acked && entry.name.startsWith(lane))
                .count();
    }

    synchronized long ackedBytes() {
        return ackedBytes;
    }

    synchronized int attempts() {
        return entries.size();
    }

    synchronized Optional<Entry> find(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    synchronized void mark(Entry entry, Taken taken) {
        entry.taken = taken;
    }

    /** Somebody saw it, whole. */
    synchronized void seen(Entry entry) {
        entry.seen = true;
    }

    /** How many were seen. */
    synchronized int published() {
        return (int) entries.values().stream().filter(entry -> entry.seen).count();
    }

    /** What was promised and should stand at the target. */
    synchronized List<Entry> promised() {
        return entries.values().stream()
                .filter(entry -> entry.acked && entry.taken == Taken.NO)
                .toList();
    }

    static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
