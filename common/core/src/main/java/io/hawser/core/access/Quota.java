package io.hawser.core.access;

import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line of an ACL file that limits how much the broker keeps for one tenant: all transfers that the line covers count together.
 *
 * @param who whose transfers it covers: a role, {@code ROLE:NAME}, or {@code *}
 * @param bytes the most that may be kept and promised; {@link #NO_LIMIT} for no bound
 * @param transfers the most transfers that may be kept; {@link #NO_LIMIT} for no bound
 * @param topics to which topics they go: names or beginnings of names
 *
 * <p>Thread: immutable.
 */
public record Quota(String who, long bytes, long transfers, List<String> topics) {
    /** For no bound. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    private static final String BYTES = "bytes=";
    private static final String TRANSFERS = "transfers=";

    public Quota {
        topics = List.copyOf(topics);
        topics.forEach(TopicPattern::check);
    }

    /** Whether that word of a line is of a quota, not of rights. */
    static boolean isOne(String word) {
        return word.contains("=");
    }

    /**
     * Reads one line.
     *
     * @param limits {@code bytes=SIZE}, {@code transfers=COUNT} or both with a comma between them
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    static Quota of(String who, String limits, List<String> topics) {
        long bytes = NO_LIMIT;
        long transfers = NO_LIMIT;
        for (String limit : limits.split(",", -1)) {
            if (limit.startsWith(BYTES) && bytes == NO_LIMIT) {
                bytes = ByteSize.parse(limit.substring(BYTES.length())).bytes();
            } else if (limit.startsWith(TRANSFERS) && transfers == NO_LIMIT) {
                transfers = count(limit.substring(TRANSFERS.length()));
            } else {
                throw new IllegalArgumentException("'" + limits
                        + "' is no quota; write bytes=50GiB, transfers=1000 or bytes=50GiB,transfers=1000");
            }
        }
        if (bytes == 0 || transfers == 0) {
            throw new IllegalArgumentException("a quota of 0 would let nothing in: give no right to publish instead");
        }
        return new Quota(who, bytes, transfers, topics);
    }

    private static long count(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("'" + text + "' is not a number of transfers");
        }
        return Long.parseLong(text);
    }

    /** Whether what {@code publisher} sends to that topic counts. */
    public boolean covers(Identity publisher, Topic topic) {
        return publisher.isCalled(who)
                && topics.stream().anyMatch(pattern -> TopicPattern.covers(pattern, topic.name()));
    }

    /** How it is called: no two lines have one name. */
    public String name() {
        return who + " on " + String.join(",", topics);
    }

    /** The bounds for people. */
    public String limits() {
        List<String> parts = new ArrayList<>();
        if (bytes != NO_LIMIT) {
            parts.add(String.format(Locale.ROOT, "%,d bytes", bytes));
        }
        if (transfers != NO_LIMIT) {
            parts.add(String.format(Locale.ROOT, "%,d transfers", transfers));
        }
        return String.join(" and ", parts);
    }
}
