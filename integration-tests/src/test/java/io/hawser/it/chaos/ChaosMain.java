package io.hawser.it.chaos;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code integration-tests/lab chaos} starts. */
@Command(name = "integration-tests/lab chaos", mixinStandardHelpOptions = true, subcommands = SumCommand.class)
final class ChaosMain extends RunCommand {
    public static void main(String[] arguments) {
        // Daemon threads of clients that hang must not keep the process.
        Runtime.getRuntime().exit(new CommandLine(new ChaosMain()).execute(arguments));
    }
}
