package io.hawser.it.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.ledger.JsonLines;
import io.hawser.it.ledger.Verdict;
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

/** What {@code integration-tests/lab power} ends with, and what it refuses before it begins. */
class VerdictTest {
    private static final String THIS = System.getProperty("hawser.commit", "unknown");

    @TempDir
    private Path directory;

    private String said = "";

    private int power(String... arguments) {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new PowerMain())
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        said = err.toString();
        return code;
    }

    private int summaryOf(String command, Path journal) {
        return power(command, "--summary", "--journal", journal.toString());
    }

    private Path points(Point... points) {
        JsonLines<Point> journal = new JsonLines<>(directory.resolve("points"), Point.class);
        List.of(points).forEach(journal::add);
        return directory.resolve("points");
    }

    private static Point point(String commit, String call, String... violations) {
        return new Point(commit, "broker", "transfer", "kill", 1, call, "/log", 137, 2, 2, List.of(violations));
    }

    private static Cut cut(String... violations) {
        return new Cut(
                THIS,
                "m",
                "ext4",
                1,
                1,
                List.of("broker"),
                new Controls(200, 0, 200, 200),
                1,
                1,
                false,
                4,
                4,
                100,
                4,
                Map.of(),
                Map.of("broker", 100L),
                5,
                List.of(violations));
    }

    @Test
    void whatTheJournalSaysOfThisCommitIsTheExitCode() {
        assertThat(summaryOf("calls", points(point(THIS, "fsync")))).isZero();
        assertThat(summaryOf("calls", points(point("another", "fsync", "lost: x"))))
                .as("another commit's violation is not this one's")
                .isZero();
        assertThat(summaryOf("calls", points(point(THIS, "fsync", "lost: x")))).isEqualTo(Verdict.FAILED);
    }

    @Test
    void nothingThatWasDoneShowsNothing() {
        assertThat(summaryOf("calls", directory.resolve("none"))).isEqualTo(Verdict.VOID);
        assertThat(summaryOf("calls", points(point(THIS, "none")))).isEqualTo(Verdict.VOID);
        assertThat(summaryOf("calls", points(point("another", "fsync")))).isEqualTo(Verdict.VOID);
        assertThat(summaryOf("cuts", directory.resolve("none"))).isEqualTo(Verdict.VOID);
    }

    @Test
    void aCutThatWasNoneIsVoidAndALossIsWorse() {
        Path file = directory.resolve("cuts");
        JsonLines<Cut> journal = new JsonLines<>(file, Cut.class);
        journal.add(cut());
        assertThat(summaryOf("cuts", file)).isZero();
        journal.add(cut("void: cut 2 was none"));
        assertThat(summaryOf("cuts", file)).isEqualTo(Verdict.VOID);
        journal.add(cut("lost: x"));
        assertThat(summaryOf("cuts", file)).isEqualTo(Verdict.FAILED);
    }

    @Test
    void eachCommitHasItsSumAndNoBoundIfSomethingWasViolated() {
        String text = PointSummary.of(List.of(
                point("a", "fsync"), point("b", "fsync"), point("b", "rename"), point("c", "fsync", "corrupt: x")));
        assertThat(text)
                .contains("a: 1 points", "below 3.0 of the points", "b: 2 points", "below 1.5 of the points")
                .containsPattern("c: 1 points.*corrupt 1.*no bound for the points, since not all holds");
        assertThat(CutSummary.of(List.of(cut("lost: x"))))
                .contains("no bound for the cuts", "no bound for the objects")
                .doesNotContain("3/n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls --faults foo",
                "calls --nodes x",
                "calls --nodes broker,x",
                "calls --phases y",
                "calls --phases=",
                "calls --last 0",
                "cuts --cuts -1",
                "cuts --cuts 0",
                "cuts --fs btrfs"
            })
    void whatNobodyKnowsIsRefusedBeforeTheStart(String arguments) throws Exception {
        Path journal = directory.resolve("journal");
        String[] all = (arguments + " --journal " + journal).split(" ");
        assertThat(power(all)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains(all[1].replace("=", ""));
        assertThat(journal).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls", "cuts"})
    void aJournalThatCannotBeWrittenIsRefusedBeforeTheStart(String command) throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path data = directory.resolve("data");
        assertThat(power(command, "--journal", file.resolve("x").toString(), "--dir", data.toString()))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("--journal: ").doesNotContain("\tat ");
        assertThat(data).doesNotExist();
        Files.writeString(file, "{]\n");
        assertThat(power(command, "--journal", file.toString(), "--dir", data.toString()))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said).contains("line 1");
    }
}
