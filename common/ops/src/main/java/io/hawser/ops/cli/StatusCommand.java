package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.ops.observe.ForecastPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WhyPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hawser status}: the transfers that a broker knows, hop by hop. */
@Command(
        name = "status",
        header = "Show transfers, hop by hop, and warnings.",
        description = {
            "Shows transfers as the broker sees them: per hop the durable bytes, the bytes that were sent again, the"
                    + " hop's credit, state and age; and the receipts. Then the subscriptions that are owed something, with what"
                    + " the broker keeps for each alone, since and until when; and the warnings of /health.",
            "TRANSFER is a part of a transfer's key or name; without it the newest are shown."
        },
        footer = {
            "",
            "Example:  hawser status",
            "          hawser status photos/cat.jpg --json",
            "          hawser status --admin 127.0.0.1:7481   # what agent-a knows",
            "          hawser status --admin 127.0.0.1:7482   # what agent-b knows"
        })
public final class StatusCommand extends AdminCommand {
    /** Where the admin pages of any node are. */
    static final ConfigKey<HostPort> ANY_ADMIN =
            ConfigKey.hostPort("admin", "127.0.0.1:7480", "the admin address of the broker, or of an agent");

    @Parameters(arity = "0..1", paramLabel = "TRANSFER", description = "part of a transfer's key or name")
    private @Nullable String transfer;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "" + TransferPage.DEFAULT_LIMIT,
            description = "how many transfers at most (default: " + TransferPage.DEFAULT_LIMIT + ")")
    private int limit;

    public StatusCommand() {
        super(ANY_ADMIN);
    }

    /** The flag by which this command finds the node whose READY line has these addresses; empty if it is the default. */
    public static String adminFlag(Map<String, String> addresses) {
        return AgentFlags.flagUnlessDefault(ANY_ADMIN, addresses.get("admin"));
    }

    @Override
    protected void check() {
        if (limit < 1 || limit > TransferPage.MAX_LIMIT) {
            throw new ConfigException("--limit is 1 to " + TransferPage.MAX_LIMIT + ", not " + limit);
        }
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        byte[] body = client.get(
                "/transfers", Map.of("limit", Integer.toString(limit), "key", transfer == null ? "" : transfer));
        TransferPage page = Json.read(body, TransferPage.class);
        if (transfer != null && page.transfers().isEmpty()) {
            show(page, out -> {});
            throw new CommandException(
                    ExitCode.FAILED,
                    page.searched() == 0
                            ? "no transfer's key or name contains '" + transfer + "'"
                            : "'" + transfer + "' is not in the key or name of the newest " + page.searched()
                                    + " transfers, and the older ones were not searched");
        }
        show(page, out -> {
            StatusTable.print(page, out);
            if (transfer != null && page.transfers().size() == 1) {
                explain(client, page.transfers().get(0), out);
            }
            StatusTable.print(page.subscriptions(), Instant.now(), out);
            Health health = Json.read(client.health(), Health.class);
            StatusTable.print(health, out);
            if (transfer == null) {
                StatusTable.print(forecasts(client), health, out);
            }
        });
    }

    /** What fills at the node; nothing if it is an older one, or the caller may not see it. */
    private static ForecastPage forecasts(AdminClient client) throws IOException {
        byte[] page;
        try {
            page = client.get("/forecasts", Map.of());
        } catch (CommandException e) {
            return new ForecastPage("", List.of());
        }
        return Json.read(page, ForecastPage.class);
    }

    /** What holds the only transfer of the page back; nothing if it is delivered, or if the node is an older one. */
    private static void explain(AdminClient client, TransferStatus only, PrintWriter out) throws IOException {
        if (only.wasDelivered()) {
            return;
        }
        byte[] why;
        try {
            why = client.get("/why", Map.of("key", only.key()));
        } catch (CommandException e) {
            return; // an older node has no such page
        }
        StatusTable.print(Json.read(why, WhyPage.class), out);
    }
}
