package io.hawser.common.testkit.sim;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./hawser-sim}: the simulator from the command line. docs/reliability.md says what it does. */
@Command(
        name = "hawser-sim",
        description =
                "Runs the simulator of the whole chain: many schedules, planted bugs, every crash point, one schedule again.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, PlantedCommand.class, ExhaustiveCommand.class, ReplayCommand.class})
public final class SimMain {
    private SimMain() {}

    /** Runs it; the exit code is 0 only if all holds. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SimMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }
}
