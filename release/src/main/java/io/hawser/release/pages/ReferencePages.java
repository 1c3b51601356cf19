package io.hawser.release.pages;

import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.EnvironmentVariable;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.FlagGroup;
import io.hawser.ops.cli.Subcommand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** The pages of {@code docs/reference} that are made from the code. Pure. */
final class ReferencePages {
    private ReferencePages() {}

    /** The text of each page, by its file name. */
    static Map<String, String> of(List<Subcommand> commands) {
        return Map.of(
                "flags.md", flags(commands),
                "environment.md", environment(),
                "exit-codes.md", exitCodes());
    }

    private static String flags(List<Subcommand> commands) {
        StringBuilder page = new StringBuilder("""
                # Flags

                Made from the code by `release/pages`. Each flag `--some-name` is also the [environment variable](environment.md) `HAWSER_SOME_NAME` and a line of
                `--config FILE`: a properties file with lines such as `admin=off` or, for one command only, `agent-a.streams=8`. The first of these that is given
                holds. A name that no command knows, or a value that it cannot have, is an error. `hawser help COMMAND` shows also the arguments that are no flags.
                """);
        List<Subcommand> sorted = commands.stream()
                .filter(command -> !command.keys().isEmpty())
                .sorted(Comparator.comparing(ReferencePages::name))
                .toList();
        List<ConfigKey<?>> shared = shared(sorted);
        page.append("\n## Several commands\n");
        flags(page, shared);
        for (Subcommand command : sorted) {
            page.append("\n## hawser ").append(name(command)).append('\n');
            command.keys().stream()
                    .filter(key -> isIn(shared, key))
                    .map(key -> '`' + key.flag() + '`')
                    .reduce((one, other) -> one + ", " + other)
                    .ifPresent(
                            flags -> page.append("\nAs above: ").append(flags).append(".\n"));
            List<FlagGroup> groups = command.flagGroups();
            if (groups.isEmpty()) {
                ownFlags(page, command.keys(), shared);
            }
            groups.stream()
                    .filter(group -> !group.keys().stream().allMatch(key -> isIn(shared, key)))
                    .forEach(group -> {
                        page.append("\n### ").append(group.heading()).append('\n');
                        ownFlags(page, group.keys(), shared);
                    });
        }
        return page.toString();
    }

    /** The flags that several commands have with the same meaning and default. */
    private static List<ConfigKey<?>> shared(List<Subcommand> commands) {
        List<ConfigKey<?>> once = new ArrayList<>();
        List<ConfigKey<?>> several = new ArrayList<>();
        commands.stream().flatMap(command -> command.keys().stream()).forEach(key -> {
            if (!isIn(once, key)) {
                once.add(key);
            } else if (!isIn(several, key)) {
                several.add(key);
            }
        });
        return several;
    }

    /** Two declarations of one flag are the same if a reader cannot tell them apart. */
    private static boolean isIn(List<ConfigKey<?>> keys, ConfigKey<?> key) {
        return keys.stream()
                .anyMatch(each ->
                        each.flag().equals(key.flag()) && each.description().equals(key.description()));
    }

    private static void ownFlags(StringBuilder page, List<? extends ConfigKey<?>> keys, List<ConfigKey<?>> shared) {
        List<? extends ConfigKey<?>> own =
                keys.stream().filter(key -> !isIn(shared, key)).toList();
        if (!own.isEmpty()) {
            flags(page, own);
        }
    }

    private static void flags(StringBuilder page, List<? extends ConfigKey<?>> keys) {
        page.append("\n| flag | does | default |\n|---|---|---|\n");
        for (ConfigKey<?> key : keys) {
            row(
                    page,
                    '`' + cell(key.flag() + (key.isToggle() ? "" : " " + key.label())) + '`',
                    cell(key.sentence()) + (key.range().isEmpty() ? "" : ", " + key.range()),
                    key.isToggle() || key.defaultText() == null ? "" : '`' + cell(key.defaultText()) + '`');
        }
    }

    private static String environment() {
        StringBuilder page = new StringBuilder("""
                # Environment variables

                Made from the code by `release/pages`.

                | variable | holds |
                |---|---|
                | `HAWSER_SOME_NAME` | the [flag](flags.md) `--some-name` of the command; a flag on the command line wins. A name that no command knows is an error |
                """);
        for (EnvironmentVariable variable : EnvironmentVariable.values()) {
            row(page, '`' + variable.name() + '`', variable.sentence());
        }
        return page.append("""
                | `XDG_STATE_HOME` | where the Java API and `hawser send` keep `hawser/` (default `~/.local/state`) |

                JVM properties, by `HAWSER_JAVA_OPTS`: `-Dhawser.tls.jdk=true` takes the JDK's TLS instead of BoringSSL.
                """).toString();
    }

    private static String exitCodes() {
        StringBuilder page = new StringBuilder("""
                # Exit codes

                Made from the code by `release/pages`. Every `hawser` command has these:

                | code | meaning |
                |---|---|
                """);
        for (ExitCode code : ExitCode.values()) {
            row(page, Integer.toString(code.code()), code.meaning());
        }
        return page.append("""

                `hawser fsck`: [0 no damage, 1 damage](fsck.md). `hawser drill`: [0 all held, 1 something did not](../how-to/drill.md).
                """).toString();
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static String name(Subcommand command) {
        return command.getClass().getAnnotation(Command.class).name();
    }
}
