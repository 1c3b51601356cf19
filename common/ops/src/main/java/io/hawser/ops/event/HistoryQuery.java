package io.hawser.ops.event;

import io.hawser.core.model.NamePattern;
import io.hawser.core.model.TransferKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is looked for in the history; the newest come first.
 *
 * @param key only this transfer, or null
 * @param topic only of this topic, or null
 * @param name only names that match, or null
 * @param failedOnly only what did not arrive, also what was cancelled
 * @param sinceMillis only what ended then or later
 * @param untilMillis only what ended before
 * @param limit the most rows, 1 to {@value #MAX_LIMIT}
 * @param before only what comes after this place, or null
 */
public record HistoryQuery(
        @Nullable TransferKey key,
        @Nullable String topic,
        @Nullable NamePattern name,
        boolean failedOnly,
        long sinceMillis,
        long untilMillis,
        int limit,
        @Nullable Place before) {
    public static final int DEFAULT_LIMIT = 50;
    public static final int MAX_LIMIT = 1000;

    /** A place in the order of the rows. */
    public record Place(long endedMillis, long sequence) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byTime = Long.compare(endedMillis, other.endedMillis);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        static Place parse(String text) {
            if (!text.matches("[0-9]{1,18}-[0-9]{1,18}")) {
                throw new IllegalArgumentException("before is the 'next' of an earlier answer, not '" + text + "'");
            }
            int dash = text.indexOf('-');
            return new Place(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
        }

        @Override
        public String toString() {
            return endedMillis + "-" + sequence;
        }
    }

    /**
     * The query with those parameters.
     *
     * @throws IllegalArgumentException with a sentence about a parameter that is wrong
     */
    public static HistoryQuery of(Map<String, String> query) {
        String key = query.getOrDefault("key", "");
        String topic = query.getOrDefault("topic", "");
        String name = query.getOrDefault("name", "");
        String before = query.getOrDefault("before", "");
        return new HistoryQuery(
                key.isEmpty() ? null : TransferKey.parse(key),
                topic.isEmpty() ? null : topic,
                name.isEmpty() ? null : new NamePattern(name),
                flag(query.getOrDefault("failed", "false")),
                time("since", query.getOrDefault("since", ""), 0),
                time("until", query.getOrDefault("until", ""), Long.MAX_VALUE),
                limit(query.getOrDefault("limit", "")),
                before.isEmpty() ? null : Place.parse(before));
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("failed is true or false, not '" + text + "'");
        }
        return text.equals("true");
    }

    private static int limit(String text) {
        if (text.isEmpty()) {
            return DEFAULT_LIMIT;
        }
        int limit = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit is 1 to " + MAX_LIMIT + ", not '" + text + "'");
        }
        return limit;
    }

    /** The time in {@code text}: ISO 8601 with an offset, or a date, which begins at midnight UTC. */
    private static long time(String parameter, String text, long otherwise) {
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            return text.contains("T")
                    ? java.time.OffsetDateTime.parse(text).toInstant().toEpochMilli()
                    : LocalDate.parse(text)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                            .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    parameter + " is a time such as " + Instant.ofEpochSecond(1_767_225_600)
                            + " or a date such as 2026-01-01, not '" + text + "'",
                    e);
        }
    }

    /** What every wanted name begins with; empty if that is not known. */
    String namePrefix() {
        NamePattern pattern = name;
        if (pattern == null) {
            return "";
        }
        int wild = 0;
        while (wild < pattern.text().length() && "*?".indexOf(pattern.text().charAt(wild)) < 0) {
            wild++;
        }
        return pattern.text().substring(0, wild);
    }

    /** What every wanted name ends with; empty if that is not known. */
    String nameSuffix() {
        NamePattern pattern = name;
        if (pattern == null) {
            return "";
        }
        String text = pattern.text();
        return text.substring(Math.max(text.lastIndexOf('*'), text.lastIndexOf('?')) + 1);
    }

    /** Whether the name has no wildcard. */
    boolean isExactName() {
        NamePattern pattern = name;
        return pattern != null && namePrefix().length() == pattern.text().length();
    }
}
