package io.hawser.common.model;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * On which terms a consumer has its subscription. Those that its latest session has named hold, also while it is away.
 *
 * <p>They travel, and stand in the broker's log, as pairs of a name and a text, so that more can be added: who does not know one refuses it.
 *
 * @param deadlineMillis what has not reached it so long after its commit is given up for this subscription; 0: never
 * @param maxRateBytesPerSecond the most that it is sent, over all streams of its session; 0: no limit
 */
public record SubscriptionTerms(long deadlineMillis, long maxRateBytesPerSecond) {
    /** None at all. */
    public static final SubscriptionTerms NONE = new SubscriptionTerms(0, 0);

    /** The most terms that may be named. */
    public static final int MAX_TERMS = 16;

    private static final String DEADLINE = "deadline";
    private static final String MAX_RATE = "max-rate";

    public SubscriptionTerms {
        if (deadlineMillis < 0 || maxRateBytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    "a deadline of " + deadlineMillis + " ms or a rate of " + maxRateBytesPerSecond + " B/s");
        }
    }

    /** As pairs; what is not set is not named. */
    public Map<String, String> toMap() {
        Map<String, String> named = new TreeMap<>();
        if (deadlineMillis > 0) {
            named.put(DEADLINE, Long.toString(deadlineMillis));
        }
        if (maxRateBytesPerSecond > 0) {
            named.put(MAX_RATE, Long.toString(maxRateBytesPerSecond));
        }
        return named;
    }

    /** From pairs; throws IllegalArgumentException with a sentence if one is not known here, or cannot be. */
    public static SubscriptionTerms of(Map<String, String> named) {
        long deadline = 0;
        long rate = 0;
        for (Map.Entry<String, String> term : named.entrySet()) {
            switch (term.getKey()) {
                case DEADLINE -> deadline = positive(term);
                case MAX_RATE -> rate = positive(term);
                default ->
                    throw new IllegalArgumentException(
                            "this version of Hawser does not know the term '" + term.getKey() + "' of a subscription");
            }
        }
        return new SubscriptionTerms(deadline, rate);
    }

    private static long positive(Map.Entry<String, String> term) {
        if (!term.getValue().matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(
                    "the term '" + term.getKey() + "' of a subscription is not '" + term.getValue() + "'");
        }
        return Long.parseLong(term.getValue());
    }

    /** The deadline for people: in the largest unit that fits. */
    public String deadlineText() {
        return text(Duration.ofMillis(deadlineMillis));
    }

    /** A time span for people: in the largest unit that fits. */
    public static String text(Duration time) {
        if (time.toMillisPart() > 0) {
            return time.toMillis() + "ms";
        } else if (time.toSecondsPart() > 0) {
            return time.toSeconds() + "s";
        } else if (time.toMinutesPart() > 0) {
            return time.toMinutes() + "m";
        }
        return time.toHoursPart() > 0 ? time.toHours() + "h" : time.toDays() + "d";
    }
}
