package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser retry}. */
@Command(
        name = "retry",
        header = "Deliver again what has failed or is a dead letter.",
        description = {
            "Ask the node that still has the bytes: agent-b for what is on its dead-letter list, agent-a for what"
                    + " the broker has refused for good."
        },
        footer = {"", "Example:  hawser retry --state dead --admin 127.0.0.1:7482"})
public final class RetryCommand extends SteerCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "KEY",
            description = "a transfer's key, or the end of it that 'hawser status' shows")
    private List<String> keys = List.of();

    public RetryCommand() {
        super(SteeringAction.RETRY);
    }

    @Override
    List<String> transfers() {
        return keys;
    }
}
