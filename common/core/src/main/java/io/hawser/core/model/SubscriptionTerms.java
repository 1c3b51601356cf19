package io.hawser.core.model;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The delivery settings of a subscription, such as rate, priority and deadline. Those of the consumer's latest session apply, also while it
 * is disconnected.
 *
 * <p>On the wire and in the broker's log they are pairs of a name and a text, so that more can be added: a node refuses a name that it does
 * not know.
 *
 * @param deadlineMillis a transfer that has not reached it this long after its commit expires for this subscription; 0: never
 * @param maxRateBytesPerSecond the most that it is sent, over all streams of its session; 0: no limit
 * @param replay what it gets of the kept transfers if it is new and starts at the earliest
 * @param member its consumer's name in a group; empty if it is not a group's. On the wire only: the log has the {@link GroupRoster}
 * @param priority the order in which the broker reads for subscriptions, from {@value #LOWEST_PRIORITY} to {@value #HIGHEST_PRIORITY}, the
 *     highest
 */
public record SubscriptionTerms(
        long deadlineMillis, long maxRateBytesPerSecond, ReplayFilter replay, Optional<String> member, int priority) {
    /** The priority if none is set. */
    public static final int USUAL_PRIORITY = 5;

    public static final int LOWEST_PRIORITY = 1;
    public static final int HIGHEST_PRIORITY = 9;

    /** No settings. */
    public static final SubscriptionTerms NONE = new SubscriptionTerms(0, 0, ReplayFilter.ALL);

    /** The most pairs. */
    public static final int MAX_TERMS = 16;

    /** The largest of its numbers: 18 digits. */
    public static final long MAX_VALUE = 999_999_999_999_999_999L;

    private static final String DEADLINE = "deadline";
    private static final String MAX_RATE = "max-rate";
    private static final String SINCE = "since";
    private static final String NAMES = "names";
    private static final String MEMBER = "member";
    private static final String PRIORITY = "priority";

    public SubscriptionTerms {
        if (!canBe(deadlineMillis) || !canBe(maxRateBytesPerSecond) || !canBe(replay.sinceEpochMillis())) {
            throw new IllegalArgumentException("a deadline of " + deadlineMillis + " ms, a rate of "
                    + maxRateBytesPerSecond + " B/s, or a time of " + replay.sinceEpochMillis() + " ms");
        }
        member.ifPresent(GroupRoster::checkName);
        if (priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException(
                    "a priority is " + LOWEST_PRIORITY + " to " + HIGHEST_PRIORITY + ", the highest, not " + priority);
        }
    }

    /** Whether its text form can be parsed again. */
    private static boolean canBe(long value) {
        return value >= 0 && value <= MAX_VALUE;
    }

    /** Settings of a subscription that is not a group's. */
    public SubscriptionTerms(long deadlineMillis, long maxRateBytesPerSecond, ReplayFilter replay) {
        this(deadlineMillis, maxRateBytesPerSecond, replay, Optional.empty(), USUAL_PRIORITY);
    }

    /** The same for a member of a group with that name, or for no group if it is empty. */
    public SubscriptionTerms withMember(Optional<String> name) {
        return new SubscriptionTerms(deadlineMillis, maxRateBytesPerSecond, replay, name, priority);
    }

    /** Whether both mean the same for a subscription that exists. */
    public boolean areInForceAs(SubscriptionTerms other) {
        return deadlineMillis == other.deadlineMillis
                && maxRateBytesPerSecond == other.maxRateBytesPerSecond
                && priority == other.priority;
    }

    /** The pairs of what is set. */
    public Map<String, String> toMap() {
        Map<String, String> named = new TreeMap<>();
        if (deadlineMillis > 0) {
            named.put(DEADLINE, Long.toString(deadlineMillis));
        }
        if (maxRateBytesPerSecond > 0) {
            named.put(MAX_RATE, Long.toString(maxRateBytesPerSecond));
        }
        if (replay.sinceEpochMillis() > 0) {
            named.put(SINCE, Long.toString(replay.sinceEpochMillis()));
        }
        replay.names().ifPresent(pattern -> named.put(NAMES, pattern.text()));
        member.ifPresent(name -> named.put(MEMBER, name));
        if (priority != USUAL_PRIORITY) {
            named.put(PRIORITY, Integer.toString(priority));
        }
        return named;
    }

    /** Parses pairs; {@link IllegalArgumentException} with a sentence if one is unknown or out of range. */
    public static SubscriptionTerms of(Map<String, String> named) {
        long deadline = 0;
        long rate = 0;
        long since = 0;
        Optional<NamePattern> names = Optional.empty();
        Optional<String> member = Optional.empty();
        int priority = USUAL_PRIORITY;
        for (Map.Entry<String, String> term : named.entrySet()) {
            switch (term.getKey()) {
                case DEADLINE -> deadline = positive(term);
                case MAX_RATE -> rate = positive(term);
                case SINCE -> since = positive(term);
                case NAMES -> names = Optional.of(new NamePattern(term.getValue()));
                case PRIORITY -> priority = (int) Math.min(Integer.MAX_VALUE, positive(term));
                case MEMBER -> member = Optional.of(term.getValue());
                default ->
                    throw new IllegalArgumentException(
                            "this version of Hawser does not know the term '" + term.getKey() + "' of a subscription");
            }
        }
        return new SubscriptionTerms(deadline, rate, new ReplayFilter(since, names), member, priority);
    }

    private static long positive(Map.Entry<String, String> term) {
        if (!term.getValue().matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(
                    "the term '" + term.getKey() + "' of a subscription is not '" + term.getValue() + "'");
        }
        return Long.parseLong(term.getValue());
    }

    /** The deadline in the largest unit that fits. */
    public String deadlineText() {
        return text(Duration.ofMillis(deadlineMillis));
    }

    /** A time span in the largest unit that fits, such as {@code 30m}. */
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
