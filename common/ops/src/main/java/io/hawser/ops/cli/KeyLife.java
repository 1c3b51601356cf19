package io.hawser.ops.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/**
 * How long what is signed holds.
 *
 * <p>Thread: main only.
 */
final class KeyLife {
    private static final int MAX_DAYS = 3650;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "825",
            description = "how long certificates hold (default: 825)")
    private int days;

    /** Throws CommandException if it is too long, or nothing. */
    Duration time() {
        if (days < 1 || days > MAX_DAYS) {
            throw new CommandException(ExitCode.USAGE, "--days is 1 to " + MAX_DAYS + ", not " + days);
        }
        return Duration.ofDays(days);
    }
}
