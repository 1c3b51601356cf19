package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.ReplicaLine;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicasCommandTest extends OnAdminServer {
    private final List<Map<String, String>> asked = new ArrayList<>();
    private List<ReplicaLine> answer = List.of();

    @BeforeEach
    void start() throws IOException {
        AdminPage page = AdminPage.json(query -> {
            asked.add(new TreeMap<>(query));
            return answer;
        });
        serve(Map.of("/replicas", page), Map.of());
    }

    private int run(String... words) {
        return run(new ReplicasCommand(), "replicas", words);
    }

    @Test
    void eachCopyIsALineAndTheLastLineComparesThem() {
        answer = List.of(
                new ReplicaLine("m", "one", "k1", "f", 3 << 20, "hts256-1048576:aa", 0),
                new ReplicaLine("m", "two", "k2", "old\tname", -1, "", 1_000));

        assertThat(run("f", "--topic", "m")).isZero();

        assertThat(asked).containsExactly(Map.of("name", "f", "topic", "m"));
        assertThat(out.toString()).isEqualTo("""
                m  one  3 MiB  1970-01-01T00:00:00Z  hts256-1048576:aa
                m  two  size not known  1970-01-01T00:00:01Z  (patched since it was sent whole)  sent as old?name
                2 copies with 2 different digests
                """);
    }

    @Test
    void itCanBeJson() {
        answer = List.of(new ReplicaLine("m", "one", "k1", "f", 3, "hts256-1048576:aa", 0));

        assertThat(run("f", "--json")).isZero();

        assertThat(out.toString())
                .contains("\"digest\" : \"hts256-1048576:aa\"")
                .startsWith("[");
    }

    @Test
    void noCopyIsAFailureThatSaysSo() {
        assertThat(run("f", "--topic", "m")).isEqualTo(1);
        assertThat(err.toString()).contains("no copy of 'f' is known on topic m");
    }
}
