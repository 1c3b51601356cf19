package io.hawser.agentb;

import io.hawser.common.cli.AdminClient;
import io.hawser.common.cli.ExitCode;
import io.hawser.common.cli.HawserCommand;
import io.hawser.common.cli.NodeKeys;
import io.hawser.common.config.ByteSize;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigException;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
import io.hawser.common.landing.DeadLetter;
import io.hawser.common.observe.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser dead}: the transfers that agent-b has given up delivering.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "dead",
        description = {
            "Shows the transfers that agent-b could not deliver until its --into-deadline, has them tried again, or drops them:"
                    + " a dropped one's publisher is told that it failed.",
            "ID is a transfer's key or its beginning. 'retry --all' leaves those whose path has been delivered to since by a"
                    + " later transfer: name one to put its older bytes there."
        },
        footer = {
            "",
            "Example:  hawser dead list",
            "          hawser dead retry --all",
            "          hawser dead drop 01990f2b7c --admin 127.0.0.1:7482"
        })
public final class DeadCommand implements HawserCommand {
    private static final ConfigKey<HostPort> ADMIN =
            ConfigKey.hostPort("admin", "127.0.0.1:7482", "the admin address of agent-b");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "list|retry|drop", description = "what to do")
    private String action = "list";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ID", description = "a transfer's key or its beginning")
    private @Nullable String id;

    @Option(names = "--all", description = "retry or drop all of them")
    private boolean all;

    @Option(names = "--json", description = "print the list as JSON")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(ADMIN, NodeKeys.ADMIN_TOKEN, NodeKeys.TLS);
    }

    @Override
    public void configure(Config config) {
        this.config = config;
        boolean changes = action.equals("retry") || action.equals("drop");
        if (!changes && !action.equals("list")) {
            throw new ConfigException("'" + action + "' is not list, retry or drop");
        }
        if (changes && all == (id != null)) {
            throw new ConfigException("give the ID of one dead letter, or --all");
        }
        if (!changes && (all || id != null)) {
            throw new ConfigException("'dead list' shows all of them and takes no ID");
        }
    }

    @Override
    public Integer call() throws IOException {
        AdminClient client = AdminClient.of(config, ADMIN);
        PrintWriter out = spec.commandLine().getOut();
        if (action.equals("list")) {
            byte[] body = client.get("/dead", Map.of());
            List<DeadLetter> letters = Json.readList(body, DeadLetter.class);
            if (json) {
                out.println(Json.text(letters));
            } else {
                print(letters, out);
            }
        } else {
            String which = id == null ? "all" : id;
            byte[] body = client.post("/dead/" + action, Map.of("id", which));
            told(Json.read(body, DeadLetterPages.Result.class), out);
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private static void print(List<DeadLetter> letters, PrintWriter out) {
        if (letters.isEmpty()) {
            out.println("no dead letters");
        }
        for (DeadLetter letter : letters) {
            out.printf(
                    "%s  %s  %s  since %s%n    %s%n",
                    letter.transfer(),
                    letter.name(),
                    ByteSize.human(letter.sizeBytes()),
                    Instant.ofEpochMilli(letter.sinceMillis()).truncatedTo(ChronoUnit.SECONDS),
                    letter.reason());
            if (letter.wasOvertaken()) {
                out.println("    overtaken by " + letter.overtakenBy());
            }
        }
    }

    private void told(DeadLetterPages.Result result, PrintWriter out) {
        String did = action.equals("retry") ? "tried again" : "dropped";
        result.done().forEach(letter -> out.println(did + ": " + letter.transfer() + "  " + letter.name()));
        result.left()
                .forEach(letter -> out.println("left, since a later transfer of its path was delivered: "
                        + letter.transfer() + "  " + letter.name()));
        if (result.done().isEmpty() && result.left().isEmpty()) {
            out.println("no dead letters");
        }
    }
}
