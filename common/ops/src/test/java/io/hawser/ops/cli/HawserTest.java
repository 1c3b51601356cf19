package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.StorageException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

class HawserTest {
    private static final ConfigKey<HostPort> LISTEN = ConfigKey.hostPort("listen", "127.0.0.1:7400", "where");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Tow tow = new Tow();

    /** A command that shows what it was given. */
    @Command(name = "tow", description = "Tows.", footer = "Example: hawser tow ship", subcommands = Tow.Slip.class)
    static final class Tow implements Subcommand {
        /** A command below a command. */
        @Command(name = "slip", description = "Lets go.")
        static final class Slip implements Callable<Integer> {
            @Parameters(paramLabel = "SHIP")
            private String ship = "";

            @Override
            public Integer call() {
                return ship.length();
            }
        }

        @Parameters(arity = "0..*")
        private List<String> ships = List.of();

        @SuppressWarnings("NullAway.Init") // configure sets it
        private Config config;

        private Callable<Integer> work = () -> 0;

        @Override
        public List<ConfigKey<?>> keys() {
            return List.of(LISTEN, CommonNodeFlags.TLS, CommonNodeFlags.INSECURE);
        }

        @Override
        public List<FlagGroup> flagGroups() {
            return List.of(
                    FlagGroup.of("Listening", LISTEN),
                    FlagGroup.of("Keys", CommonNodeFlags.TLS, CommonNodeFlags.INSECURE));
        }

        @Override
        public void configure(Config config) {
            this.config = config;
            CommonNodeFlags.checkListening(config, LISTEN, config.get(LISTEN));
        }

        @Override
        public Integer call() throws Exception {
            return work.call();
        }
    }

    private int hawser(Map<String, String> environment, String... args) {
        return Hawser.run(
                List.of(tow, new HelpCommand()), environment, new PrintWriter(out), new PrintWriter(err), args);
    }

    private int hawser(String... args) {
        return hawser(Map.of(), args);
    }

    @Test
    void versionSaysWhichHawserAndWhichJava() {
        int code =
                Hawser.run(List.of(tow), Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), "--version");
        assertThat(code).isZero();
        assertThat(out.toString()).startsWith("hawser ").contains("Java " + System.getProperty("java.version"));
    }

    @Test
    void keysComeFromFlagsEnvironmentAndFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "tow.listen=127.0.0.1:3\n");
        assertThat(hawser("tow", "--listen", "127.0.0.1:1", "ship")).isZero();
        assertThat(tow.config.get(LISTEN).port()).isEqualTo(1);
        assertThat(tow.ships).containsExactly("ship");
        assertThat(hawser(Map.of("HAWSER_LISTEN", "127.0.0.1:2"), "tow")).isZero();
        assertThat(tow.config.get(LISTEN).port()).isEqualTo(2);
        assertThat(hawser("tow", "--config", file.toString())).isZero();
        assertThat(tow.config.get(LISTEN).port()).isEqualTo(3);
        assertThat(hawser(Map.of("HAWSER_CONFIG", file.toString()), "tow")).isZero();
        assertThat(tow.config.get(LISTEN).port()).isEqualTo(3);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatNoCommandKnowsIsAnErrorInTheEnvironment() {
        assertThat(hawser(Map.of("HAWSER_LISTN", "127.0.0.1:2"), "tow")).isEqualTo(2);
        assertThat(err.toString()).contains("HAWSER_LISTN", "HAWSER_LISTEN?");
        assertThat(hawser(Map.of("HAWSER_LOG", "verbose"), "tow", "slip", "ship"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'verbose' is not one of trace, debug");
    }

    @Test
    void helpShowsDefaultsExampleAndExitCodes() {
        assertThat(hawser("tow", "--help")).isZero();
        assertThat(out.toString())
                .contains("--listen=HOST:PORT", "127.0.0.1:7400", "Example: hawser tow ship", "storage error");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void commandsBelowCommandsHaveHelpToo() {
        assertThat(hawser("tow", "slip", "--help")).isZero();
        assertThat(out.toString()).contains("SHIP", "Lets go.", "storage error");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void flagsStandBelowTheHeadingOfTheirGroup() {
        assertThat(hawser("tow", "--help")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "--config", "Listening:", "--listen", "Keys:", "--tls", "--insecure", "Exit codes:");
    }

    @Test
    void aFlagThatIsGivenTwiceIsAnError() {
        assertThat(hawser("tow", "--listen", "127.0.0.1:1", "--listen", "127.0.0.1:2"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--listen").contains("only once");
    }

    @Test
    void withoutACommandTheUsageGoesToStandardError() {
        assertThat(hawser()).isEqualTo(2);
        assertThat(err.toString()).startsWith("Usage: hawser").contains("Look and operate:\n  tow");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void helpShowsTheCommandsOrOneOfThem() {
        assertThat(hawser("help")).isZero();
        assertThat(out.toString()).startsWith("Usage: hawser [").contains("Look and operate:\n  tow");
        out.getBuffer().setLength(0);
        assertThat(hawser("help", "tow", "slip")).isZero();
        assertThat(out.toString()).startsWith("Usage: hawser tow slip");
        assertThat(hawser("help", "two")).isEqualTo(2);
        assertThat(err.toString()).contains("Did you mean 'hawser tow'?");
    }

    @Test
    void aMisspeltCommandFindsTheOneThatIsMeant() {
        assertThat(hawser("tov")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("""
                        hawser: there is no command 'hawser tov'. Did you mean 'hawser tow'?
                        'hawser help' lists the commands.
                        """);
    }

    @Test
    void aCommandThatResemblesNoneGetsNoSuggestion() {
        assertThat(hawser("frobnicate")).isEqualTo(2);
        assertThat(err.toString()).startsWith("hawser: there is no command 'hawser frobnicate'.\n");
    }

    @Test
    void aMisspeltFlagFindsTheOneThatIsMeant() {
        assertThat(hawser("tow", "--lissten=127.0.0.1:1")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("""
                        hawser: 'hawser tow' has no flag --lissten. Did you mean '--listen'?
                        'hawser help tow' lists the flags.
                        """);
    }

    @Test
    void usersMistakesAreOneLineWithExitCode2() {
        assertThat(hawser("tow", "--listen", "7400")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("hawser: --listen: '7400' is not HOST:PORT, such as 127.0.0.1:7400\n");
        assertThat(hawser("two")).isEqualTo(2);
        assertThat(err.toString()).contains("'hawser two'", "hawser help");
        assertThat(hawser("tow", "--listen")).isEqualTo(2);
    }

    @Test
    void listeningBeyondLoopbackNeedsTlsOrInsecure() {
        assertThat(hawser("tow", "--listen", "0.0.0.0:0")).isEqualTo(2);
        assertThat(err.toString()).contains("--tls DIR", "--insecure");
        assertThat(hawser("tow", "--listen", "0.0.0.0:0", "--insecure")).isZero();
        assertThat(hawser("tow", "--listen", "0.0.0.0:0", "--tls", "keys")).isZero();
    }

    @Test
    void whatACommandThrowsBecomesOneLineAndAnExitCode() {
        assertThat(failing(new CommandException(ExitCode.REFUSED, "the quota is reached")))
                .isEqualTo("4 hawser: the quota is reached\n");
        assertThat(failing(new ConfigException("bad"))).isEqualTo("2 hawser: bad\n");
        assertThat(failing(new ConnectException("Connection refused"))).isEqualTo("3 hawser: Connection refused\n");
        assertThat(failing(new NoSuchFileException("/x"))).isEqualTo("1 hawser: there is no file or directory /x\n");
        assertThat(failing(new StorageException("/d/1.seg: force failed"))).startsWith("5 hawser: /d/1.seg");
        assertThat(failing(new DirectoryInUseException("/d is in use"))).startsWith("6 hawser: /d is in use");
        assertThat(failing(new ExecutionException(new IOException("two\n  lines"))))
                .isEqualTo("1 hawser: two lines\n");
    }

    @Test
    void aDefectIsOneLineThatSaysHowToSeeMore() {
        assertThat(failing(new IllegalStateException("oops")))
                .isEqualTo("1 hawser: IllegalStateException: oops; this is a defect of hawser: run it again with"
                        + " HAWSER_DEBUG=1 and report what it prints\n");
        assertThat(failing(new NullPointerException())).startsWith("1 hawser: NullPointerException; this is a defect");
    }

    @Test
    void stackTracesAreForWhoAsksForThem() {
        for (Throwable thrown : List.of(new IllegalStateException("oops"), new IOException("gone"))) {
            err.getBuffer().setLength(0);
            Errors.report(thrown, new PrintWriter(err), true);
            assertThat(err.toString().lines().findFirst())
                    .hasValueSatisfying(
                            line -> assertThat(line).startsWith("hawser: ").doesNotContain("HAWSER_DEBUG"));
            assertThat(err.toString()).contains("\tat ");
        }
    }

    @Test
    void outOfMemorySaysHowToGiveMore() {
        Errors.report(new OutOfMemoryError("Java heap space"), new PrintWriter(err), false);
        assertThat(err.toString()).hasLineCount(1).contains("Java heap space", "HAWSER_JAVA_OPTS");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aResultThatCannotBeWrittenIsAFailure() throws IOException {
        PrintWriter errors = new PrintWriter(err, true);
        try (PrintStream full = new PrintStream(new FileOutputStream("/dev/full"), false, StandardCharsets.UTF_8)) {
            PrintWriter result = new PrintWriter(full, true, StandardCharsets.UTF_8);
            result.println("{}");

            assertThat(Hawser.afterOutput(0, result, errors)).isEqualTo(1);
            assertThat(err.toString()).hasLineCount(1).startsWith("hawser: standard output could not be written");
            assertThat(Hawser.afterOutput(4, result, errors))
                    .as("another failure")
                    .isEqualTo(4);
        }
        assertThat(err.toString()).hasLineCount(1);
        assertThat(Hawser.afterOutput(0, new PrintWriter(out), errors)).isZero();
    }

    private String failing(Exception thrown) {
        err.getBuffer().setLength(0);
        tow.work = () -> {
            throw thrown;
        };
        return hawser("tow") + " " + err;
    }
}
