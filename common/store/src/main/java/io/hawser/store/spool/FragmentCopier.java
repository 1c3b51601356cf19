package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.FragmentRanges;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies fragments of a transfer into the upload that takes its place, a few at a time. Each is read back and compared with its digest
 * first.
 *
 * <p>Thread: the loop; the reading is done on a disk thread.
 */
final class FragmentCopier {
    /** So many buffers of the spool does one upload take. */
    private static final int MAX_UNDER_WAY = 2;

    private static final Refusal UNREADABLE = new Refusal(
            ErrorCode.STORAGE_FAILED, "What came before cannot be read in the spool. Upload the file again");

    private final UploadContext context;
    private final SpoolTransfer from;
    private final DiskUpload to;
    private final FragmentRanges wanted;
    private final Runnable unpin;
    private final Runnable progress;
    private final Consumer<Refusal> failed;
    private long next;
    private int underWay;
    private boolean stopped;
    private boolean unpinned;

    /**
     * Copies {@code wanted} of {@code from}, whose content is pinned.
     *
     * @param unpin runs when nothing is read any more
     * @param progress runs after each fragment that is durable
     * @param failed one could not be read or written
     */
    FragmentCopier(
            UploadContext context,
            SpoolTransfer from,
            DiskUpload to,
            FragmentRanges wanted,
            Runnable unpin,
            Runnable progress,
            Consumer<Refusal> failed) {
        this.context = context;
        this.from = from;
        this.to = to;
        this.wanted = wanted;
        this.unpin = unpin;
        this.progress = progress;
        this.failed = failed;
        this.next = wanted.firstPresent(0);
    }

    int underWay() {
        return underWay;
    }

    boolean isDone() {
        return underWay == 0 && next < 0;
    }

    /** Begins with as many as may be under way. Returns false if the spool has no space for the next. */
    boolean proceed() {
        while (next >= 0 && underWay < MAX_UNDER_WAY) {
            if (!to.reserve(1 + underWay)) {
                return false;
            }
            long index = next;
            next = wanted.firstPresent(index + 1);
            underWay++;
            context.withBuffer(buffer -> read(index, buffer));
        }
        unpinAtEnd();
        return true;
    }

    private void read(long index, FragmentBuffer buffer) {
        ContentReader.Place place =
                ContentReader.Place.of(from, index, from.arrived().length(index));
        context.disk().execute(() -> {
            Outcome<Fragment> read = context.reader().read(place, buffer, why -> {});
            boolean good = !read.isRefused()
                    && Arrays.equals(read.get().leaf(), TreeDigest.leaf(buffer.payload(0, place.length())));
            context.mailbox().post(() -> write(place, buffer, good));
        });
    }

    private void write(ContentReader.Place place, FragmentBuffer buffer, boolean good) {
        if (good && !stopped) {
            to.write(place.index(), buffer, place.length(), written -> ended(written.refusal()));
        } else {
            ended(good ? null : UNREADABLE);
        }
        buffer.release();
    }

    private void ended(@Nullable Refusal refusal) {
        underWay--;
        if (!stopped && refusal != null) {
            failed.accept(refusal);
        } else if (!stopped) {
            progress.run();
        }
        unpinAtEnd();
    }

    /** Begins with no more. */
    void stop() {
        stopped = true;
        next = -1;
        unpinAtEnd();
    }

    private void unpinAtEnd() {
        if (isDone() && !unpinned) {
            unpinned = true;
            unpin.run();
        }
    }
}
