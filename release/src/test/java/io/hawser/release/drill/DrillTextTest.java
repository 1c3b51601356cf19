package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.ops.observe.Json;
import io.hawser.release.drill.DrillReport.Verdict;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrillTextTest {
    private static final DrillReport.Canaries COUNTS =
            new DrillReport.Canaries(123_456, 1L << 33, 123_450, 3, 2L, 1, 0, 17, 4, 2, 12, 340, 65_432);

    private static DrillReport report(Verdict verdict, List<String> complaints) {
        return new DrillReport(
                "hawser 1.2.3-SNAPSHOT, Java 17.0.99",
                DrillReport.SPOOLED,
                verdict,
                "a chain of its own in /tmp/x",
                7,
                1000,
                COUNTS,
                List.of(
                        new DrillReport.FaultLine(1, 123_456, "kill -9", "agent-a", 1234L, 23_456L, 1L << 29, 1L << 30),
                        new DrillReport.FaultLine(2, 999_999, "stop", "broker", null, null, null, null)),
                new DrillReport.Stall(23_456, 101_000),
                Map.of("agent-a -> broker", new DrillReport.Hop(1000, 1 << 24, 3)),
                0.00012,
                complaints);
    }

    @Test
    void everyLineFitsIntoEightyColumns() {
        DrillSettings settings = new DrillSettings(
                new FaultSettings(
                        EnumSet.allOf(Part.class), Set.of(), 20, Duration.ofSeconds(3), Duration.ofMillis(500)),
                new CanarySettings(5, 4 << 20, Duration.ofMillis(100)),
                Optional.empty(),
                999_999_999,
                Duration.ofSeconds(60),
                false);
        DrillReport report = report(
                Verdict.FAILED,
                List.of("hawser-drill-abc-1234-f000001 was not there 60 s after the last fault or canary, which is a"
                        + " sentence that does not fit into one line"));
        List<String> lines = new ArrayList<>(
                DrillText.head("a chain of its own in /tmp/hawser-drill-1", settings, "hawser-drill-t0abcd-1234-"));
        lines.add(DrillText.faultHead());
        report.faults().forEach(fault -> lines.add(DrillText.fault(fault)));
        lines.addAll(DrillText.summary(report));

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(79));
        assertThat(String.join("\n", lines))
                .contains(
                        "by           hawser 1.2.3-SNAPSHOT, Java 17.0.99",
                        "level        spooled or further (forced to a disk)",
                        "kill -9 of agent-a, broker, agent-b; 20 in turn",
                        "3 lost, 2 duplicated, 1 corrupt",
                        "17 cut off before a reply, of which 4 arrived all the same, whole",
                        "  1  123.5 s  kill -9 agent-a    1.23 s       23.5 s  512 MiB (1 GiB)",
                        "  2 1000.0 s  stop broker             -            -  -",
                        "agent-a -> broker: 1000 B after 3 faults; bound 48 MiB",
                        "at most 23.5 s without an arrival, from 101.0 s on",
                        "less than 0.012 % of canaries are lost",
                        "DID NOT HOLD hawser-drill-abc-1234-f000001",
                        "NOT ALL HELD.");
    }

    @Test
    void aCheckIsOneLine() {
        assertThat(DrillText.oneLine(report(Verdict.HELD, List.of())))
                .isEqualTo("hawser drill: ok: 123456 canaries, 8 GiB, through a chain of its own in /tmp/x:"
                        + " delivered after 0.01 s to 65.4 s, each once and whole");
        assertThat(DrillText.oneLine(report(Verdict.FAILED, List.of("a is gone", "b, too"))))
                .startsWith("hawser drill: FAILED: ")
                .endsWith(": a is gone; b, too")
                .hasLineCount(1);
    }

    @Test
    void whatNobodyCanTellIsNullInTheJson() throws Exception {
        JsonNode json = Json.tree(Json.text(report(Verdict.HELD, List.of())).getBytes(StandardCharsets.UTF_8));

        assertThat(json.get("version").asText()).startsWith("hawser 1.2.3");
        assertThat(json.get("custody").asText()).startsWith("spooled");
        assertThat(json.get("verdict").asText()).isEqualTo("HELD");
        assertThat(json.at("/faults/1/readyMillis").isNull()).isTrue();
        assertThat(json.at("/faults/0/nextMillis").asLong()).isEqualTo(23_456);
        assertThat(json.at("/canaries/delivered").asLong()).isEqualTo(123_450);
        assertThat(json.at("/resent/agent-a -> broker/creditBytes").asLong()).isEqualTo(1 << 24);
    }
}
