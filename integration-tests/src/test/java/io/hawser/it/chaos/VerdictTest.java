package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What {@code integration-tests/lab chaos} ends with, and what it refuses before it begins. */
class VerdictTest {
    @TempDir
    private Path directory;

    private String said = "";

    private int chaos(String... arguments) {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new ChaosMain())
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        said = err.toString();
        return code;
    }

    private static ChaosReport report(String commit, Map<String, List<String>> violations) {
        return new ChaosReport(
                commit,
                "m",
                "ext4",
                "a broker",
                List.of(1L),
                "spooled",
                1,
                Map.of(ChaosReport.Count.OBJECTS, 300L),
                Map.of("kill", Map.of("broker", 30)),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of("right", true),
                violations);
    }

    private RunJournal begun(int runs) throws Exception {
        RunJournal journal = new RunJournal(directory);
        for (int i = 0; i < runs; i++) {
            Files.createFile(journal.ledger(i));
        }
        return journal;
    }

    @Test
    void aRunThatWasBegunAndNeverEndedMakesTheSumVoid() throws Exception {
        RunJournal journal = begun(2);
        journal.ended(report("a", Map.of()));
        assertThat(chaos("report", directory.toString())).isEqualTo(3);
        assertThat(journal.sum().orElseThrow().text())
                .contains("VIOLATED void: of 2 runs that were begun only 1 ended", "NOT all holds", "no bound")
                .doesNotContain("3/n");
        journal.ended(report("a", Map.of()));
        assertThat(chaos("report", directory.toString())).isZero();
        assertThat(journal.sum().orElseThrow().text()).contains("below 0.0050 of the objects", "\nall holds");
    }

    @Test
    void nothingThatEndedShowsNothing() throws Exception {
        assertThat(chaos("report", directory.toString())).isEqualTo(3);
        begun(1);
        assertThat(chaos("report", directory.toString())).isEqualTo(3);
    }

    @Test
    void aLossIsWorseThanVoidAndHasNoBound() throws Exception {
        RunJournal journal = begun(3);
        journal.ended(report("a", Map.of("lost", List.of("x"))));
        journal.ended(report("a", Map.of()));
        assertThat(chaos("report", directory.toString())).isEqualTo(1);
        assertThat(journal.sum().orElseThrow().text()).contains("no bound for the objects");
    }

    @Test
    void runsOfSeveralCommitsDoNotAddUp() throws Exception {
        RunJournal journal = begun(2);
        journal.ended(report("a", Map.of()));
        journal.ended(report("b", Map.of()));
        assertThat(chaos("report", directory.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("runs of a and of b do not add up").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--minutes 1 --faults nope",
                "--minutes 0",
                "--minutes -1",
                "--minutes NaN",
                "--rounds 0",
                "--pace 0",
                "--fault-every 0"
            })
    void whatMakesNoSenseIsRefusedBeforeTheStart(String arguments) throws Exception {
        Path journal = directory.resolve("journal");
        assertThat(chaos((arguments + " --journal " + journal).split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("--").doesNotContain("\tat ");
        assertThat(journal).doesNotExist();
    }

    @Test
    void aPlaceThatCannotBeWrittenIsRefusedBeforeTheStart() throws Exception {
        String file = Files.createFile(directory.resolve("file")).toString();
        assertThat(chaos("--dir", file + "/x")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("--dir: ").doesNotContain("\tat ");
        String data = directory.resolve("data").toString();
        assertThat(chaos("--dir", data, "--journal", file + "/x")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("--journal: ").doesNotContain("\tat ");
    }

    @Test
    void runsThatAreThereAreNotAddedToUnasked() throws Exception {
        begun(1);
        String data = directory.resolve("data").toString();
        assertThat(chaos("--dir", data, "--journal", directory.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("has runs already; --resume adds to them");
    }
}
