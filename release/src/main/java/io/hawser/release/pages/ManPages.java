package io.hawser.release.pages;

import io.hawser.core.config.ConfigKey;
import io.hawser.ops.cli.CommandTree;
import io.hawser.ops.cli.FlagGroup;
import io.hawser.ops.cli.Subcommand;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A man page for each command, from picocli's model of it. Written as roff at once: picocli's own generator makes AsciiDoc, in which our
 * texts would be markup ({@code **}, URLs), and which needs JRuby to become a man page. Pure.
 */
final class ManPages {
    private final StringBuilder page = new StringBuilder();

    private ManPages() {}

    /** The text of each page, by its file name. */
    static Map<String, String> of(List<Subcommand> commands) {
        Map<String, String> pages = new TreeMap<>();
        add(CommandTree.of(commands), pages);
        return pages;
    }

    private static void add(CommandLine line, Map<String, String> pages) {
        ManPages page = new ManPages();
        page.command(line.getCommandSpec());
        pages.put(name(line.getCommandSpec()) + ".1", page.page.toString());
        line.getSubcommands().values().forEach(child -> add(child, pages));
    }

    private static String name(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    private void command(CommandSpec spec) {
        // No date: two builds of one commit make the same bytes.
        request(".TH \"" + name(spec).toUpperCase(Locale.ROOT) + "\" 1 \"\" \"Hawser\" \"Hawser Manual\"");
        request(".nh");
        request(".ad l");
        request(".SH NAME");
        text(name(spec) + " \\- " + escaped(CommandTree.summary(spec)));
        request(".SH SYNOPSIS");
        request(".B " + escaped(spec.qualifiedName()));
        text(escaped(synopsis(spec)));
        request(".SH DESCRIPTION");
        paragraphs(spec.usageMessage().description());
        flags(spec);
        commands(spec);
        request(".SH EXIT STATUS");
        spec.usageMessage().exitCodeList().forEach((code, meaning) -> entry(code, meaning));
        request(".SH EXAMPLES");
        request(".nf");
        Arrays.stream(spec.usageMessage().footer())
                .filter(line -> !line.isEmpty())
                .map(line -> line.replaceFirst("^(Examples?:)? +", ""))
                .forEach(line -> text(escaped(line)));
        request(".fi");
    }

    private static String synopsis(CommandSpec spec) {
        String positional = spec.positionalParameters().stream()
                .map(each -> each.arity().min() == 0 ? "[" + label(each) + "]" : label(each))
                .collect(Collectors.joining(" "));
        String flags = spec.options().isEmpty() ? "" : "[FLAG...] ";
        return flags + (spec.subcommands().isEmpty() ? positional : "COMMAND");
    }

    private static String label(PositionalParamSpec parameter) {
        return parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
    }

    private void flags(CommandSpec spec) {
        request(".SH FLAGS");
        spec.positionalParameters().forEach(each -> entry(each.paramLabel(), String.join(" ", each.description())));
        List<FlagGroup> groups = spec.userObject() instanceof Subcommand command ? command.flagGroups() : List.of();
        Set<String> grouped = groups.stream().flatMap(ManPages::names).collect(Collectors.toSet());
        options(spec, option -> !grouped.contains(option.longestName()));
        for (FlagGroup group : groups) {
            Set<String> own = names(group).collect(Collectors.toSet());
            request(".SS " + escaped(group.heading()));
            options(spec, option -> own.contains(option.longestName()));
        }
    }

    private static Stream<String> names(FlagGroup group) {
        return group.keys().stream().map(ConfigKey::flag);
    }

    private void options(CommandSpec spec, Predicate<OptionSpec> wanted) {
        spec.options().stream()
                .filter(wanted)
                .forEach(option -> entry(
                        String.join(", ", option.names())
                                + (option.arity().max() == 0 ? "" : "=" + option.paramLabel()),
                        String.join(" ", option.description()).replace("%%", "%")));
    }

    private void commands(CommandSpec spec) {
        if (spec.subcommands().isEmpty()) {
            return;
        }
        request(".SH COMMANDS");
        spec.subcommands().forEach((name, command) -> {
            request(".TP");
            request(".B " + escaped(name(command.getCommandSpec())) + "(1)");
            text(escaped(CommandTree.summary(command.getCommandSpec())));
        });
    }

    private void entry(String term, String text) {
        request(".TP");
        request(".B " + escaped(term));
        text(escaped(text));
    }

    private void paragraphs(String[] paragraphs) {
        String separator = "";
        for (String paragraph : paragraphs) {
            page.append(separator);
            text(escaped(paragraph.replace("%%", "%")));
            separator = ".PP\n";
        }
    }

    private void request(String line) {
        page.append(line).append('\n');
    }

    /** A line that begins with a dot or a quote would be a request. */
    private void text(String line) {
        page.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "")
                .append(line)
                .append('\n');
    }

    /** Dashes of flags stay dashes that can be copied and searched for. */
    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    }
}
