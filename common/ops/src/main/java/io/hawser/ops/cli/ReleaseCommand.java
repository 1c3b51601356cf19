package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser release}. */
@Command(
        name = "release",
        header = "Let held transfers go on.",
        description = {"Ask the node that holds them: agent-a, or the broker."},
        footer = {"", "Example:  hawser release --state held"})
public final class ReleaseCommand extends SteerCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "KEY",
            description = "a transfer's key, or the end of it that 'hawser status' shows")
    private List<String> keys = List.of();

    public ReleaseCommand() {
        super(SteeringAction.RELEASE);
    }

    @Override
    List<String> transfers() {
        return keys;
    }
}
