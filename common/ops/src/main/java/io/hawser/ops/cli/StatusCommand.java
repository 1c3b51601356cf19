package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.observe.ForecastPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WhyPage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "TRANSFER is a part of a transfer's key or name; without it the newest are shown. The id at the start of a line"
                    + " is the end of its key, and is accepted wherever a KEY is.",
            "--watch fills the terminal, once a second, until q or Ctrl-C: how fast transfers move, and what holds them back."
        },
        footer = {
            "",
            "Example:  hawser status",
            "          hawser status photos/cat.jpg --json",
            "          hawser status --watch --topic site-b --state open",
            "          hawser status --admin 127.0.0.1:7481   # what agent-a knows",
            "          hawser status --admin 127.0.0.1:7482   # what agent-b knows"
        })
public final class StatusCommand extends AdminCommand {
    /** So many of the newest transfers are looked at for a filter, and for the rates of {@code --watch}. */
    private static final int LOOKED_AT = 1000;

    @Parameters(arity = "0..1", paramLabel = "TRANSFER", description = "part of a transfer's key or name")
    private @Nullable String transfer;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "" + TransferPage.DEFAULT_LIMIT,
            description = "how many transfers at most (default: " + TransferPage.DEFAULT_LIMIT + ")")
    private int limit;

    @Option(names = "--watch", description = "fill the terminal, and show the state once a second")
    private boolean watch;

    @Mixin
    private TransferFilter filter = new TransferFilter();

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
        } else if (watch && isJson()) {
            throw new ConfigException("--watch is for people: leave out --json, or ask for it again and again");
        }
        filter.check();
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        // What is filtered or added up here has to be read.
        int asked = filter.isEmpty() && !watch ? limit : Math.max(limit, LOOKED_AT);
        Map<String, String> query = Map.of("limit", Integer.toString(asked), "key", transfer == null ? "" : transfer);
        if (watch) {
            watch(client, query);
            return;
        }
        TransferPage page = filtered(Json.read(client.get("/transfers", query), TransferPage.class));
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
            int columns = Terminal.showsOutput() ? TerminalDevice.columns() : Integer.MAX_VALUE;
            StatusTable table = new StatusTable(out, columns);
            table.print(page);
            if (transfer != null && page.transfers().size() == 1) {
                explain(client, page.transfers().get(0), table);
            }
            table.print(page.subscriptions(), Instant.now());
            Health health = Json.read(client.health(), Health.class);
            table.print(health);
            if (transfer == null) {
                table.print(forecasts(client), health);
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
    private static void explain(AdminClient client, TransferStatus only, StatusTable table) throws IOException {
        if (only.wasDelivered()) {
            return;
        }
        byte[] why;
        try {
            why = client.get("/why", Map.of("key", only.key()));
        } catch (CommandException e) {
            return; // an older node has no such page
        }
        table.print(Json.read(why, WhyPage.class));
    }

    private TransferPage filtered(TransferPage page) {
        List<TransferStatus> fit =
                page.transfers().stream().filter(filter::lets).toList();
        return new TransferPage(
                page.node(),
                fit.subList(0, Math.min(limit, fit.size())),
                page.truncated() || fit.size() > limit,
                page.searched() > 0 || filter.isEmpty() || !page.truncated()
                        ? page.searched()
                        : page.transfers().size(),
                filter.isEmpty() ? page.subscriptions() : List.of());
    }

    private void watch(AdminClient client, Map<String, String> query) throws IOException {
        StatusWatch view = new StatusWatch(client, query, filter);
        Optional<FullScreen> screen =
                Terminal.showsOutput() && TerminalDevice.takesEscapes() ? FullScreen.open(out()) : Optional.empty();
        if (screen.isEmpty()) {
            throw new CommandException(
                    ExitCode.USAGE, "--watch needs a terminal; for a script: hawser status --json, again and again");
        }
        try (FullScreen open = screen.get()) {
            view.run(open);
        }
    }
}
