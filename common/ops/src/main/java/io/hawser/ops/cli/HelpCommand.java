package io.hawser.ops.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser help [COMMAND...]}: the same text as {@code hawser COMMAND --help}. */
@Command(
        name = "help",
        header = "Show the commands, or the flags of one.",
        description = "The same text as 'hawser COMMAND --help'.",
        footer = {"", "Examples:  hawser help broker", "           hawser help keys init"})
public final class HelpCommand implements Subcommand {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "such as: broker, or: keys init")
    private List<String> words = new ArrayList<>();

    @Override
    public CommandSection section() {
        return CommandSection.HELP;
    }

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine().getParent();
        for (String word : words) {
            CommandLine next = line.getSubcommands().get(word);
            if (next == null) {
                UsageErrors.unknownCommand(word, line, spec.commandLine().getErr());
                return ExitCode.USAGE.code();
            }
            line = next;
        }
        line.usage(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }
}
