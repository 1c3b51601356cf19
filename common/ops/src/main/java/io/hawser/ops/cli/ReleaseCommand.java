package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import picocli.CommandLine.Command;

/** {@code hawser release}. */
@Command(
        name = "release",
        header = "Let held transfers go on.",
        description = {"Ask the node that holds them: agent-a, or the broker."},
        footer = {"", "Example:  hawser release --state held"})
public final class ReleaseCommand extends SteerKeysCommand {
    public ReleaseCommand() {
        super(SteeringAction.RELEASE);
    }
}
