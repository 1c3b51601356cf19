package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import picocli.CommandLine.Command;

/** {@code hawser hold}. */
@Command(
        name = "hold",
        header = "Hold transfers where they are.",
        description = {
            "A held transfer is sent no further by agent-a, or by the broker, until 'hawser release'; later ones of its path wait for it. It stays"
                    + " held over restarts. What a far end may have all of cannot be held any more."
        },
        footer = {"", "Example:  hawser hold --topic site-b --name 'video/**'"})
public final class HoldCommand extends SteerKeysCommand {
    public HoldCommand() {
        super(SteeringAction.HOLD);
    }
}
