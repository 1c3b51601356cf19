package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ops.observe.ReplicaLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicasCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<Map<String, String>> asked = new ArrayList<>();
    private List<ReplicaLine> answer = List.of();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        AdminPage page = AdminPage.json(query -> {
            asked.add(new TreeMap<>(query));
            return answer;
        });
        server = AdminServer.start(
                new HostPort("127.0.0.1", 0), Map.of("/replicas", page), Map.of(), null, AdminGuard.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int run(String... args) {
        List<String> all = new ArrayList<>(List.of("replicas"));
        all.addAll(List.of(args));
        all.addAll(List.of("--admin", server.address().toString()));
        return Hawser.run(
                List.of(new ReplicasCommand()),
                Map.of(),
                new PrintWriter(out),
                new PrintWriter(err, true),
                all.toArray(String[]::new));
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
