package io.hawser.common.cli;

import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigException;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class SubscriptionsCommand implements HawserCommand {
    private static final ConfigKey<HostPort> BROKER_ADMIN =
            ConfigKey.hostPort("broker-admin", "127.0.0.1:7480", "the admin address of the broker");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "list|remove", description = "what to do")
    private String action = "list";

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "the subscription to remove")
    private @Nullable String name;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "only of this topic")
    private @Nullable String topic;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(BROKER_ADMIN, NodeKeys.ADMIN_TOKEN, NodeKeys.TLS);
    }

    @Override
    public void configure(Config config) {
        this.config = config;
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
    public Integer call() throws IOException {
        AdminClient client = AdminClient.of(config, BROKER_ADMIN);
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> query = new HashMap<>();
        if (topic != null) {
            query.put("topic", topic);
        }
        if (name == null) {
            byte[] body = client.get("/subscriptions", query);
            print(Json.readList(body, SubscriptionStatus.class), out);
        } else {
            query.put("name", name);
            SubscriptionStatus gone = Json.read(client.post("/subscriptions/remove", query), SubscriptionStatus.class);
            out.println(
                    json
                            ? Json.text(gone)
                            : "removed: " + gone.name() + " on " + gone.topic() + ", which was owed "
                                    + SubscriptionLines.backlog(gone));
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private void print(List<SubscriptionStatus> subscriptions, PrintWriter out) {
        if (json) {
            out.println(Json.text(subscriptions));
            return;
        }
        if (subscriptions.isEmpty()) {
            out.println("no subscriptions");
        }
        Instant now = Instant.now();
        subscriptions.forEach(each -> out.println(SubscriptionLines.text(each, now)));
    }
}
