package io.hawser.it.chaos;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the publishers know: what they tried, and what they were promised. Kept in memory for the oracle and, a line for each event, in a
 * file away from the nodes' data.
 *
 * <p>Thread: any.
 */
final class Journal implements AutoCloseable {
    /** One content of a path. Guarded by the journal. */
    static final class Version {
        final String path;
        final int number;
        final long sizeBytes;
        final String sha256;
        private int attempts;
        private int failures;
        private String level = "";

        Version(String path, int number, long sizeBytes, String sha256) {
            this.path = path;
            this.number = number;
            this.sizeBytes = sizeBytes;
            this.sha256 = sha256;
        }
    }

    /**
     * What may be expected at a path.
     *
     * @param acked how many versions were acknowledged
     * @param lastAcked the number of the last one, 0 if none
     * @param attempts how often any was tried, so the most that can have been published
     * @param failures of these, how many ended without an answer or with a refusal
     */
    record Expectation(String path, int acked, int lastAcked, int attempts, int failures) {}

    private final BufferedWriter out;
    private final Map<String, List<Version>> paths = new LinkedHashMap<>();
    private final Map<String, Map<String, Version>> bySha = new HashMap<>();
    private long ackedBytes;
    private int ackedObjects;

    Journal(Path file) throws IOException {
        out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    }

    /** A new content of a path, before its first attempt. */
    synchronized Version version(String path, byte[] content) {
        List<Version> versions = paths.computeIfAbsent(path, p -> new ArrayList<>());
        Version version = new Version(path, versions.size() + 1, content.length, Content.sha256(content));
        versions.add(version);
        bySha.computeIfAbsent(path, p -> new HashMap<>()).put(version.sha256, version);
        write("version", version, version.sizeBytes + " " + version.sha256);
        return version;
    }

    synchronized void attempt(Version version) {
        version.attempts++;
        write("attempt", version, "");
    }

    /** The node has promised. */
    synchronized void acked(Version version, String level) {
        version.level = level;
        ackedBytes += version.sizeBytes;
        ackedObjects++;
        write("acked", version, level);
    }

    /** It is not known what became of the attempt. */
    synchronized void failed(Version version, String why) {
        version.failures++;
        write("failed", version, why.replaceAll("\\s+", " "));
    }

    /** Which version of the path these bytes are. */
    synchronized Optional<Version> find(String path, String sha256) {
        return Optional.ofNullable(bySha.getOrDefault(path, Map.of()).get(sha256));
    }

    synchronized List<Expectation> expectations() {
        return paths.entrySet().stream()
                .map(entry -> expectation(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** How many versions were promised. */
    synchronized int ackedObjects() {
        return ackedObjects;
    }

    synchronized long ackedBytes() {
        return ackedBytes;
    }

    private static Expectation expectation(String path, List<Version> versions) {
        int acked = 0;
        int last = 0;
        int attempts = 0;
        int failures = 0;
        for (Version version : versions) {
            if (!version.level.isEmpty()) {
                acked++;
                last = version.number;
            }
            attempts += version.attempts;
            failures += version.failures;
        }
        return new Expectation(path, acked, last, attempts, failures);
    }

    private void write(String what, Version version, String more) {
        try {
            out.write(System.currentTimeMillis() + " " + what + " "
                    + URLEncoder.encode(version.path, StandardCharsets.UTF_8) + " " + version.number + " " + more);
            out.newLine();
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
