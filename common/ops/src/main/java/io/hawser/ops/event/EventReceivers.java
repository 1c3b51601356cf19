package io.hawser.ops.event;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.observe.EventSettings;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.WarningCode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * The receivers of a node's events: a webhook, a topic of Kafka, commands.
 *
 * <p>Thread: any.
 */
public final class EventReceivers implements AutoCloseable {
    /** Commands give an event up by themselves; a topic of Kafka waits as long as events are kept. */
    private static final Duration NEVER = Duration.ofDays(36_500);

    private final Map<String, EventDelivery> deliveries = new LinkedHashMap<>();

    private EventReceivers() {}

    /** Throws ConfigException, with the flag in its message, if {@code settings} cannot be followed. */
    public static void check(EventSettings.Receivers settings) {
        URI url = settings.webhook();
        if (url != null
                && (url.getHost() == null || !List.of("http", "https").contains(String.valueOf(url.getScheme())))) {
            throw new ConfigException("--webhook is an address such as https://host/path, not '" + url + "'");
        }
        if (!settings.webhookSecret().isEmpty()) {
            WebhookSignature.parse(settings.webhookSecret());
        }
        settings.on().forEach(rule -> EventCommand.Rule.parse(rule).requireProgram());
        EventSettings.Topic topic = settings.topic();
        if (topic != null) {
            topicKind().check(topic);
        }
    }

    private static EventTopicKind topicKind() {
        return ServiceLoader.load(EventTopicKind.class)
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        "--events-kafka needs the jars of hawser-kafka and Kafka's client on the class path"));
    }

    /**
     * Begins to deliver when the log is open.
     *
     * @param node the node's name
     */
    public static EventReceivers start(EventSettings.Receivers settings, String node, EventLog log) {
        List<EventReceiver> receivers = new ArrayList<>();
        URI url = settings.webhook();
        if (url != null) {
            WebhookSignature signature =
                    settings.webhookSecret().isEmpty() ? null : WebhookSignature.parse(settings.webhookSecret());
            receivers.add(new Webhook(url, signature, node, log, System::nanoTime));
        }
        for (String rule : settings.on()) {
            receivers.add(
                    new EventCommand(receivers.size(), EventCommand.Rule.parse(rule), settings.onLimit(), node, log));
        }
        EventSettings.Topic topic = settings.topic();
        if (topic != null) {
            receivers.add(topicKind().open(topic, event -> CloudEvent.of(event, node, log.id())));
        }
        EventReceivers all = new EventReceivers();
        for (EventReceiver each : receivers) {
            EventCursor cursor = new EventCursor(each.name(), log);
            EventDelivery delivery =
                    new EventDelivery(log, cursor, each, each instanceof Webhook ? settings.webhookGiveUp() : NEVER);
            all.deliveries.put(each.name(), delivery);
            delivery.start();
        }
        return all;
    }

    /** What an operator should know of them. */
    public List<HealthWarning> warnings() {
        List<HealthWarning> found = new ArrayList<>();
        deliveries.forEach((name, delivery) ->
                delivery.problem().ifPresent(problem -> found.add(WarningCode.EVENTS.about(name, problem))));
        return found;
    }

    @Override
    public void close() {
        deliveries.values().forEach(EventDelivery::close);
    }
}
