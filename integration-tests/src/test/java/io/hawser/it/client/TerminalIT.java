package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.AgentB;
import io.hawser.core.testkit.Program;
import io.hawser.ops.cli.Hawser;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees at a terminal of 80 columns. */
class TerminalIT {
    private static final int FRAGMENT = 1 << 20;
    private static final int COLUMNS = 80;
    private static final String ESCAPE = "\u001b[";
    private static final String FULL_SCREEN = ESCAPE + "?1049h";
    private static final String USUAL_SCREEN = ESCAPE + "?1049l";

    @TempDir
    Path directory;

    private LocalChain chain;
    private AgentB agent;

    @BeforeEach
    void start() throws IOException {
        Program.needs("script");
        chain = new LocalChain(directory.resolve("nodes"));
        agent = chain.agentB("site-b", "b", directory.resolve("into"));
        await().until(() -> chain.subscriptions().contains("b"));
    }

    @AfterEach
    void stop() {
        agent.stop();
        chain.close();
    }

    /** A command at a terminal that {@code script} makes. */
    private Process command(Path shown, String kind, String... arguments) throws IOException {
        List<String> java = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dhawser.terminal.out=true",
                "-Dhawser.terminal.err=true",
                "-cp",
                System.getProperty("java.class.path"),
                Hawser.class.getName()));
        java.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(
                        "script",
                        "-qefc",
                        "stty cols " + COLUMNS + " rows 24; exec " + String.join(" ", java),
                        shown.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TERM", kind);
        return builder.start();
    }

    private Process send(Path shown, String kind) throws IOException {
        Path file = Files.write(directory.resolve("f"), new byte[12 * FRAGMENT]);
        return command(
                shown,
                kind,
                "send",
                file.toString(),
                "--to",
                "site-b",
                "--wait",
                "delivered",
                "--rate",
                "4MiB/s",
                "--broker",
                chain.address().toString(),
                "--state",
                directory.resolve("state").toString());
    }

    private static void succeeds(Process process) throws InterruptedException {
        assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void aSendDrawsBothLegsAndLeavesItsSummary() throws Exception {
        Path shown = directory.resolve("shown");
        succeeds(send(shown, "xterm"));
        String all = Files.readString(shown);
        assertThat(all).containsPattern("broker +\\[#+-*\\] +[0-9]+%").containsPattern("\nb +\\[[#-]+\\] +[0-9]+%");
        assertThat(all).contains("0 of 1 file").contains("1 of 1 delivered, 12 MiB in ");
        assertThat(Arrays.stream(all.replaceAll("\u001b\\[[0-9]*[A-Z]", "").split("[\r\n]+")))
                .filteredOn(line -> !line.startsWith("Script "))
                .allSatisfy(line -> assertThat(line.length()).isLessThan(COLUMNS));
        String summary = all.substring(all.lastIndexOf(ESCAPE));
        assertThat(summary).as("the bars are gone, and the summary stays").startsWith(ESCAPE + "J1 of 1 delivered");
    }

    @Test
    void aTerminalThatCannotMoveItsCursorGetsPlainLines() throws Exception {
        Path shown = directory.resolve("shown");
        succeeds(send(shown, "dumb"));
        assertThat(Files.readString(shown))
                .contains("1 of 1 delivered, 12 MiB in ")
                .doesNotContain(ESCAPE);
    }

    @Test
    void aScreenOfTransfersEndsAtQAndGivesTheTerminalBack() throws Exception {
        Path file = Files.write(directory.resolve("watched"), new byte[10]);
        assertThat(CommandResult.of(List.of(
                                "send",
                                file.toString(),
                                "--to",
                                "site-b",
                                "--wait",
                                "delivered",
                                "--broker",
                                chain.address().toString(),
                                "--state",
                                directory.resolve("state").toString()))
                        .code())
                .isZero();
        Path shown = directory.resolve("shown");
        Process watch = command(
                shown, "xterm", "status", "--watch", "--admin", chain.admin().toString());
        await().until(() -> Files.exists(shown) && Files.readString(shown).contains("site-b:watched"));
        assertThat(watch.isAlive()).isTrue();
        try (OutputStream keys = watch.getOutputStream()) {
            keys.write('q');
            keys.flush();
            succeeds(watch);
        }
        String all = Files.readString(shown);
        assertThat(all).contains(FULL_SCREEN, "STATE", "q: quit");
        assertThat(all.lastIndexOf(USUAL_SCREEN)).isGreaterThan(all.lastIndexOf("q: quit"));
    }
}
