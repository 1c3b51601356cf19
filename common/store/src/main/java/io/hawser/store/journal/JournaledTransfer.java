package io.hawser.store.journal;

import io.hawser.store.log.LogPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transfer as the {@link JournalCleaner} sees it: which of its records the journal has to keep.
 *
 * <p>Thread: the loop.
 *
 * @param <R> the role's records
 */
public interface JournaledTransfer<R extends JournalRecord> {
    /** The lowest segment that has a record which is needed; {@link Long#MAX_VALUE} if none has. */
    long firstSegment();

    /** What its records take of the journal. */
    long journalBytes();

    /** Whether the journal has all that is known of it: only then its state can be appended once more. */
    boolean isAtRest();

    /** The records that make its present state, in order; {@link #content} goes with the first. */
    List<R> toRecords();

    /** Its bytes, where the journal has them. */
    @Nullable
    JournaledContent content();

    /** One of {@link #toRecords} is on its way. */
    void recordLeaves();

    /** It is durable. */
    void recordArrived(R record, LogPosition position, long lengthBytes);

    /** It never will be: the journal is dead. */
    void recordFailed();

    /** All of them are durable: nothing before {@code segment} is needed. */
    void carriedTo(long segment, long journalBytes);

    /** Bytes of a small transfer in the journal. */
    record JournaledContent(LogPosition position, int lengthBytes) {}
}
