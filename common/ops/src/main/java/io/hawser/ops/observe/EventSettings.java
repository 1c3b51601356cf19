package io.hawser.ops.observe;

import java.net.URI;
import java.time.Duration;
import java.util.List;
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
     */
    public record Receivers(
            @Nullable URI webhook, String webhookSecret, Duration webhookGiveUp, List<String> on, Duration onLimit) {
        /** Nobody. */
        public static final Receivers NONE =
                new Receivers(null, "", Duration.ofDays(3), List.of(), Duration.ofMinutes(1));

        public Receivers {
            on = List.copyOf(on);
        }
    }
}
