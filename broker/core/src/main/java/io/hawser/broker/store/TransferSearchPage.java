package io.hawser.broker.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a search for transfers.
 *
 * @param found those that match and are kept
 * @param finished those that match and are finished, the latest first
 * @param searched how many were looked at
 * @param next where the next page begins; null if this is the last
 */
public record TransferSearchPage(
        List<StoredTransferStatus> found,
        List<StoredTransferStatus> finished,
        int searched,
        @Nullable Start next) {
    /**
     * Where a page begins.
     *
     * @param openedEpochMillis no transfer that was begun later is on it
     * @param skip so many of those that were begun just then were on earlier pages
     */
    public record Start(long openedEpochMillis, long skip) {
        public static final Start NEWEST = new Start(Long.MAX_VALUE, 0);
    }
}
