package io.hawser.ops.cli;

import io.hawser.core.config.ConfigKey;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Builds picocli's model of {@code hawser} and its commands: what parses the command line, and what help, completion and man pages are
 * made from.
 */
public final class CommandTree {
    /** The option of every command that has keys. */
    static final String CONFIG_OPTION = "--config";

    private CommandTree() {}

    /** The whole command, with {@code commands} below it. */
    public static CommandLine of(Iterable<Subcommand> commands) {
        CommandLine root = new CommandLine(new Hawser());
        Map<String, CommandLine> byName = new TreeMap<>();
        for (Subcommand command : commands) {
            CommandLine child = new CommandLine(command);
            addFlags(child, command);
            byName.put(child.getCommandName(), child);
        }
        byName.forEach(root::addSubcommand);
        addHelp(root);
        root.getCommandSpec()
                .version(Version.text())
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("show the version")
                        .build());
        root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandTree::commandsBySection);
        return root.setUsageHelpAutoWidth(true);
    }

    /** What a user calls it. */
    static String name(Subcommand command) {
        return command.getClass().getAnnotation(Command.class).name();
    }

    private static void addFlags(CommandLine line, Subcommand command) {
        CommandSpec spec = line.getCommandSpec();
        command.keys().forEach(key -> spec.addOption(option(key)));
        if (!command.keys().isEmpty()) {
            spec.addOption(OptionSpec.builder(CONFIG_OPTION)
                    .type(String.class)
                    .paramLabel("FILE")
                    .description(
                            "properties file with lines such as 'admin=off' or, of one command only, 'agent-a.streams=8'")
                    .build());
        }
        if (!command.flagGroups().isEmpty()) {
            // Dozens of flags in the synopsis would hide what it says.
            spec.usageMessage().abbreviateSynopsis(true);
            line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> flagsByGroup(help, command));
        }
    }

    /** The flags that are in no group, then each group below its heading. Not picocli's groups: these take a flag twice. */
    private static String flagsByGroup(Help help, Subcommand command) {
        Set<String> grouped = command.keys().stream().map(ConfigKey::flag).collect(Collectors.toSet());
        StringBuilder text = new StringBuilder(flags(help, option -> !grouped.contains(option.longestName())));
        for (FlagGroup group : command.flagGroups()) {
            Set<String> own = group.keys().stream().map(ConfigKey::flag).collect(Collectors.toSet());
            text.append('\n')
                    .append(group.heading())
                    .append(":\n")
                    .append(flags(help, option -> own.contains(option.longestName())));
        }
        return text.toString();
    }

    private static String flags(Help help, Predicate<OptionSpec> wanted) {
        // All options decide the widths of the columns, so that they are the same in each group.
        Help.Layout layout = help.createDefaultLayout(help.commandSpec().options(), List.of(), help.colorScheme());
        layout.addOptions(help.commandSpec().options().stream().filter(wanted).toList(), help.parameterLabelRenderer());
        return layout.toString();
    }

    private static OptionSpec option(ConfigKey<?> key) {
        OptionSpec.Builder option = OptionSpec.builder(key.flag()).type(String.class);
        return key.isToggle()
                ? option.arity("0")
                        .fallbackValue("true")
                        .description(escaped(key.sentence()))
                        .build()
                : option.arity("1")
                        .paramLabel(key.label())
                        .description(escaped(key.description()))
                        .build();
    }

    /** Picocli formats descriptions with {@code String.format}. */
    private static String escaped(String text) {
        return text.replace("%", "%%");
    }

    private static void addHelp(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("show this text")
                        .build());
        Map<String, String> codes = new LinkedHashMap<>();
        Arrays.stream(ExitCode.values()).forEach(code -> codes.put(Integer.toString(code.code()), code.meaning()));
        line.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(codes)
                .sortOptions(false)
                .descriptionHeading("%n")
                .parameterListHeading("%n")
                .optionListHeading("%n")
                .commandListHeading("%n");
        // The header is for lists of commands; the description says the same with more words.
        line.setHelpSectionKeys(line.getHelpSectionKeys().stream()
                .filter(key -> !key.equals(UsageMessageSpec.SECTION_KEY_HEADER))
                .toList());
        if (!line.getSubcommands().isEmpty()) {
            line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandTree::commandList);
        }
        line.getSubcommands().values().forEach(CommandTree::addHelp);
    }

    /** The commands below the heading of their section, each with its header. */
    private static String commandsBySection(Help help) {
        Set<CommandSection> used = help.commandSpec().subcommands().values().stream()
                .map(command -> ((Subcommand) command.getCommand()).section())
                .collect(Collectors.toSet());
        return Arrays.stream(CommandSection.values())
                .filter(used::contains)
                .map(section -> section.heading() + ":\n"
                        + commandList(help, command -> ((Subcommand) command).section() == section))
                .collect(Collectors.joining("\n"));
    }

    private static String commandList(Help help) {
        return "Commands:\n" + commandList(help, command -> true);
    }

    private static String commandList(Help help, Predicate<Object> wanted) {
        Map<String, CommandLine> commands = help.commandSpec().subcommands();
        int names = commands.keySet().stream().mapToInt(String::length).max().orElse(0) + 4;
        TextTable table = TextTable.forColumns(
                help.colorScheme(),
                new Column(names, 2, Column.Overflow.SPAN),
                new Column(help.commandSpec().usageMessage().width() - names, 0, Column.Overflow.WRAP));
        commands.forEach((name, command) -> {
            if (wanted.test(command.getCommand())) {
                table.addRowValues(
                        help.colorScheme().commandText(name),
                        help.colorScheme().text(summary(command.getCommandSpec())));
            }
        });
        return table.toString();
    }

    /** One phrase about a command, without a full stop: its header, or the first sentence of its description. */
    public static String summary(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        String[] text = usage.header().length > 0 ? usage.header() : usage.description();
        return text.length == 0 ? "" : text[0].replaceFirst("\\.( .*)?$", "");
    }
}
