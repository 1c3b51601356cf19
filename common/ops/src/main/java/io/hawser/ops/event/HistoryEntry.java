package io.hawser.ops.event;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.HopStatus;
import io.hawser.store.event.EventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the events so far say of one transfer.
 *
 * <p>Thread: its creator.
 */
final class HistoryEntry {
    final @Nullable TransferKey key;
    String topic = "";
    String name = "";
    private String kind = "";
    private String digest = "";
    private String who = "";
    private String from = "";
    private long sizeBytes = EventFacts.UNKNOWN;
    private long resentBytes = EventFacts.UNKNOWN;
    private long startedMillis;
    /** Of the event that ended it; 0 while it has not ended. */
    long sequence;

    long endedMillis;
    /** Of the last event. */
    long latestMillis;

    private final Map<String, Long> hops = new LinkedHashMap<>();
    /** By far end, or an empty string, what was said of it last. */
    private final Map<String, Word> words = new LinkedHashMap<>();

    private record Word(EventType type, String reason) {}

    HistoryEntry(@Nullable TransferKey key) {
        this.key = key;
    }

    void apply(Event event) {
        EventFacts facts = event.facts();
        latestMillis = event.epochMillis();
        topic = facts.topic().isEmpty() ? topic : facts.topic();
        name = facts.name().isEmpty() ? name : facts.name();
        kind = facts.kind().isEmpty() ? kind : facts.kind();
        digest = facts.digest().isEmpty() ? digest : facts.digest();
        who = facts.who().isEmpty() ? who : facts.who();
        from = facts.from().isEmpty() ? from : facts.from();
        sizeBytes = facts.sizeBytes() < 0 ? sizeBytes : facts.sizeBytes();
        resentBytes = Math.max(resentBytes, facts.resentBytes());
        startedMillis = startedMillis == 0 ? facts.startedMillis() : startedMillis;
        String hop = hopOf(event);
        if (!hop.isEmpty()) {
            hops.put(hop, event.epochMillis());
        }
        if (event.type() != EventType.ACCEPTED && !(event.type() == EventType.BROKERED && !event.ends())) {
            words.put(event.subscription(), new Word(event.type(), facts.reason()));
        }
        boolean isEnd = event.ends() || event.type() == EventType.DEAD_LETTERED;
        if (isEnd && sequence == 0) {
            sequence = event.sequence();
        }
        if (isEnd) {
            endedMillis = event.epochMillis();
        }
    }

    private String hopOf(Event event) {
        String landed = HopStatus.toSubscription(event.subscription());
        return switch (event.type()) {
            case ACCEPTED -> "client->publisher";
            case BROKERED -> event.ends() ? "" : HopStatus.PUBLISHER_TO_BROKER;
            case LANDED -> landed;
            case DELIVERED -> hops.containsKey(landed) ? event.subscription() + "->target" : landed;
            default -> "";
        };
    }

    boolean hasEnded() {
        return sequence > 0;
    }

    boolean isFailed() {
        return outcome().type().isFailure();
    }

    /** The first far end that has failed, else the last word. */
    private Word outcome() {
        Word last = new Word(EventType.DELIVERED, "");
        for (Word word : words.values()) {
            last = word;
            if (word.type().isFailure()) {
                return word;
            }
        }
        return last;
    }

    byte[] toBytes() {
        FieldWriter out = new FieldWriter()
                .string(topic)
                .string(name)
                .string(kind)
                .string(digest)
                .string(who)
                .string(from)
                .i64(sizeBytes)
                .i64(resentBytes)
                .i64(startedMillis)
                .i64(sequence)
                .i64(endedMillis)
                .count(hops.size());
        hops.forEach((hop, ended) -> out.string(hop).i64(ended));
        out.count(words.size());
        words.forEach((end, word) -> out.string(end).u8(word.type().code()).string(word.reason()));
        return out.toBytes();
    }

    /** What {@link #toBytes} wrote; a malformed body throws {@link IllegalArgumentException}. */
    static HistoryEntry read(@Nullable TransferKey key, byte[] body) {
        FieldReader in = new FieldReader(body);
        HistoryEntry entry = new HistoryEntry(key);
        entry.topic = in.string();
        entry.name = in.string();
        entry.kind = in.string();
        entry.digest = in.string();
        entry.who = in.string();
        entry.from = in.string();
        entry.sizeBytes = in.i64();
        entry.resentBytes = in.i64();
        entry.startedMillis = in.i64();
        entry.sequence = in.i64();
        entry.endedMillis = in.i64();
        for (int left = in.count(9); left > 0; left--) {
            entry.hops.put(in.string(), in.i64());
        }
        for (int left = in.count(3); left > 0; left--) {
            entry.words.put(in.string(), new Word(EventType.of(in.u8()), in.string()));
        }
        return entry;
    }

    HistoryRow toRow() {
        Word outcome = outcome();
        long millis = startedMillis == 0 ? 0 : Math.max(0, endedMillis - startedMillis);
        List<HistoryHop> times = new ArrayList<>();
        hops.forEach((hop, ended) ->
                times.add(new HistoryHop(hop, Instant.ofEpochMilli(ended).toString())));
        boolean hasRate = sizeBytes > 0 && millis > 0;
        return new HistoryRow(
                sequence,
                key == null ? "" : key.toString(),
                topic,
                name,
                kind,
                sizeBytes,
                outcome.type().word(),
                outcome.reason(),
                who,
                from,
                Instant.ofEpochMilli(startedMillis == 0 ? endedMillis : startedMillis)
                        .toString(),
                Instant.ofEpochMilli(endedMillis).toString(),
                millis,
                resentBytes,
                hasRate ? (long) (sizeBytes * 1000.0 / millis) : 0,
                digest,
                times);
    }
}
