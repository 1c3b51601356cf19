package io.hawser.ops.cli;

import io.hawser.ops.steer.SteeringAction;
import picocli.CommandLine.Command;

/** {@code hawser cancel}. */
@Command(
        name = "cancel",
        header = "Cancel transfers wherever they are not delivered.",
        description = {
            "Ask agent-a, the broker or agent-b: whichever knows the transfer. At agent-a and at the broker a cancel holds for every far end; at"
                    + " agent-b for that one alone, of what is complete there.",
            "A far end that has delivered it keeps it: the publisher's receipts say DELIVERED there, CANCELLED elsewhere. The cancel is durable"
                    + " when this command ends, and its bytes are freed; a far end that is away answers when it is back."
        },
        footer = {
            "",
            "Example:  hawser cancel 1b4e28ba2fa111d2883f0016d3cca427-01936f5c7a3e71d2b0c4a5d6e7f80910",
            "          hawser cancel --topic site-b --name 'tmp/**' --dry-run"
        })
public final class CancelCommand extends SteerKeysCommand {
    public CancelCommand() {
        super(SteeringAction.CANCEL);
    }
}
