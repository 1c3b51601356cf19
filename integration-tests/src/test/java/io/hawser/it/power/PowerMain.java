package io.hawser.it.power;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code integration-tests/lab power} starts. Exit code 0 only if all holds. */
@Command(
        name = "integration-tests/lab power",
        mixinStandardHelpOptions = true,
        subcommands = {CutsCommand.class, CallsCommand.class},
        description = "Power cuts and failing disk calls on a broker, an agent-a and an agent-b under uploads.")
final class PowerMain {
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PowerMain()).execute(arguments));
    }
}
