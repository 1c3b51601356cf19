package io.hawser.kafka;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.event.CloudEvent;
import io.hawser.ops.event.Event;
import io.hawser.ops.event.EventReceiver;
import io.hawser.ops.event.EventTopicKind;
import io.hawser.ops.observe.EventSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;

/**
 * {@code --events-kafka}.
 *
 * <p>Thread: any.
 */
public final class KafkaEventTopicKind implements EventTopicKind {
    private static final String FLAG = "--events-kafka-properties";

    private static Map<String, String> read(EventSettings.Topic topic) {
        Path file = topic.properties();
        return file == null ? Map.of() : KafkaPropertiesFile.read(FLAG, file);
    }

    @Override
    public void check(EventSettings.Topic topic) {
        try {
            EventProducer.check(EventProducer.properties(topic.bootstrap(), read(topic)));
        } catch (KafkaException e) {
            throw new ConfigException(FLAG + ": Kafka's client does not take it: " + e.getMessage());
        }
    }

    @Override
    public EventReceiver open(EventSettings.Topic topic, Function<Event, CloudEvent> form) {
        Map<String, String> more = read(topic);
        Map<String, Object> properties = EventProducer.properties(topic.bootstrap(), more);
        return new EventTopic(
                topic.name(),
                new EventTopicProblems(topic.bootstrap(), topic.name(), KafkaNodeProbe.of(more)),
                () -> EventProducer.open(properties),
                form);
    }
}
