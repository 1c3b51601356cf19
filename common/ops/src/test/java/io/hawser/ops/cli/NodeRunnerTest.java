package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.RemoteStoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs nodes as processes, since signals and exit codes are what is tested. */
class NodeRunnerTest {
    @SuppressWarnings("NullAway.Init") // each test starts one
    private Process process;

    /** The process: a node that behaves as its argument says. */
    public static final class Main implements Node {
        private final String behaviour;
        private final CompletableFuture<Void> failure = new CompletableFuture<>();

        private Main(String behaviour) {
            this.behaviour = behaviour;
        }

        public static void main(String[] args) {
            LogSetup.apply("broker", null, false);
            NextSteps next = new NextSteps().hawser("status", "show more");
            System.exit(NodeRunner.run("test", () -> start(args[0]), node -> next));
        }

        private static Main start(String behaviour) throws InterruptedException {
            if (behaviour.equals("cannot-start")) {
                throw new CommandException(ExitCode.BUSY, "the directory is in use");
            }
            if (behaviour.equals("waits")) {
                waitForTheEnd();
            }
            Main node = new Main(behaviour);
            switch (behaviour) {
                case "elsewhere" ->
                    node.failure.completeExceptionally(new RemoteStoreException("another broker has it"));
                case "storage" -> node.failure.completeExceptionally(new IOException("force failed"));
                case "defect" -> node.failure.completeExceptionally(new IllegalStateException("oops"));
                default -> {}
            }
            return node;
        }

        /** As one does whose turn has not come. */
        private static void waitForTheEnd() throws InterruptedException {
            CountDownLatch signal = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(signal::countDown));
            System.out.println("waiting");
            signal.await();
            throw new CancellationException("told to end");
        }

        @Override
        public Map<String, String> addresses() {
            return Map.of("ptcp", "127.0.0.1:1");
        }

        @Override
        public CompletionStage<Void> ready() {
            if (!behaviour.startsWith("subscribes")) {
                return Node.super.ready();
            }
            CompletableFuture<Void> ready = new CompletableFuture<>();
            Thread other = new Thread(() -> {
                new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
                if (behaviour.equals("subscribes")) {
                    ready.complete(null);
                } else {
                    failure.completeExceptionally(new CommandException(ExitCode.REFUSED, "it is another's"));
                }
            });
            other.setDaemon(true);
            other.start();
            return ready;
        }

        @Override
        public String waitsFor() {
            return "its subscription: not connected yet";
        }

        @Override
        public CompletionStage<Void> failure() {
            return failure;
        }

        @Override
        public void stop() throws Exception {
            System.out.println("stop");
            switch (behaviour) {
                case "stop-fails" -> throw new IOException("no");
                case "never-stops" -> new CountDownLatch(1).await();
                default -> {}
            }
        }
    }

    @TempDir
    Path directory;

    private Path errors;

    @BeforeEach
    void chooseFile() {
        errors = directory.resolve("errors");
    }

    private BufferedReader start(String behaviour) throws IOException {
        return start(behaviour, false);
    }

    /** @param terminal whether the launcher says that standard output is a terminal */
    private BufferedReader start(String behaviour, boolean terminal) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-Dhawser.terminal.out=" + terminal,
                        "-Dhawser.command=./hawser",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        behaviour)
                .redirectError(errors.toFile())
                .start();
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private int exitCode() throws InterruptedException {
        assertThat(process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @AfterEach
    void end() {
        process.toHandle().destroyForcibly();
    }

    @Test
    void sigtermStopsInOrderWithExitCode0() throws Exception {
        BufferedReader out = start("good");
        assertThat(out.readLine()).isEqualTo("READY test ptcp=127.0.0.1:1");
        process.toHandle().destroy();
        assertThat(out.readLine()).isEqualTo("stop");
        assertThat(exitCode()).isZero();
    }

    @Test
    void onATerminalReadyIsFollowedByWhatToTypeNext() throws Exception {
        BufferedReader out = start("good", true);
        assertThat(out.readLine()).isEqualTo("READY test ptcp=127.0.0.1:1");
        assertThat(out.readLine()).isEmpty();
        assertThat(out.readLine()).isEqualTo("Next, in another terminal:");
        assertThat(out.readLine()).isEqualTo("  # show more");
        assertThat(out.readLine()).isEqualTo("  ./hawser status");
        assertThat(out.readLine()).startsWith("Ctrl-C");
    }

    private void goOn() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aNodeThatCannotBeUsedYetSaysWhatItWaitsForAndThenThatItIsReady() throws Exception {
        BufferedReader out = start("subscribes");
        assertThat(out.readLine()).isEqualTo("WAITING test ptcp=127.0.0.1:1 for its subscription: not connected yet");
        goOn();
        assertThat(out.readLine()).isEqualTo("READY test ptcp=127.0.0.1:1");
        process.toHandle().destroy();
        assertThat(out.readLine()).isEqualTo("stop");
        assertThat(exitCode()).isZero();
    }

    @Test
    void oneThatIsRefusedWhileItWaitsEndsWithoutReady() throws Exception {
        BufferedReader out = start("subscribes-never");
        assertThat(out.readLine()).startsWith("WAITING test");
        goOn();
        assertThat(out.readLine()).isEqualTo("stop");
        assertThat(exitCode()).isEqualTo(ExitCode.REFUSED.code());
    }

    @Test
    void oneThatIsStoppedWhileItWaitsEndsInOrder() throws Exception {
        BufferedReader out = start("subscribes");
        assertThat(out.readLine()).startsWith("WAITING test");
        process.toHandle().destroy();
        assertThat(out.readLine()).isEqualTo("stop");
        assertThat(exitCode()).isZero();
    }

    @Test
    void whoIsStoppedWhileItWaitsToBeginEndsInOrderToo() throws Exception {
        BufferedReader out = start("waits");
        assertThat(out.readLine()).isEqualTo("waiting");
        process.toHandle().destroy();
        assertThat(out.readLine()).isNull();
        assertThat(exitCode()).isZero();
        assertThat(Files.readString(errors)).doesNotContain("hawser: ");
    }

    @Test
    void aStopThatHangsIsEndedWithin10Seconds() throws Exception {
        BufferedReader out = start("never-stops");
        assertThat(out.readLine()).startsWith("READY");
        long before = System.nanoTime();
        process.toHandle().destroy();
        assertThat(exitCode()).isEqualTo(ExitCode.FAILED.code());
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(10);
    }

    @Test
    void aStopThatFailsSaysSo() throws Exception {
        BufferedReader out = start("stop-fails");
        assertThat(out.readLine()).startsWith("READY");
        process.toHandle().destroy();
        assertThat(exitCode()).isEqualTo(ExitCode.FAILED.code());
    }

    @Test
    void aStorageErrorHasItsOwnExitCodeAndStopsTheNode() throws Exception {
        BufferedReader out = start("storage");
        assertThat(out.readLine()).startsWith("READY");
        assertThat(out.readLine()).isEqualTo("stop");
        assertThat(exitCode()).isEqualTo(ExitCode.STORAGE.code());
        List<String> lines = Files.readAllLines(errors);
        assertThat(lines.get(lines.size() - 1))
                .startsWith("hawser: test has stopped, since its disk failed: force failed.")
                .contains("hawser fsck DIR");
        assertThat(lines).filteredOn(line -> line.startsWith("hawser: ")).hasSize(1);
    }

    @Test
    void aStoreElsewhereThatFailsIsNoReasonToLookAtTheDisk() throws Exception {
        start("elsewhere");
        assertThat(exitCode()).isEqualTo(ExitCode.STORAGE.code());
        List<String> lines = Files.readAllLines(errors);
        assertThat(lines.get(lines.size() - 1))
                .isEqualTo(
                        "hawser: test has stopped: another broker has it. What was acked is kept; what was not will be"
                                + " sent again. Start it again.");
    }

    @Test
    void aDefectEndsTheNodeWithExitCode1() throws Exception {
        start("defect");
        assertThat(exitCode()).isEqualTo(ExitCode.FAILED.code());
    }

    @Test
    void aNodeThatCannotStartPrintsNoReadyLine() throws Exception {
        BufferedReader out = start("cannot-start");
        assertThat(out.readLine()).isNull();
        assertThat(exitCode()).isEqualTo(ExitCode.BUSY.code());
    }
}
