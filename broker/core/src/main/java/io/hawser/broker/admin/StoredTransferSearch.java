package io.hawser.broker.admin;

import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.broker.store.TransferSearchPage;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Searches the store's transfers by what they are, newest first, a page at a time, so that the store does other work in between. It
 * stops when enough are found, or when it has looked at too many, or for too long.
 *
 * <p>Thread: the admin thread.
 *
 * @param pageRows how many the store looks at for one question
 * @param maxRows how many are looked at in all
 * @param maxTime for so long
 * @param nanos a clock that is never set
 */
record StoredTransferSearch(Pages pages, int pageRows, long maxRows, Duration maxTime, LongSupplier nanos) {
    private static final int PAGE_ROWS = 500;
    private static final long MAX_ROWS = 1_000_000;
    /** A client waits for 10 s. */
    private static final Duration MAX_TIME = Duration.ofSeconds(5);

    /** The store's pages. */
    @FunctionalInterface
    interface Pages {
        TransferSearchPage page(Predicate<Manifest> wanted, TransferSearchPage.Start start, int rows)
                throws IOException;
    }

    /**
     * What a search found.
     *
     * @param transfers those that are kept, begun last first; then the latest finished ones
     * @param searched 0 if all were looked at, or enough were found; else how many of the newest were looked at
     */
    record Found(List<StoredTransferStatus> transfers, long searched) {}

    static StoredTransferSearch of(LoopQueries questions, BrokerStore store) {
        return new StoredTransferSearch(
                (wanted, start, rows) -> questions.ask(done -> store.search(wanted, start, rows, done)),
                PAGE_ROWS,
                MAX_ROWS,
                MAX_TIME,
                System::nanoTime);
    }

    /** @param limit the most that are found */
    Found find(Predicate<Manifest> wanted, int limit) throws IOException {
        long begun = nanos.getAsLong();
        Map<TransferKey, StoredTransferStatus> kept = new LinkedHashMap<>();
        Map<TransferKey, StoredTransferStatus> finished = new LinkedHashMap<>();
        long searched = 0;
        TransferSearchPage.@Nullable Start next = TransferSearchPage.Start.NEWEST;
        boolean goesOn = true;
        while (next != null && goesOn) {
            TransferSearchPage page = pages.page(wanted, next, pageRows);
            page.found().forEach(status -> addTo(kept, status));
            page.finished().forEach(status -> addTo(finished, status));
            searched += page.searched();
            next = page.next();
            goesOn = kept.size() < limit && searched < maxRows && nanos.getAsLong() - begun < maxTime.toNanos();
        }
        boolean stoppedEarly = next != null && kept.size() < limit;
        kept.keySet().removeAll(finished.keySet());
        return new Found(
                Stream.concat(newestFirst(kept), newestFirst(finished))
                        .limit(limit)
                        .toList(),
                stoppedEarly ? searched : 0);
    }

    private static void addTo(Map<TransferKey, StoredTransferStatus> found, StoredTransferStatus status) {
        found.putIfAbsent(status.transfer().manifest().key(), status);
    }

    private static Stream<StoredTransferStatus> newestFirst(Map<TransferKey, StoredTransferStatus> found) {
        return found.values().stream()
                .sorted(Comparator.comparingLong(StoredTransferStatus::openedEpochMillis)
                        .reversed());
    }
}
