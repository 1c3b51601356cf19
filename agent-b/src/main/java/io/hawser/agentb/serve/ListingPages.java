package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.remote.RemoteFileCodec;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Splits listings into pages. It keeps the listing that did not fit into one page for {@value #KEPT_SECONDS} s; only one, since it may be large. When
 * that is gone, it lists the directory anew and continues after the same name.
 *
 * <p>Thread: any.
 */
final class ListingPages {
    private static final long KEPT_SECONDS = 10;

    private final ReadingSessions sessions;
    private final ListingMemory memory = new ListingMemory(this::dropKept);
    private @Nullable Kept kept;

    private record Listing(String name, List<FarEntry> entries, ListingMemory.Share memory) {}

    private record Kept(Listing listing, long atNanos) {}

    ListingPages(ReadingSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Writes the entries after {@code after}, as many as fit.
     *
     * @return the name after which the next page begins; empty if this is the last
     */
    String page(String name, String after, ByteBuffer into) throws IOException {
        Listing found = after.isEmpty() ? null : kept(name);
        if (found != null) {
            return put(found.entries(), after, into); // it stays for others who are at the same directory
        }
        Listing listing = sessions.query(session -> listed(session, name));
        boolean keeps = false;
        try {
            String last = put(listing.entries(), after, into);
            keeps = !last.isEmpty();
            return last;
        } finally {
            if (keeps) {
                keep(listing);
            } else {
                listing.memory().release();
            }
        }
    }

    private static String put(List<FarEntry> entries, String after, ByteBuffer into) {
        String last = after;
        for (int i = firstAfter(entries, after); i < entries.size(); i++) {
            try {
                RemoteFileCodec.put(into, entries.get(i).remoteFile());
            } catch (BufferOverflowException e) {
                return last;
            }
            last = entries.get(i).name();
        }
        return "";
    }

    private Listing listed(FarSession session, String name) throws IOException {
        ListingMemory.Share share = memory.share();
        boolean listed = false;
        try {
            List<FarEntry> entries = FarListing.of(session, name, share);
            entries.sort(Comparator.comparing(FarEntry::name));
            listed = true;
            return new Listing(name, entries, share);
        } finally {
            if (!listed) {
                share.release();
            }
        }
    }

    private static int firstAfter(List<FarEntry> entries, String after) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).name().compareTo(after) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private synchronized void keep(Listing listing) {
        dropKept();
        kept = new Kept(listing, System.nanoTime());
    }

    private synchronized void dropKept() {
        if (kept != null) {
            kept.listing().memory().release();
            kept = null;
        }
    }

    /** The kept listing of a directory. Another one may replace it while the caller reads it: then it is not counted for a moment. */
    private synchronized @Nullable Listing kept(String name) {
        if (kept != null && System.nanoTime() - kept.atNanos() > TimeUnit.SECONDS.toNanos(KEPT_SECONDS)) {
            dropKept();
        }
        if (kept == null || !kept.listing().name().equals(name)) {
            return null;
        }
        kept = new Kept(kept.listing(), System.nanoTime());
        return kept.listing();
    }
}
