package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import picocli.CommandLine.Command;

/** {@code hawser retry}. */
@Command(
        name = "retry",
        header = "Deliver again what has failed or is a dead letter.",
        description = {
            "Ask the node that still has the bytes: agent-b for what is on its dead-letter list, agent-a for what"
                    + " the broker has refused for good."
        },
        footer = {"", "Example:  hawser retry --state dead --admin 127.0.0.1:7482"})
public final class RetryCommand extends SteerKeysCommand {
    public RetryCommand() {
        super(SteeringAction.RETRY);
    }
}
