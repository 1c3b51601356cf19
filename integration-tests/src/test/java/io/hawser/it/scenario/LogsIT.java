package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.it.harness.CommandRun;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What nodes log, for programs, and how an operator changes that while they run. */
class LogsIT extends Scenario {
    /** What the node itself logged: the JVM and the test's harness write lines of their own. */
    private List<JsonNode> logged(Part part) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(chain.logFile(part))) {
            if (line.startsWith("{")) {
                lines.add(Json.tree(line.getBytes(StandardCharsets.UTF_8)));
            }
        }
        return lines;
    }

    private CommandRun loggers(Part part, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("loggers"));
        command.addAll(List.of(words));
        command.addAll(List.of("--admin", chain.admin(part).orElseThrow().toString()));
        return CommandRun.of(command.toArray(String[]::new));
    }

    @Test
    void aLogOfJsonIsOneObjectALineWithItsFields() throws Exception {
        chain.with(Part.AGENT_A, "--log-format", "json").startAll();
        Path source = sample("source", MIB, 1);
        upload(source, "file");
        awaitDelivered(source, "file");
        chain.stop(Part.AGENT_A);

        assertThat(Files.readString(chain.logFile(Part.AGENT_A))).doesNotContainPattern("(?m)^[0-9-]{10}T.* INFO ");
        assertThat(logged(Part.AGENT_A)).hasSizeGreaterThan(2).allSatisfy(line -> {
            assertThat(line.path("level").asText()).matches("[A-Z]+");
            assertThat(line.path("logger").asText()).startsWith("io.");
            assertThat(line.path("message").asText()).isNotEmpty();
        });
        assertThat(logged(Part.AGENT_A))
                .anySatisfy(line -> assertThat(line.at("/fields/node").asText()).isEqualTo("agent-a"));
    }

    private long logins() throws IOException {
        return logged(Part.AGENT_A).stream()
                .filter(line -> line.path("message").asText().equals("logged in"))
                .count();
    }

    @Test
    void aLevelIsChangedWhileTheNodeRunsAndTheAuditLogNotesIt() throws Exception {
        Path audit = directory.resolve("audit");
        chain.with(Part.AGENT_A, "--log-format", "json", "--audit", audit.toString())
                .startAll();
        Path source = sample("source", 1000, 1);
        assertThat(loggers(Part.AGENT_A).succeeded().out()).contains("info   ROOT");

        assertThat(loggers(Part.AGENT_A, "io.hawser.agenta", "error")
                        .succeeded()
                        .out())
                .contains("error  io.hawser.agenta");
        upload(source, "unseen");
        assertThat(loggers(Part.AGENT_A, "io.hawser.agenta", "inherit")
                        .succeeded()
                        .out())
                .contains("info   io.hawser.agenta  (inherited)");
        upload(source, "seen");

        await("the second login").until(() -> logins() > 0);
        assertThat(logins()).isEqualTo(1);
        CommandRun refused = loggers(Part.AGENT_A, "io.hawser", "loud");
        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.log()).contains("level is one of trace, debug");
        await("the audit log").untilAsserted(() -> assertThat(Files.readString(audit))
                .contains("admin POST", "/loggers?", "level=error", "level=loud"));
    }
}
