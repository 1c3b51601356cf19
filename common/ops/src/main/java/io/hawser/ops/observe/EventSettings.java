package io.hawser.ops.observe;

import io.hawser.core.config.HostPort;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long a node keeps its events and history, and who gets them.
 *
 * @param keep for how long
 * @param keepRows how many finished transfers, at most
 * @param quotaBytes how much disk the events may take, at most
 * @param receivers who gets the events
 */
public record EventSettings(Duration keep, long keepRows, long quotaBytes, Receivers receivers) {
    /** 30 days, a million rows, 1 GiB, nobody. */
    public static final EventSettings DEFAULT =
            new EventSettings(Duration.ofDays(30), 1_000_000, 1L << 30, Receivers.NONE);

    /**
     * Who gets the events.
     *
     * @param webhook where they are sent, or null
     * @param webhookSecret signs them; empty if nothing does
     * @param webhookGiveUp for how long nothing may work before the webhook is given up
     * @param on rules, {@code EVENT,...=COMMAND ARGUMENT ...} each
     * @param onLimit how long a command may take
     * @param topic a topic of Kafka, or null
     */
    public record Receivers(
            @Nullable URI webhook,
            String webhookSecret,
            Duration webhookGiveUp,
            List<String> on,
            Duration onLimit,
            @Nullable Topic topic) {
        /** Nobody. */
        public static final Receivers NONE =
                new Receivers(null, "", Duration.ofDays(3), List.of(), Duration.ofMinutes(1), null);

        public Receivers {
            on = List.copyOf(on);
        }
    }

    /**
     * A topic of Kafka.
     *
     * @param bootstrap where the cluster is found: {@code HOST:PORT}, with commas
     * @param name the topic's
     * @param properties a file with properties of Kafka's clients, or null
     */
    public record Topic(
            String bootstrap, String name, @Nullable Path properties) {
        private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

        /** Reads {@code HOST:PORT,.../TOPIC}; throws IllegalArgumentException, with a sentence for the user. */
        public static Topic parse(String text) {
            int slash = text.indexOf('/');
            String name = text.substring(slash + 1);
            if (slash < 0 || !NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not HOST:PORT/TOPIC, with a topic of letters, digits, '.', '_' and '-'");
            }
            String bootstrap = text.substring(0, slash).replace(" ", "");
            for (String address : bootstrap.split(",", -1)) {
                HostPort.parse(address);
            }
            return new Topic(bootstrap, name, null);
        }

        /** The same with such a file. */
        public Topic with(Path file) {
            return new Topic(bootstrap, name, file);
        }
    }
}
