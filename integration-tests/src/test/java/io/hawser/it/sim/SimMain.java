package io.hawser.it.sim;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code integration-tests/lab sim}: the simulator from the command line. docs/explanation/reliability.md says what it does. */
@Command(
        name = "integration-tests/lab sim",
        description =
                "Runs the simulator of the whole chain: many schedules, planted bugs, every crash point, one schedule again.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, PlantedCommand.class, ExhaustiveCommand.class, ReplayCommand.class})
public final class SimMain {
    /** Exit code: a schedule went wrong. */
    static final int FAILED = 1;
    /** Exit code: what was run shows nothing. */
    static final int VOID = 3;

    SimMain() {}

    /** What was built, for the head of a report. */
    static String commit() {
        return "commit " + System.getProperty("hawser.commit", "unknown");
    }

    /** Of n schedules none failed: what that says of all such schedules. */
    static String bound(long schedules) {
        return String.format(
                Locale.ROOT, "0 failed: below %.2g of such schedules with 95 %% confidence (3/n)", 3.0 / schedules);
    }

    /** Runs it; the exit code is 0 only if all holds. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SimMain()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
