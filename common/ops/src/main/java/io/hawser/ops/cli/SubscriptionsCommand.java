package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.model.Printable;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.SubscriptionStatus;
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

/** {@code hawser subscriptions}: lists the subscriptions of a broker, and removes, releases or repairs one. */
@Command(
        name = "subscriptions",
        header = "Show or remove the subscriptions of a broker.",
        description = {
            "Shows the subscriptions of a broker: topic, name, whether the consumer is connected or since when it is away (at the"
                    + " earliest since the broker's start), what waits for it, and what the broker keeps for it alone, since and until when.",
            "'remove' ends one whose consumer is not connected. What it alone was owed is dropped, and their publishers get the"
                    + " receipt EXPIRED; other subscriptions lose nothing.",
            "'lost' says that a member of a group, which is away, will never come back: what it alone could deliver goes to the others, also"
                    + " what it may have delivered without being able to say so, and its node is never let in again.",
            "'release' takes one, whose consumer is not connected, from its owner: the next consumer that may subscribe owns it, with what"
                    + " waits for it. The owner is the subject of the consumer's certificate, or its node id where there are no certificates."
        },
        footer = {
            "",
            "Example:  hawser subscriptions list",
            "          hawser subscriptions list --topic site-b --json",
            "          hawser subscriptions remove old-site-b --topic site-b",
            "          hawser subscriptions lost workers w2",
            "          hawser subscriptions release site-b"
        })
public final class SubscriptionsCommand extends AdminCommand {
    private static final String LOST = "lost";
    private static final String RELEASE = "release";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "list|remove|lost|release",
            description = "what to do (default: list)")
    private String action = "list";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "the subscription")
    private @Nullable String name;

    @Parameters(index = "2", arity = "0..1", paramLabel = "MEMBER", description = "the member that is lost")
    private @Nullable String member;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "only of this topic")
    private @Nullable String topic;

    public SubscriptionsCommand() {
        super(BROKER_ADMIN);
    }

    @Override
    protected void check() {
        boolean lost = action.equals(LOST);
        boolean changes = lost || action.equals("remove") || action.equals(RELEASE);
        if (!changes && !action.equals("list")) {
            throw new ConfigException("'" + action + "' is not list, remove, lost or release");
        }
        if (changes != (name != null)) {
            throw new ConfigException(
                    changes
                            ? "give the NAME of the subscription"
                            : "'subscriptions list' takes no NAME; --topic narrows the list");
        }
        if (lost != (member != null)) {
            throw new ConfigException(
                    lost
                            ? "give the name of the MEMBER that is lost"
                            : "'subscriptions " + action + "' takes no MEMBER");
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
            return;
        }
        query.put("name", name);
        if (member != null) {
            query.put("member", member);
        }
        SubscriptionStatus changed =
                Json.read(client.post("/subscriptions/" + action, query), SubscriptionStatus.class);
        show(changed, out -> out.println(result(changed)));
    }

    private String result(SubscriptionStatus changed) {
        String which = Printable.text(changed.name() + " on " + changed.topic());
        return switch (action) {
            case LOST ->
                "lost: member " + Printable.text(String.valueOf(member)) + " of " + which
                        + "; what it had goes to the others";
            case RELEASE -> "released: " + which + "; the next consumer that may subscribe owns it";
            default -> "removed: " + which + ", which was owed " + SubscriptionLines.backlog(changed);
        };
    }

    private static void print(List<SubscriptionStatus> subscriptions, PrintWriter out) {
        if (subscriptions.isEmpty()) {
            out.println("no subscriptions");
        }
        Instant now = Instant.now();
        subscriptions.forEach(each -> out.println(SubscriptionLines.text(each, now)));
    }
}
