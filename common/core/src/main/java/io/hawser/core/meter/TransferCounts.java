package io.hawser.core.meter;

import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts the transfers of a store by topic since the start: what is complete there, which receipts there were, and why transfers failed. It counts the
 * first {@value #MAX_TOPICS} topics each for itself, and the rest, as all topics of replies, as {@value #OTHER}.
 *
 * <p>Thread: the store's loop.
 */
public final class TransferCounts {
    /** Topics that are counted each for itself. */
    static final int MAX_TOPICS = 50;
    /** The name of the rest. */
    static final String OTHER = "other";

    private final Map<String, OfTopic> topics = new HashMap<>();

    private static final class OfTopic {
        private long completed;
        private long completedBytes;
        private final Map<ReceiptStatus, Long> receipts = new EnumMap<>(ReceiptStatus.class);
        private final Map<String, Long> failures = new HashMap<>();

        /** The usual failures are there from the start: a counter that appears with 1 shows no increase. */
        OfTopic() {
            for (ReceiptStatus status : ReceiptStatus.values()) {
                if (isFailure(status)) {
                    failures.put(word(status), 0L);
                }
            }
        }
    }

    /** The store has done its part: the spool and the broker have accepted a whole transfer, the landing area has delivered it. */
    public void completed(Topic topic, long bytes) {
        OfTopic counts = of(topic);
        counts.completed++;
        counts.completedBytes += bytes;
    }

    /** A subscription said this of a transfer. A failure counts by the name of its status. */
    public void receipt(Topic topic, ReceiptStatus status) {
        OfTopic counts = of(topic);
        counts.receipts.merge(status, 1L, Long::sum);
        if (isFailure(status)) {
            counts.failures.merge(word(status), 1L, Long::sum);
        }
    }

    /** An accepted transfer failed before there was a receipt. {@code reason} is one of few words, never a text of a peer. */
    public void failed(Topic topic, String reason) {
        of(topic).failures.merge(reason, 1L, Long::sum);
    }

    private OfTopic of(Topic topic) {
        OfTopic known = topics.get(topic.name());
        if (known != null) {
            return known;
        }
        boolean isCounted = topics.size() < MAX_TOPICS && !topic.isOfReplies();
        return topics.computeIfAbsent(isCounted ? topic.name() : OTHER, name -> new OfTopic());
    }

    private static boolean isFailure(ReceiptStatus status) {
        return !status.isGood() && status != ReceiptStatus.CANCELLED;
    }

    private static String word(ReceiptStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    /** Completed transfers, by topic. */
    public List<Count> completed() {
        List<Count> rows = new ArrayList<>();
        topics.forEach((topic, counts) -> rows.add(new Count(topic, "", counts.completed)));
        return rows;
    }

    /** Their bytes, by topic. */
    public List<Count> completedBytes() {
        List<Count> rows = new ArrayList<>();
        topics.forEach((topic, counts) -> rows.add(new Count(topic, "", counts.completedBytes)));
        return rows;
    }

    /** Receipts by topic and status. */
    public List<Count> receipts() {
        List<Count> rows = new ArrayList<>();
        topics.forEach((topic, counts) -> {
            for (ReceiptStatus status : ReceiptStatus.values()) {
                rows.add(new Count(topic, word(status), counts.receipts.getOrDefault(status, 0L)));
            }
        });
        return rows;
    }

    /** Failures by topic and reason. */
    public List<Count> failures() {
        List<Count> rows = new ArrayList<>();
        topics.forEach((topic, counts) ->
                counts.failures.forEach((reason, count) -> rows.add(new Count(topic, reason, count))));
        return rows;
    }

    /**
     * A count of one topic.
     *
     * @param what the status or the reason; empty where neither applies
     * @param value since the start
     */
    public record Count(String topic, String what, long value) {}
}
