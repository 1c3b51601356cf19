package io.hawser.agentb.serve;

import io.hawser.core.hop.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the heap that all listings take together: those that arrive, and the one that is kept for its next page.
 *
 * <p>Thread: any.
 */
final class ListingMemory {
    static final long MAX_BYTES = 24L << 20;
    /** An entry without the characters of its name: its objects, and references from lists and from a set. */
    static final int ENTRY_BYTES = 168;

    private static final String BOUND = (MAX_BYTES >> 20) + " MiB";
    private static final int LAST_OF_ONE_BYTE = 0xFF;

    private final Runnable dropKept;
    private final AtomicLong usedBytes = new AtomicLong();

    /** @param dropKept releases the share of a listing that is only kept to be faster */
    ListingMemory(Runnable dropKept) {
        this.dropKept = dropKept;
    }

    /** The share of a new listing, to be released with it. */
    Share share() {
        return new Share();
    }

    /** What one listing takes. Thread: one at a time. */
    final class Share {
        private long bytes;

        private Share() {}

        /** An entry is kept. Throws {@link NotServedException} if there is no memory for it. */
        void add(String name) throws NotServedException {
            boolean wide = name.chars().anyMatch(c -> c > LAST_OF_ONE_BYTE);
            long more = ENTRY_BYTES + (wide ? 2L : 1L) * name.length();
            bytes += more;
            if (usedBytes.addAndGet(more) <= MAX_BYTES) {
                return;
            }
            dropKept.run();
            if (usedBytes.get() > MAX_BYTES) {
                boolean alone = bytes > MAX_BYTES;
                release(); // at once, so that the others do not fail too
                throw alone
                        ? new NotServedException(
                                ErrorCode.TOO_LARGE, "The directory's listing takes more than " + BOUND + " of memory")
                        : new NotServedException(
                                ErrorCode.STORAGE_FAILED,
                                "Listings of several large directories take more than " + BOUND
                                        + " of memory; list one after the other");
            }
        }

        /** Nothing is kept any longer. */
        void release() {
            usedBytes.addAndGet(-bytes);
            bytes = 0;
        }
    }
}
