package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryQuery;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hawser history}: the transfers that have ended at a node. */
@Command(
        name = "history",
        header = "Show transfers that have ended.",
        description = {
            "Shows the transfers that have ended at a node, the newest first: when, how, size, time from begin to end, topic and name; of"
                    + " what did not arrive also the end of its id, and the reason. Times are of this machine's time zone.",
            "A node keeps them for --keep-history, and --keep-history-rows at most."
        },
        footer = {
            "",
            "Example:  hawser history --failed --since 2026-01-31",
            "          hawser history --topic site-b --name 'photos/**' --json",
            "          hawser history --admin 127.0.0.1:7481   # agent-a: uploads and downloads"
        })
public final class HistoryCommand extends AdminCommand {
    @Option(names = "--topic", paramLabel = "TOPIC", description = "only of this topic")
    private @Nullable String topic;

    @Option(
            names = "--name",
            paramLabel = "GLOB",
            description = "only names that match: '*' and '?' within a directory, '**' across directories")
    private @Nullable String name;

    @Option(names = "--failed", description = "only what did not arrive, also what was cancelled")
    private boolean failed;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "only what ended then or later: 2026-01-31, 2026-01-31T12:00, or with a zone")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "WHEN", description = "only what ended before")
    private @Nullable String until;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "" + HistoryQuery.DEFAULT_LIMIT,
            description = "how many at most (default: " + HistoryQuery.DEFAULT_LIMIT + ")")
    private int limit;

    private final Map<String, String> query = new HashMap<>();

    public HistoryCommand() {
        super(ANY_ADMIN);
    }

    @Override
    protected void check() {
        if (limit < 1 || limit > HistoryQuery.MAX_LIMIT) {
            throw new ConfigException("--limit is 1 to " + HistoryQuery.MAX_LIMIT + ", not " + limit);
        }
        query.put("limit", Integer.toString(limit));
        query.put("failed", Boolean.toString(failed));
        put("topic", topic);
        put("name", name);
        put("since", since == null ? null : time("--since", since));
        put("until", until == null ? null : time("--until", until));
        try {
            HistoryQuery.of(query);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--" + e.getMessage());
        }
    }

    private void put(String parameter, @Nullable String value) {
        if (value != null) {
            query.put(parameter, value);
        }
    }

    /** What people write, in this machine's time zone unless it names one, as the page takes it. */
    private static String time(String flag, String text) {
        try {
            if (!text.contains("T")) {
                return LocalDate.parse(text)
                        .atStartOfDay(ZoneId.systemDefault())
                        .toInstant()
                        .toString();
            }
            boolean hasZone = text.endsWith("Z") || text.matches(".*T.*[+-][0-9:]+");
            return hasZone
                    ? text
                    : LocalDateTime.parse(text)
                            .atZone(ZoneId.systemDefault())
                            .toInstant()
                            .toString();
        } catch (DateTimeParseException e) {
            throw new ConfigException(flag + " is a date such as "
                    + LocalDate.ofInstant(Instant.now(), ZoneId.systemDefault())
                    + " or a time such as 2026-01-31T12:00, not '"
                    + text + "'");
        }
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        HistoryPage page = Json.read(client.get("/history", query), HistoryPage.class);
        show(page, out -> HistoryTable.print(page, ZoneId.systemDefault(), out));
    }
}
