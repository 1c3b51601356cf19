package io.hawser.ops.event;

import io.hawser.core.model.Utf8;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits to be written; what costs time to make of it is made then.
 *
 * @param type what
 * @param epochMillis when
 * @param told as the store told it, or null
 * @param subject what it is about, if not a transfer
 * @param ends whether nothing more is expected
 * @param facts of what no store told, or null
 * @param details what the node adds
 */
record PendingEvent(
        EventType type,
        long epochMillis,
        @Nullable TransferEvent told,
        String subject,
        boolean ends,
        @Nullable EventFacts facts,
        EventFacts.Details details) {
    private static final int MAX_SUBJECT_BYTES = 1024;

    static PendingEvent of(TransferEvent told, EventFacts.Details details) {
        return new PendingEvent(told.type(), told.epochMillis(), told, "", told.ends(), null, details);
    }

    static PendingEvent of(EventType type, long epochMillis, String subject, boolean ends, EventFacts facts) {
        String shortened = Utf8.cut(subject, MAX_SUBJECT_BYTES);
        return new PendingEvent(type, epochMillis, null, shortened, ends, facts, EventFacts.Details.NONE);
    }

    Cause cause() {
        TransferEvent from = told;
        return from == null ? Cause.START : from.cause();
    }

    Event toEvent(long sequence) {
        TransferEvent from = told;
        EventFacts known = facts;
        if (from != null) {
            EventFacts made = EventFacts.of(
                    from.manifest(),
                    from.commit(),
                    from.reason(),
                    details,
                    from.key().id().epochMillis());
            return new Event(
                    sequence, type, epochMillis, from.key(), "", from.subscription(), ends, from.cause(), made);
        }
        EventFacts all = known == null ? EventFacts.of("") : known;
        return new Event(sequence, type, epochMillis, null, subject, "", ends, Cause.START, all);
    }
}
