package io.hawser.agentb.serve;

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
    private @Nullable Kept kept;

    private record Kept(String name, List<FarEntry> entries, long atNanos) {}

    ListingPages(ReadingSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Writes the entries after {@code after}, as many as fit.
     *
     * @return the name after which the next page begins; empty if this is the last
     */
    String page(String name, String after, ByteBuffer into) throws IOException {
        List<FarEntry> entries = after.isEmpty() ? null : kept(name);
        if (entries == null) {
            entries = sessions.query(session -> sorted(FarListing.of(session, name)));
        }
        String last = after;
        for (int i = firstAfter(entries, after); i < entries.size(); i++) {
            try {
                RemoteFileCodec.put(into, entries.get(i).remoteFile());
            } catch (BufferOverflowException e) {
                keep(new Kept(name, entries, System.nanoTime()));
                return last;
            }
            last = entries.get(i).name();
        }
        return "";
    }

    private static List<FarEntry> sorted(List<FarEntry> entries) {
        entries.sort(Comparator.comparing(FarEntry::name));
        return entries;
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

    private synchronized void keep(Kept fresh) {
        kept = fresh;
    }

    private synchronized @Nullable List<FarEntry> kept(String name) {
        Kept here = kept;
        if (here != null && System.nanoTime() - here.atNanos > TimeUnit.SECONDS.toNanos(KEPT_SECONDS)) {
            kept = null;
            return null;
        }
        return here != null && here.name.equals(name) ? here.entries : null;
    }
}
