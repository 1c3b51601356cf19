package io.hawser.ops.event;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.TransferKey;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of the event log's records; the package's page draws them.
 *
 * <p>Thread: any.
 */
final class EventCodec {
    private static final int VERSION = 1;
    private static final int HAS_KEY = 1;
    private static final int ENDS = 2;
    /** The least that an event takes. */
    private static final int MIN_EVENT_BYTES = 60;

    private EventCodec() {}

    /**
     * A record's content.
     *
     * @param sourceId the log whose records cause events
     * @param highest the last cause so far
     */
    record Batch(String sourceId, Cause highest, List<Event> events) {}

    static byte[] encode(Batch batch) {
        FieldWriter out = new FieldWriter()
                .u8(VERSION)
                .string(batch.sourceId())
                .i64(batch.highest().segment())
                .i64(batch.highest().offset())
                .count(batch.events().size());
        batch.events().forEach(event -> write(event, out));
        return out.toBytes();
    }

    private static void write(Event event, FieldWriter out) {
        TransferKey key = event.key();
        out.u8(event.type().code())
                .i64(event.epochMillis())
                .u8((key == null ? 0 : HAS_KEY) | (event.ends() ? ENDS : 0));
        if (key == null) {
            out.string(event.subject());
        } else {
            out.key(key);
        }
        EventFacts facts = event.facts();
        out.string(event.subscription())
                .i64(event.cause().segment())
                .i64(event.cause().offset())
                .string(facts.topic())
                .string(facts.name())
                .string(facts.kind())
                .string(facts.digest())
                .string(facts.who())
                .string(facts.from())
                .string(facts.reason())
                .i64(facts.sizeBytes())
                .i64(facts.resentBytes())
                .i64(facts.startedMillis());
    }

    static Batch decode(LogRecord record) throws StorageException {
        try {
            FieldReader in = new FieldReader(record.body());
            int version = in.u8();
            if (record.kind() != EventJournal.KIND || version != VERSION) {
                throw new FormatTooNewException(
                        "event log: the record at " + record.position() + " has kind " + record.kind() + " and format "
                                + version + ". A later version of Hawser wrote it; use that one.");
            }
            String sourceId = in.string();
            Cause highest = new Cause(in.i64(), in.i64());
            int count = in.count(MIN_EVENT_BYTES);
            List<Event> events = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                events.add(event(record.index() + i, in));
            }
            return new Batch(sourceId, highest, events);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException(
                    "event log: the record at " + record.position() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Event event(long sequence, FieldReader in) {
        EventType type = EventType.of(in.u8());
        long epochMillis = in.i64();
        int flags = in.u8();
        @Nullable TransferKey key = (flags & HAS_KEY) == 0 ? null : in.key();
        String subject = key == null ? in.string() : "";
        String subscription = in.string();
        Cause cause = new Cause(in.i64(), in.i64());
        String topic = in.string();
        String name = in.string();
        String kind = in.string();
        String digest = in.string();
        String who = in.string();
        String from = in.string();
        String reason = in.string();
        EventFacts facts = new EventFacts(topic, name, kind, digest, who, from, reason, in.i64(), in.i64(), in.i64());
        return new Event(sequence, type, epochMillis, key, subject, subscription, (flags & ENDS) != 0, cause, facts);
    }
}
