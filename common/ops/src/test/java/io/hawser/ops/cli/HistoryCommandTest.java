package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryRow;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HistoryCommandTest extends OnAdminServer {
    private final List<Map<String, String>> asked = new ArrayList<>();
    private HistoryPage answer = new HistoryPage("broker", List.of(), null, 0);

    @BeforeEach
    void start() throws IOException {
        AdminPage page = AdminPage.json((AdminPage.JsonPage) query -> {
            asked.add(new TreeMap<>(query));
            return answer;
        });
        serve(Map.of("/history", page), Map.of());
    }

    private int run(String... words) {
        return run(new HistoryCommand(), "history", words);
    }

    private static HistoryRow row(String topic, String name, String outcome, String reason) {
        return new HistoryRow(
                7,
                "key",
                topic,
                name,
                "file",
                3 << 20,
                outcome,
                reason,
                "alice",
                "",
                "2026-01-31T12:00:00Z",
                "2026-01-31T12:00:01Z",
                1000,
                0,
                3 << 20,
                "",
                List.of());
    }

    @Test
    void eachRowIsALineAndAReasonFollows() {
        answer = new HistoryPage(
                "broker",
                List.of(
                        row("site-b", "photos/cat.jpg", "delivered", ""),
                        row("site-b", "x", "failed", "disk\u001b full")),
                "1-2",
                3);

        assertThat(run("--limit", "2")).isZero();

        String[] lines = out.toString().split("\n");
        assertThat(lines).hasSize(6);
        assertThat(lines[0]).isEqualTo("ENDED           OUTCOME            SIZE     TOOK  WHAT");
        assertThat(lines[1]).matches("01-31 [0-9:]{8}  delivered +3 MiB +1.0 s  site-b/photos/cat.jpg");
        assertThat(lines[2]).contains("failed").endsWith("site-b/x");
        assertThat(lines[3]).isEqualTo("                key  disk? full");
        assertThat(lines[4]).contains("there are more");
        assertThat(lines[5]).contains("3 later events");
    }

    @Test
    void noLineHasMoreThanEightyColumns() {
        answer = new HistoryPage(
                "broker",
                List.of(
                        row("t".repeat(255), "n".repeat(4000), "dead-lettered", "r".repeat(2000)),
                        row("t", "n", "dead-lettered", "")),
                null,
                0);

        assertThat(run()).isZero();

        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80).anyMatch(line -> line.length() == 80);
    }

    @Test
    void whatIsAskedForGoesToTheNode() {
        assertThat(run("--topic", "t", "--name", "a/**", "--failed", "--since", "2026-01-31T12:00:00Z"))
                .isZero();

        assertThat(asked)
                .containsExactly(Map.of(
                        "topic",
                        "t",
                        "name",
                        "a/**",
                        "failed",
                        "true",
                        "since",
                        "2026-01-31T12:00:00Z",
                        "limit",
                        "50"));
        assertThat(out.toString()).contains("nothing has ended at broker that matches");
    }

    @Test
    void aDateIsMidnightHere() {
        assertThat(run("--since", "2026-01-31", "--until", "2026-02-01T08:00")).isZero();
        assertThat(asked.get(0).get("since")).matches("2026-01-3[01]T[0-9:]+Z");
        assertThat(asked.get(0).get("until")).matches("2026-0[12]-[0-9]{2}T[0-9:]+Z");
    }

    @Test
    void whatIsWrongIsSaidBeforeTheNodeIsAsked() {
        assertThat(run("--since", "yesterday")).isEqualTo(2);
        assertThat(run("--limit", "1001")).isEqualTo(2);
        assertThat(err.toString()).contains("--since is a date such as").contains("--limit is 1 to 1000");
        assertThat(asked).isEmpty();
    }
}
