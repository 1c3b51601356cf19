package io.hawser.ops.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/**
 * The flag {@code --days}: how long certificates are valid.
 *
 * <p>Thread: main only.
 */
final class KeyValidity {
    private static final int MAX_DAYS = 3650;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "825",
            description = "how long certificates are valid (default: 825)")
    private int days;

    /** Throws CommandException if it is out of range. */
    Duration duration() {
        if (days < 1 || days > MAX_DAYS) {
            throw new CommandException(ExitCode.USAGE, "--days is 1 to " + MAX_DAYS + ", not " + days);
        }
        return Duration.ofDays(days);
    }
}
