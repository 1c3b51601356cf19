package io.hawser.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.cli.Hawser;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How a hawser command ended that ran as a process of its own.
 *
 * @param code its exit code
 * @param out its standard output
 * @param log its standard error
 */
public record CommandRun(int code, String out, String log) {
    private static final long PATIENCE_SECONDS = 2 * TestTimes.SECONDS;

    /** For commands that end soon: what starts quickly. */
    private static final List<String> BRIEF = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");

    /** Runs it to its end. */
    public static CommandRun of(String... command) throws IOException, InterruptedException {
        return of(BRIEF, command);
    }

    /** The same, with other JVM options. */
    public static CommandRun of(List<String> jvmOptions, String... command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("command", ".log");
        return ended(NodeProcess.launch(log, jvmOptions, Map.of(), List.of(command)), log, command);
    }

    /** A command of {@code integration-tests/lab}, with the class path of this process; the product has no such commands. */
    public static CommandRun ofLab(List<String> jvmOptions, String... command)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(jvmOptions);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Hawser.class.getName()));
        words.addAll(List.of(command));
        Path log = Files.createTempFile("command", ".log");
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(log.toFile());
        return ended(builder.start(), log, command);
    }

    private static CommandRun ended(Process process, Path log, String... command)
            throws IOException, InterruptedException {
        try {
            CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> output(process));
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("%s ends", String.join(" ", command))
                    .isTrue();
            return new CommandRun(process.exitValue(), out.join(), Files.readString(log));
        } finally {
            process.toHandle().destroyForcibly();
            Files.delete(log);
        }
    }

    private static String output(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It ended with 0. */
    public CommandRun succeeded() {
        assertThat(code).as(out + log).isZero();
        return this;
    }
}
