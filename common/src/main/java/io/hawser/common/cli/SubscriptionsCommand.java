package io.hawser.common.cli;

import io.hawser.common.config.ConfigException;
import io.hawser.common.model.Printable;
import io.hawser.common.observe.Json;
import io.hawser.common.observe.SubscriptionStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code hawser subscriptions}: who gets what at a broker, and the removal of those that nobody will use again.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "subscriptions",
        description = {
            "Shows the subscriptions of a broker: topic, name, whether the consumer is connected or since when it is away (at the"
                    + " earliest since the broker's start), what waits for it, and what the broker keeps for it alone, since and until when.",
            "'remove' ends one whose consumer is not connected. What it alone was owed is dropped, and the publishers are told"
                    + " that it expired; other subscriptions lose nothing."
        },
        footer = {
            "",
            "Example:  hawser subscriptions list",
            "          hawser subscriptions list --topic site-b --json",
            "          hawser subscriptions remove old-site-b --topic site-b"
        })
public final class SubscriptionsCommand extends AdminCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "list|remove", description = "what to do (default: list)")
    private String action = "list";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "the subscription to remove")
    private @Nullable String name;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "only of this topic")
    private @Nullable String topic;

    public SubscriptionsCommand() {
        super(BROKER_ADMIN);
    }

    @Override
    protected void check() {
        boolean removes = action.equals("remove");
        if (!removes && !action.equals("list")) {
            throw new ConfigException("'" + action + "' is not list or remove");
        }
        if (removes != (name != null)) {
            throw new ConfigException(
                    removes
                            ? "give the NAME of the subscription to remove"
                            : "'subscriptions list' takes no NAME; --topic narrows the list");
        }
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        Map<String, String> query = new HashMap<>();
        if (topic != null) {
            query.put("topic", topic);
        }
        if (name == null) {
            List<SubscriptionStatus> all = Json.readList(client.get("/subscriptions", query), SubscriptionStatus.class);
            show(all, out -> print(all, out));
        } else {
            query.put("name", name);
            SubscriptionStatus gone = Json.read(client.post("/subscriptions/remove", query), SubscriptionStatus.class);
            show(
                    gone,
                    out -> out.println(Printable.text("removed: " + gone.name() + " on " + gone.topic())
                            + ", which was owed " + SubscriptionLines.backlog(gone)));
        }
    }

    private static void print(List<SubscriptionStatus> subscriptions, PrintWriter out) {
        if (subscriptions.isEmpty()) {
            out.println("no subscriptions");
        }
        Instant now = Instant.now();
        subscriptions.forEach(each -> out.println(SubscriptionLines.text(each, now)));
    }
}
