package io.hawser.it.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hawser.it.bench.report.BenchDocument;
import io.hawser.it.bench.report.Machine;
import io.hawser.it.bench.report.Measurement;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.observe.Json;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** From a document to a drawing. */
class SweepPlotsTest {
    private static Measurement figure(String over, String x, String by, double... seconds) {
        Map<String, String> of = new LinkedHashMap<>();
        of.put(over, x);
        of.put("work", "16 MiB up");
        of.put("by", by);
        List<Double> values = Arrays.stream(seconds).boxed().toList();
        Measurement figure = Measurement.of(of, "s", values).limited(1, "the link");
        return figure.also("Mbit/s", 100 / figure.spread().median());
    }

    private static BenchDocument document(String over, Measurement... figures) {
        return new BenchDocument(
                1,
                "sweep",
                "one file",
                "hawser",
                "0123456789ab",
                "2026-01-02T03:04:05Z",
                new Machine("p", 2, 1, "k", "j", "f", "d"),
                1,
                2,
                Map.of("--over", over),
                true,
                List.of(figures),
                List.of());
    }

    @Test
    void aLinearAxisEndsAtARoundNumber() {
        Axis axis = Axis.linear(96.5, 400, 0);
        assertThat(axis.most()).isEqualTo(100);
        assertThat(axis.marks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
        assertThat(axis.at(0)).isEqualTo(400);
        assertThat(axis.at(50)).isCloseTo(200, within(1e-9));
        assertThat(Axis.linear(7, 0, 1).marks()).endsWith(8.0);
    }

    @Test
    void aLogarithmicAxisGivesEachFactorTheSameRoomAndZeroAPlaceBeforeTheLeast() {
        Axis axis = Axis.logarithmic(List.of(1.0, 10.0, 100.0), 0, 200);
        assertThat(axis.at(10)).isCloseTo(100, within(1e-9));
        Axis withZero = Axis.logarithmic(List.of(0.0, 0.01, 1.0), 0, 200);
        assertThat(withZero.at(0)).isEqualTo(0);
        assertThat(withZero.at(0.01)).isBetween(20.0, 60.0);
        assertThat(withZero.at(1)).isCloseTo(200, within(1e-9));
        assertThatThrownBy(() -> Axis.logarithmic(List.of(5.0), 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesKeepTheirDistanceTheirOrderAndTheFloor() {
        assertThat(LabelPlaces.of(List.of(50.0, 10.0, 12.0), 10, 100)).containsExactly(50.0, 10.0, 20.0);
        assertThat(LabelPlaces.of(List.of(99.0, 98.0), 10, 100)).containsExactly(100.0, 90.0);
    }

    @Test
    void linesAreByWhoAndPointsInTheOrderOfWhatDiffers() {
        Chart chart = SweepPlots.chart(document(
                "rtt",
                figure("rtt", "600", "Hawser", 2, 4, 3),
                figure("rtt", "10", "Hawser", 1),
                figure("rtt", "10", "rsync", 5)));
        assertThat(chart.lines()).extracting(Chart.Line::name).containsExactly("Hawser", "rsync");
        assertThat(chart.lines().get(0).points()).extracting(Chart.Point::x).containsExactly(10.0, 600.0);
        Chart.Point far = chart.lines().get(0).points().get(1);
        assertThat(far.y()).isCloseTo(100 / 3.0, within(1e-9));
        assertThat(far.least()).isCloseTo(25, within(1e-9));
        assertThat(far.most()).isCloseTo(50, within(1e-9));
        assertThat(chart.bound().points().get(0).y()).isCloseTo(100, within(1e-9));
        assertThat(chart.subtitle()).contains("16 MiB", "2026-01-02", "load 1.0 to 2.0");
    }

    @Test
    void aProgramWithSeveralNumbersOfStreamsIsOneLine() {
        Chart chart = SweepPlots.chart(document(
                "streams",
                figure("streams", "1", "GridFTP, 1 stream", 4),
                figure("streams", "16", "GridFTP, 16 streams", 2)));
        assertThat(chart.lines()).hasSize(1);
        assertThat(chart.lines().get(0).points()).hasSize(2);
    }

    @Test
    void theDrawingIsWellFormedAndSaysWhatIsDrawn() throws Exception {
        String svg = SvgChart.of(SweepPlots.chart(document(
                "loss",
                figure("loss", "0", "Hawser", 1),
                figure("loss", "0.1", "Hawser", 2, 3),
                figure("loss", "1", "a<b&c", 3))));
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(svg).contains("Throughput against loss, up", "Hawser", "a&lt;b&amp;c", "what the link allows");
    }

    @Test
    void everyDocumentOfASweepIsDrawnBesideIt(@TempDir Path directory) throws Exception {
        assertThatThrownBy(() -> SweepPlots.in(directory))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("holds no document of a sweep");
        Files.write(
                directory.resolve("rtt.json"),
                Json.bytes(document("rtt", figure("rtt", "10", "Hawser", 1), figure("rtt", "600", "Hawser", 3))));
        assertThat(SweepPlots.in(directory)).containsExactly(directory.resolve("rtt.svg"));
        assertThat(directory.resolve("rtt.svg")).content().startsWith("<svg ");
    }
}
