package io.hawser.ops.cli;

import io.hawser.core.model.Printable;
import io.hawser.ops.observe.DroppedTransfer;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser drop}: gives up a transfer that the broker holds and that cannot be delivered. */
@Command(
        name = "drop",
        header = "Give up a transfer that is at the broker.",
        description = {
            "Gives up a transfer that is complete at the broker and is not delivered: no subscription is owed it any more, its bytes are"
                    + " freed, and its publisher gets the receipt EXPIRED with the reason.",
            "A far end that has all of it already delivers it all the same. What a far end has and cannot deliver is dropped there, with"
                    + " 'hawser dead drop'."
        },
        footer = {"", "Example:  hawser drop 1b4e28ba2fa111d2883f0016d3cca427-01936f5c7a3e71d2b0c4a5d6e7f80910"})
public final class DropCommand extends AdminCommand {
    @Parameters(paramLabel = "KEY", description = "the transfer's key, or the end of it that 'hawser status' shows")
    private String key = "";

    public DropCommand() {
        super(BROKER_ADMIN);
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        DroppedTransfer dropped = Json.read(
                client.post("/transfers/drop", Map.of("key", TransferKeys.resolve(client, key))),
                DroppedTransfer.class);
        show(dropped, out -> {
            if (dropped.complete() || !dropped.subscriptions().isEmpty()) {
                out.println(Printable.text("dropped: " + dropped.name() + " on " + dropped.topic()
                        + (dropped.subscriptions().isEmpty()
                                ? ", which no subscription had come for"
                                : ", which was owed to " + String.join(", ", dropped.subscriptions()))));
            }
        });
        if (!dropped.complete()) {
            throw new CommandException(
                    dropped.asked().isEmpty() ? ExitCode.REFUSED : ExitCode.NOT_YET,
                    Printable.text(whatIsLeft(dropped)));
        }
    }

    private static String whatIsLeft(DroppedTransfer dropped) {
        List<String> left = new ArrayList<>();
        if (!dropped.asked().isEmpty()) {
            left.add("asked " + String.join(", ", dropped.asked()) + ", which may have it, to drop " + dropped.name()
                    + "; no answer yet: 'hawser status " + dropped.key() + "' shows what becomes of it");
        }
        new TreeMap<>(dropped.kept())
                .forEach((name, why) -> left.add("not dropped for subscription " + name + ": " + why));
        return String.join("; ", left);
    }
}
