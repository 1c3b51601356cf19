package io.hawser.store.journal;

import io.hawser.store.log.LogPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transfer as the {@link JournalCleaner} sees it.
 *
 * <p>Thread: the loop.
 *
 * @param <R> the role's records
 */
public interface JournaledTransfer<R extends JournalRecord> {
    JournalFootprint footprint();

    /** Whether the journal has all that is known of it: only then its state can be appended once more. */
    boolean isAtRest();

    /** The records that make its present state, in order; {@link #content} goes with the first. */
    List<R> toRecords();

    /** Its bytes, where the journal has them. */
    @Nullable
    JournaledContent content();

    /** One of {@link #toRecords} is durable once more. */
    void apply(R record, LogPosition position, long lengthBytes);

    /** Bytes of a small transfer in the journal. */
    record JournaledContent(LogPosition position, int lengthBytes) {}
}
