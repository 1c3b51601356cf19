package io.hawser.kafkatestkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster: broker and controller in a process of its own.
 *
 * <p>Thread: one at a time.
 */
final class KafkaNode {
    private static final long START_SECONDS = 90;
    private static final String FEATURES = "bootstrap.checkpoint";
    private static final String STARTED = "Kafka Server started";

    private final Path directory;
    private final Path log;
    private final int id;
    private final List<String> jvmOptions;
    private @Nullable Process process;
    private int starts;

    /** @param jvmOptions appended to its own, so that they win */
    KafkaNode(Path directory, int id, List<String> jvmOptions) {
        this.jvmOptions = jvmOptions;
        this.directory = directory;
        this.log = directory.resolve("kafka.log");
        this.id = id;
    }

    /**
     * Writes its settings and makes its storage as {@code kafka-storage.sh format} does: with all features of this Kafka, as in clusters
     * that operators make.
     *
     * @param like a node of the same cluster whose features it takes over; null for the first one
     */
    void format(String clusterId, Properties settings, List<Path> jars, @Nullable KafkaNode like)
            throws IOException, InterruptedException {
        settings.setProperty("log.dirs", data().toString());
        try (var out = Files.newBufferedWriter(settings())) {
            settings.store(out, null);
        }
        if (like == null) {
            int code = run(jars, "kafka.tools.StorageTool", "format", "-t", clusterId, "-c", settings() + "")
                    .waitFor();
            if (code != 0) {
                throw new IOException("storage cannot be made; see " + log + ":\n" + lastLines());
            }
            return;
        }
        Files.createDirectories(data());
        Files.copy(like.data().resolve(FEATURES), data().resolve(FEATURES));
        Files.writeString(
                data().resolve("meta.properties"), "version=1\ncluster.id=" + clusterId + "\nnode.id=" + id + "\n");
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Path settings() {
        return directory.resolve("server.properties");
    }

    /** Starts the process without waiting for it. */
    void start(List<Path> jars) throws IOException {
        starts++;
        process = run(jars, "kafka.Kafka", settings().toString());
    }

    private Process run(List<Path> jars, String... what) throws IOException {
        StringBuilder path = new StringBuilder();
        jars.forEach(jar -> path.append(jar).append(java.io.File.pathSeparatorChar));
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx320m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dkafka.logs.dir=" + directory));
        words.addAll(jvmOptions);
        words.addAll(List.of("-cp", path.toString()));
        words.addAll(List.of(what));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
    }

    /** Waits until it says that it has started. */
    void awaitStarted() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (timesStarted() < starts) {
            Process running = process;
            if (running == null || !running.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("node " + id + " did not start; see " + log + ":\n" + lastLines());
            }
            Thread.sleep(50); // a line in a file: nothing tells of it
        }
    }

    private int timesStarted() throws IOException {
        try (var lines = Files.lines(log)) {
            return (int) lines.filter(line -> line.contains(STARTED)).count();
        } catch (UncheckedIOException e) {
            return 0; // a line is being written
        }
    }

    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    boolean isRunning() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** {@code kill -9}; returns when the process is gone. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().join();
        }
    }
}
