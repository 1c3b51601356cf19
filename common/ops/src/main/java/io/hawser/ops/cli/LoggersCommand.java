package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.LoggerLine;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser loggers}: shows and changes what a running node logs. */
@Command(
        name = "loggers",
        header = "Show or change what a running node logs.",
        description = {
            "Without arguments: the loggers that have a level of their own. NAME: that logger and those below it. NAME LEVEL: sets the level"
                    + " until the node ends; the right 'admin' on all topics is needed, and the audit log notes it.",
            "NAME is a package, a class in full, or ROOT. LEVEL is trace, debug, info, warn, error, off, or inherit for that of the package above."
        },
        footer = {
            "",
            "Example:  hawser loggers io.hawser.broker debug",
            "          hawser loggers io.hawser.broker inherit",
            "          hawser loggers --admin 127.0.0.1:7481   # what agent-a logs"
        })
public final class LoggersCommand extends AdminCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "a package, a class or ROOT")
    private @Nullable String name;

    @Parameters(index = "1", arity = "0..1", paramLabel = "LEVEL", description = "the new level")
    private @Nullable String level;

    public LoggersCommand() {
        super(ANY_ADMIN);
    }

    @Override
    protected void check() {
        if (name != null && name.isBlank()) {
            throw new ConfigException("NAME is a package, a class in full, or ROOT; it is empty");
        }
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        String logger = name == null ? "" : name;
        byte[] answer = level == null
                ? client.get("/loggers", Map.of("name", logger))
                : client.post("/loggers", Map.of("name", logger, "level", level));
        List<LoggerLine> lines = Json.readList(answer, LoggerLine.class);
        show(lines, out -> {
            if (lines.isEmpty()) {
                out.println("no logger " + logger);
            }
            lines.forEach(each -> out.println(String.format(
                    Locale.ROOT,
                    "%-5s  %s%s",
                    each.effectiveLevel(),
                    each.name(),
                    each.level().isEmpty() ? "  (inherited)" : "")));
        });
    }
}
