package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser hold}. */
@Command(
        name = "hold",
        header = "Hold transfers where they are.",
        description = {
            "A held transfer is sent no further by agent-a, or by the broker, until 'hawser release'; later ones of its path wait for it. It stays"
                    + " held over restarts. What a far end may have all of cannot be held any more."
        },
        footer = {"", "Example:  hawser hold --topic site-b --name 'video/**'"})
public final class HoldCommand extends SteerCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "KEY",
            description = "a transfer's key, or the end of it that 'hawser status' shows")
    private List<String> keys = List.of();

    public HoldCommand() {
        super(SteeringAction.HOLD);
    }

    @Override
    List<String> transfers() {
        return keys;
    }
}
