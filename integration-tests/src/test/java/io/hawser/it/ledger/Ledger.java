package io.hawser.it.ledger;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What publishers sent and what Hawser acknowledged: each content of each path is a version. In memory for the checks; with a file also
 * as a line of JSON for each event, best on another file system than the nodes' data.
 *
 * <p>Thread: any.
 */
public final class Ledger {
    /** One content of a path. Guarded by its ledger. */
    public static final class Version {
        public final String path;
        /** From 1 on for each path. */
        public final int number;

        public final long sizeBytes;
        public final String sha256;
        /** See {@link Ledger#beginRound}. */
        public final int round;

        private int attempts;
        private boolean acked;

        private Version(String path, int number, byte[] content, int round) {
            this.path = path;
            this.number = number;
            this.sizeBytes = content.length;
            this.sha256 = sha256(content);
            this.round = round;
        }
    }

    /**
     * What may be expected at a path.
     *
     * @param acked how many versions were acknowledged
     * @param lastAcked the number of the last one, 0 if none
     * @param attempts how often any was sent, so the most that can have been published
     */
    public record Expectation(String path, int acked, int lastAcked, int attempts) {}

    private record Event(
            long atMillis, String event, String path, int version, long sizeBytes, String sha256, String why) {}

    private final @Nullable JsonLines<Event> file;
    private final Map<String, List<Version>> paths = new LinkedHashMap<>();
    private int round;
    private int attempts;
    private int failures;
    private int acks;
    private long ackedBytes;

    /** One in memory only. */
    public Ledger() {
        file = null;
    }

    /** One that adds its events to a file, which is made. */
    public Ledger(Path file) throws IOException {
        this.file = new JsonLines<>(file, Event.class);
        this.file.checkWritable();
    }

    /** Versions that are made from now on are of this round. */
    public synchronized void beginRound(int number) {
        round = number;
    }

    /** A new content of a path, before its first attempt. */
    public synchronized Version version(String path, byte[] content) {
        List<Version> versions = paths.computeIfAbsent(path, p -> new ArrayList<>());
        Version version = new Version(path, versions.size() + 1, content, round);
        versions.add(version);
        write("version", version, "");
        return version;
    }

    /** Before a version is sent, each time. */
    public synchronized void attempt(Version version) {
        version.attempts++;
        attempts++;
        write("attempt", version, "");
    }

    /** Before the only version of a path is sent for the only time. */
    public synchronized Version attemptOnce(String path, byte[] content) {
        if (paths.containsKey(path)) {
            throw new IllegalArgumentException(path + " was sent before");
        }
        Version version = version(path, content);
        attempt(version);
        return version;
    }

    /** Hawser has acknowledged it, and must deliver it. */
    public synchronized void acked(Version version) {
        if (!version.acked) {
            version.acked = true;
            acks++;
            ackedBytes += version.sizeBytes;
            write("acked", version, "");
        }
    }

    /** An attempt ended without an answer or with a refusal. */
    public synchronized void failed(Version version, String why) {
        failures++;
        write("failed", version, why);
    }

    /** The newest version of the path with these bytes. */
    public synchronized Optional<Version> find(String path, String sha256) {
        return paths.getOrDefault(path, List.of()).stream()
                .filter(version -> version.sha256.equals(sha256))
                .reduce((older, newer) -> newer);
    }

    /** The newest version of a path. */
    public synchronized Optional<Version> newest(String path) {
        List<Version> versions = paths.getOrDefault(path, List.of());
        return versions.isEmpty() ? Optional.empty() : Optional.of(versions.get(versions.size() - 1));
    }

    public synchronized List<Expectation> expectations() {
        return paths.entrySet().stream()
                .map(entry -> expectation(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The versions that were acknowledged, of all paths. */
    public synchronized List<Version> acknowledged() {
        return paths.values().stream()
                .flatMap(List::stream)
                .filter(version -> version.acked)
                .toList();
    }

    /** How many versions were acknowledged. */
    public synchronized int acks() {
        return acks;
    }

    /** How many whose paths begin so. */
    public int acksOf(String prefix) {
        return (int) acknowledged().stream()
                .filter(version -> version.path.startsWith(prefix))
                .count();
    }

    public synchronized long ackedBytes() {
        return ackedBytes;
    }

    public synchronized int attempts() {
        return attempts;
    }

    /** Attempts that ended without an answer or with a refusal. */
    public synchronized int failures() {
        return failures;
    }

    private static Expectation expectation(String path, List<Version> versions) {
        int acked = 0;
        int last = 0;
        int attempts = 0;
        for (Version version : versions) {
            if (version.acked) {
                acked++;
                last = version.number;
            }
            attempts += version.attempts;
        }
        return new Expectation(path, acked, last, attempts);
    }

    private void write(String event, Version version, String why) {
        if (file != null) {
            file.add(new Event(
                    System.currentTimeMillis(),
                    event,
                    version.path,
                    version.number,
                    version.sizeBytes,
                    version.sha256,
                    why));
        }
    }

    public static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
