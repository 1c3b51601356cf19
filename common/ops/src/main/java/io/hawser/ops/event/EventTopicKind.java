package io.hawser.ops.event;

import io.hawser.ops.observe.EventSettings;
import java.util.function.Function;

/**
 * Makes the receiver that is a topic of Kafka. It is in a module of its own, which has Kafka's client. Public class with a public
 * constructor, found by ServiceLoader.
 *
 * <p>Thread: any; blocks.
 */
public interface EventTopicKind {
    /** Throws ConfigException if Kafka's client cannot be made as {@code topic} says. Connects to nothing. */
    void check(EventSettings.Topic topic);

    /**
     * Makes the receiver. Connects to nothing before there is an event.
     *
     * @param form makes an event what others read; to be called when there is one
     */
    EventReceiver open(EventSettings.Topic topic, Function<Event, CloudEvent> form);
}
