package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.it.harness.Shell;
import io.hawser.ops.observe.Json;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code hawser drill} as a process of its own. Thread: one. */
final class DrillRun implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 4 * TestTimes.SECONDS;

    private final Path log;
    private final Process process;
    private final CompletableFuture<String> out;

    private DrillRun(Path log, Process process) {
        this.log = log;
        this.process = process;
        out = CompletableFuture.supplyAsync(() -> read(process));
    }

    static DrillRun start(Path directory, String... arguments) throws IOException {
        Path log = Files.createTempFile(directory, "drill", ".log");
        List<String> command =
                Stream.concat(Stream.of("drill"), Stream.of(arguments)).toList();
        String options = "-Dhawser.node.options=" + System.getProperty("hawser.node.options", "");
        return new DrillRun(log, NodeProcess.launch(log, List.of("-Xmx128m", options), Map.of(), command));
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end, demands the exit code, returns standard output. */
    String ends(int code) throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("the drill ends")
                .isTrue();
        assertThat(process.exitValue()).as(() -> out.join() + complaints()).isEqualTo(code);
        return out.join();
    }

    /** The same, of one with {@code --json -}. */
    JsonNode report(int code) throws IOException, InterruptedException {
        return Json.tree(ends(code).getBytes(StandardCharsets.UTF_8));
    }

    /** Ctrl-C. */
    void interrupt() throws IOException {
        Shell.signal("INT", process.pid());
    }

    /** The nodes that it has started and that run. */
    List<ProcessHandle> children() {
        return process.toHandle().children().toList();
    }

    String complaints() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    @Override
    public void close() {
        process.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
        process.toHandle().destroyForcibly();
    }
}
