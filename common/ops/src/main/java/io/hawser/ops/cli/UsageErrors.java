package io.hawser.ops.cli;

import io.hawser.core.config.NearestName;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with a command line, and what was probably meant.
 *
 * <p>Thread: main only.
 */
final class UsageErrors {
    private UsageErrors() {}

    /** What {@code reading} makes of a flag's text. Throws CommandException if it throws IllegalArgumentException. */
    static <T> T value(String flag, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, flag + ": " + e.getMessage());
        }
    }

    /** Prints it and returns the exit code. */
    static int report(ParameterException e, PrintWriter err) {
        CommandLine where = e.getCommandLine();
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            if (word.startsWith("-")) {
                unknownFlag(word, where, err);
                return ExitCode.USAGE.code();
            } else if (!where.getSubcommands().isEmpty()) {
                unknownCommand(word, where, err);
                return ExitCode.USAGE.code();
            }
        }
        err.println("hawser: " + e.getMessage());
        err.println("Try '" + help(where) + "'.");
        return ExitCode.USAGE.code();
    }

    /** Prints that {@code where} has no such command, and the one that is spelt like it. */
    static void unknownCommand(String word, CommandLine where, PrintWriter err) {
        String name = where.getCommandSpec().qualifiedName();
        err.println("hawser: there is no command '" + name + " " + word + "'."
                + suggestion(NearestName.of(word, where.getSubcommands().keySet())
                        .map(found -> name + " " + found)
                        .orElse("")));
        err.println("'" + help(where) + "' lists the commands.");
    }

    private static void unknownFlag(String word, CommandLine where, PrintWriter err) {
        String flag = word.split("=", 2)[0];
        List<String> known = List.copyOf(where.getCommandSpec().optionsMap().keySet());
        err.println("hawser: '" + where.getCommandSpec().qualifiedName() + "' has no flag " + flag + "."
                + suggestion(NearestName.of(flag, known).orElse("")));
        err.println("'" + help(where) + "' lists the flags.");
    }

    private static String suggestion(String meant) {
        return meant.isEmpty() ? "" : " Did you mean '" + meant + "'?";
    }

    private static String help(CommandLine where) {
        return where.getCommandSpec().qualifiedName().replaceFirst("^hawser", "hawser help");
    }
}
