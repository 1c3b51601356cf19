package io.hawser.common.cli;

import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigException;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
import io.hawser.common.observe.Health;
import io.hawser.common.observe.Json;
import io.hawser.common.observe.TransferPage;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser status}: the transfers that a broker knows, hop by hop.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "status",
        description = {
            "Shows transfers as the broker sees them: per hop the durable bytes, the bytes that were sent again, the"
                    + " hop's credit, state and age; and the receipts. Below them stand the subscriptions that are owed something, with what"
                    + " the broker keeps for each alone, since and until when; and what /health warns of.",
            "TRANSFER is a part of a transfer's key or name; without it the newest are shown."
        },
        footer = {
            "",
            "Example:  hawser status",
            "          hawser status photos/cat.jpg --json",
            "          hawser status --broker-admin 127.0.0.1:7481   # what agent-a knows",
            "          hawser status --broker-admin 127.0.0.1:7482   # what agent-b knows"
        })
public final class StatusCommand implements HawserCommand {
    private static final ConfigKey<HostPort> BROKER_ADMIN =
            ConfigKey.hostPort("broker-admin", "127.0.0.1:7480", "the admin address of the broker, or of an agent");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "TRANSFER", description = "part of a transfer's key or name")
    private @Nullable String transfer;

    @Option(names = "--json", description = "print the admin page as it is")
    private boolean json;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "" + TransferPage.DEFAULT_LIMIT,
            description = "how many transfers at most (default: " + TransferPage.DEFAULT_LIMIT + ")")
    private int limit;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(BROKER_ADMIN, NodeKeys.ADMIN_TOKEN, NodeKeys.TLS);
    }

    @Override
    public void configure(Config config) {
        this.config = config;
        if (limit < 1 || limit > TransferPage.MAX_LIMIT) {
            throw new ConfigException("--limit is 1 to " + TransferPage.MAX_LIMIT + ", not " + limit);
        }
    }

    @Override
    public Integer call() throws Exception {
        AdminClient client = AdminClient.of(config, BROKER_ADMIN);
        byte[] body = client.get(
                "/transfers", Map.of("limit", Integer.toString(limit), "key", transfer == null ? "" : transfer));
        PrintWriter out = spec.commandLine().getOut();
        TransferPage page = Json.read(body, TransferPage.class);
        boolean notFound = transfer != null && page.transfers().isEmpty();
        if (json) {
            out.println(Json.text(page));
        } else if (!notFound) {
            StatusTable.print(page, out);
            StatusTable.print(page.subscriptions(), Instant.now(), out);
            StatusTable.print(Json.read(client.health(), Health.class), out);
        }
        out.flush();
        if (notFound) {
            throw new CommandException(ExitCode.FAILED, "no transfer's key or name contains '" + transfer + "'");
        }
        return ExitCode.OK.code();
    }
}
