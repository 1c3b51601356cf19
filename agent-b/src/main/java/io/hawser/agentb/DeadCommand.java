package io.hawser.agentb;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.AdminCommand;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.Json;
import io.hawser.store.landing.DeadLetter;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code hawser dead}: lists, retries and drops the dead letters of agent-b.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "dead",
        header = "List, retry or drop what agent-b could not deliver.",
        description = {
            "Shows the transfers that agent-b could not deliver until its --into-deadline, retries them, or drops them: the publisher"
                    + " of a dropped one gets the receipt FAILED.",
            "ID is a transfer's key, its beginning or its end. 'retry --all' skips those whose path a later transfer has been delivered to:"
                    + " name one to put its older bytes there."
        },
        footer = {
            "",
            "Example:  hawser dead list",
            "          hawser dead retry --all",
            "          hawser dead drop 01990f2b7c --admin 127.0.0.1:7482"
        })
public final class DeadCommand extends AdminCommand {
    private static final ConfigKey<HostPort> ADMIN =
            ConfigKey.hostPort("admin", "127.0.0.1:7482", "the admin address of agent-b");

    @Parameters(index = "0", arity = "0..1", paramLabel = "list|retry|drop", description = "what to do (default: list)")
    private String action = "list";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ID",
            description = "a transfer's key, its beginning or its end")
    private @Nullable String id;

    @Option(names = "--all", description = "retry or drop all of them")
    private boolean all;

    public DeadCommand() {
        super(ADMIN);
    }

    @Override
    protected void check() {
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
    protected void ask(AdminClient client) throws IOException {
        if (action.equals("list")) {
            List<DeadLetter> letters = Json.readList(client.get("/dead", Map.of()), DeadLetter.class);
            show(letters, out -> print(letters, out));
        } else {
            String which = id == null ? "all" : id;
            byte[] body = client.post("/dead/" + action, Map.of("id", which));
            DeadLetterPages.Result result = Json.read(body, DeadLetterPages.Result.class);
            show(result, out -> printResult(result, out));
            String problem = result.problem();
            if (problem != null) {
                throw new CommandException(ExitCode.FAILED, "not " + did() + ": " + problem);
            }
        }
    }

    private static void print(List<DeadLetter> letters, PrintWriter out) {
        if (letters.isEmpty()) {
            out.println("no dead letters");
        }
        for (DeadLetter letter : letters) {
            out.printf(
                    "%s  %s  %s  since %s%n    %s%n",
                    letter.transfer(),
                    Printable.text(letter.name()),
                    ByteSize.human(letter.sizeBytes()),
                    Instant.ofEpochMilli(letter.sinceMillis()).truncatedTo(ChronoUnit.SECONDS),
                    Printable.text(letter.reason()));
            if (letter.wasOvertaken()) {
                out.println("    overtaken by " + letter.overtakenBy());
            }
        }
    }

    private String did() {
        return action.equals("retry") ? "tried again" : "dropped";
    }

    private void printResult(DeadLetterPages.Result result, PrintWriter out) {
        result.done()
                .forEach(
                        letter -> out.println(did() + ": " + letter.transfer() + "  " + Printable.text(letter.name())));
        result.left()
                .forEach(letter -> out.println("skipped, since a later transfer of its path was delivered: "
                        + letter.transfer() + "  " + Printable.text(letter.name())));
        if (result.done().isEmpty() && result.left().isEmpty() && result.problem() == null) {
            out.println("no dead letters");
        }
    }
}
