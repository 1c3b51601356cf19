package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import picocli.CommandLine.Command;

/** {@code hawser drop}. */
@Command(
        name = "drop",
        header = "Give up transfers that cannot be delivered.",
        description = {
            "Asked of the broker, it gives up what is complete there and not delivered: no subscription is owed it any more, its bytes are"
                    + " freed, and its publisher gets the receipt EXPIRED with the reason. A far end that has all of it delivers it all the"
                    + " same.",
            "Asked of agent-b, it gives up what is on the dead-letter list there, as 'hawser dead drop' does."
        },
        footer = {
            "",
            "Example:  hawser drop 1b4e28ba2fa111d2883f0016d3cca427-01936f5c7a3e71d2b0c4a5d6e7f80910",
            "          hawser drop --topic mistake --dry-run"
        })
public final class DropCommand extends SteerKeysCommand {
    public DropCommand() {
        super(SteeringAction.DROP);
    }
}
