package io.hawser.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hawser.ops.observe.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures, for people and as a document. */
class BenchReportTest {
    private static final Machine MACHINE =
            new Machine("a processor", 2, 1L << 30, "Linux 6", "a JVM", "ext4", "/dev/x");

    private final StringWriter out = new StringWriter();
    private final StringWriter lines = new StringWriter();

    private BenchReport report(boolean json) {
        return new BenchReport(
                "links",
                "some files",
                Map.of("--runs", "3"),
                MACHINE,
                new PrintWriter(out),
                new PrintWriter(lines),
                json);
    }

    private static Measurement figure() {
        return Measurement.of(Map.of("work", "64 MiB up"), "s", List.of(8.0, 6.0, 7.0))
                .limited(5.95, "the link")
                .aimed(6.6)
                .also("wire", 1.05);
    }

    @Test
    void theMiddleOfThreeAndOfFour() {
        assertThat(MedianAndRange.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new MedianAndRange(2, 1, 3));
        assertThat(MedianAndRange.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new MedianAndRange(2.5, 1, 4));
        assertThat(MedianAndRange.of(List.of(5.0))).isEqualTo(new MedianAndRange(5, 5, 5));
        assertThatThrownBy(() -> MedianAndRange.of(List.of())).hasMessage("nothing was measured");
    }

    @Test
    void ofATimeTheLimitIsTheShorterAndOfARateTheHigher() {
        assertThat(figure().share()).isCloseTo(0.85, within(1e-9));
        assertThat(Measurement.of(Map.of(), "MB/s", List.of(300.0))
                        .limited(400, "the disk")
                        .share())
                .isCloseTo(0.75, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0671,0.067",
        "0.67,0.67",
        "6.534,6.53",
        "65.34,65.3",
        "653.4,653",
        "65312,65312",
        "0,0.00",
        "-6.5,-6.50"
    })
    void numbersHaveTheDecimalsThatMeanSomething(double value, String text) {
        assertThat(BenchReport.number(value)).isEqualTo(text);
    }

    @Test
    void aRowHasTheMedianTheSpreadTheLimitTheShareAndTheAim() {
        assertThat(BenchReport.row(figure()))
                .matches("64 MiB up +7\\.00 +6\\.00\\.\\.8\\.00 s +5\\.95 +85 % +6\\.60 +wire 1\\.05");
        assertThat(BenchReport.row(Measurement.of(Map.of("run", "cold"), "MB/s", List.of(150.0))))
                .matches("cold +150 +150\\.\\.150 MB/s");
    }

    @Test
    void peopleReadTheMachineTheParametersTheFiguresAndWhatTheLimitIs() {
        BenchReport report = report(false);
        report.add(figure());
        report.note("all bytes compared equal");
        report.end(true);
        assertThat(lines.toString()).isEmpty();
        assertThat(out.toString())
                .contains(
                        "bench links: some files",
                        "on 2 x a processor, 1 GiB, Linux 6, a JVM, ext4 on /dev/x; load ",
                        "--runs 3",
                        "64 MiB up",
                        "all bytes compared equal",
                        "limit: the link");
    }

    @Test
    void aDocumentThatDoesNotNameItsCommitCanBeReadAsWell() throws Exception {
        BenchReport report = report(true);
        report.end(true);
        String older = out.toString().replaceFirst("\\s*\"commit\" ?: ?\"[^\"]*\",", "");
        assertThat(older).doesNotContain("commit");
        assertThat(Json.read(older.getBytes(StandardCharsets.UTF_8), BenchDocument.class)
                        .commit())
                .isEqualTo("unknown");
    }

    @Test
    void theDocumentIsAloneOnStandardOutputAndCanBeReadAgain() throws Exception {
        BenchReport report = report(true);
        report.add(figure());
        report.say("a word");
        report.note("all bytes compared equal");
        report.end(true);
        assertThat(lines.toString()).contains("64 MiB up", "a word");
        BenchDocument document = Json.read(out.toString().getBytes(StandardCharsets.UTF_8), BenchDocument.class);
        assertThat(document.version()).isEqualTo(1);
        assertThat(document.bench()).isEqualTo("links");
        assertThat(document.commit()).isEqualTo(System.getProperty("hawser.commit", "unknown"));
        assertThat(document.machine()).isEqualTo(MACHINE);
        assertThat(document.parameters()).isEqualTo(Map.of("--runs", "3"));
        assertThat(document.figures()).containsExactly(figure());
        assertThat(document.notes()).containsExactly("all bytes compared equal");
        assertThat(document.good()).isTrue();
    }
}
