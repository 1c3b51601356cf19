package io.hawser.ops.dashboard;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * One transfer as the page shows it.
 *
 * @param key the transfer's key
 * @param topic decides who may see the row
 * @param json what the page gets, one line
 * @param inBytes bytes of it that are durable here
 * @param outBytes bytes of it that are durable at the next hops, added up
 *
 * <p>Thread: immutable.
 */
public record LiveRow(String key, String topic, String json, long inBytes, long outBytes) {
    /** The oldest first, by when the publisher began it. */
    static final Comparator<String> BY_AGE = Comparator.comparing(LiveRow::id).thenComparing(Comparator.naturalOrder());

    private static final Pattern KEY = Pattern.compile("[\\w-]+");

    public LiveRow {
        if (!KEY.matcher(key).matches() || json.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("a row needs a transfer's key and one line of JSON, not " + key);
        }
    }

    /** The transfer id, whose text is ordered by time. */
    private static String id(String key) {
        return key.substring(key.lastIndexOf('-') + 1);
    }
}
