package io.hawser.it.why;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.config.HostPort;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.WhyCommand;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks {@code hawser why}. Thread: any. */
public final class Verdicts {
    private Verdicts() {}

    /**
     * A verdict.
     *
     * @param place hop and stage, such as {@code broker->b link}; what went wrong if there is none
     * @param answer the whole answer
     */
    public record Found(String place, String answer) {
        static Found of(String json) throws IOException {
            JsonNode bottleneck =
                    Json.tree(json.getBytes(StandardCharsets.UTF_8)).path("bottleneck");
            return new Found(
                    bottleneck.path("hop").asText() + " "
                            + bottleneck.path("stage").asText(),
                    json);
        }
    }

    /** The bottleneck of a transfer by what those nodes say. */
    static Found ask(String transfer, List<HostPort> admins) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String addresses = admins.stream().map(HostPort::toString).collect(Collectors.joining(","));
        int code = Hawser.run(
                List.of(new WhyCommand()),
                Map.of(),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                "why",
                transfer,
                "--json",
                "--admin",
                addresses);
        return code == 0 ? Found.of(out.toString()) : new Found("no verdict", err.toString());
    }
}
