package io.hawser.core.access;

import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line of an ACL file that limits how much the broker keeps for one tenant, over all transfers that the line covers.
 *
 * @param who the publishers: a role, {@code ROLE:NAME}, or {@code *}
 * @param bytes the most that may be kept and reserved; {@link #NO_LIMIT} for no limit
 * @param transfers the most transfers that may be kept; {@link #NO_LIMIT} for no limit
 * @param topics the topics: names, or prefixes with {@code *}
 *
 * <p>Thread: immutable.
 */
public record Quota(String who, long bytes, long transfers, List<String> topics) {
    public static final long NO_LIMIT = Long.MAX_VALUE;

    private static final String BYTES = "bytes=";
    private static final String TRANSFERS = "transfers=";

    public Quota {
        topics = List.copyOf(topics);
        topics.forEach(TopicPatterns::check);
    }

    /** Whether that word of a line is a quota rather than rights. */
    static boolean isOne(String word) {
        return word.contains("=");
    }

    /**
     * @param limits {@code bytes=SIZE}, {@code transfers=COUNT} or both with a comma between them
     * @throws IllegalArgumentException with a sentence for the user
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

    /** Whether transfers of {@code publisher} to that topic count. */
    public boolean covers(Identity publisher, Topic topic) {
        return publisher.isCalled(who)
                && topics.stream().anyMatch(pattern -> TopicPatterns.covers(pattern, topic.name()));
    }

    /** Its name, which is unique in the file. */
    public String name() {
        return who + " on " + String.join(",", topics);
    }

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
