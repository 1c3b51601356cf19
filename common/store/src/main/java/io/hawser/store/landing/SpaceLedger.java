package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reserves disk space: transfers of known size hold what they have yet to write, so that what was accepted can finish. What is
 * left over may be taken by transfers of unknown size as they grow.
 *
 * <p>Thread: the loop changes it; disk threads may ask.
 */
final class SpaceLedger {
    private final long headroomBytes;
    private final AtomicLong reservedBytes = new AtomicLong();
    /** Until the disk was asked, space counts as unlimited. */
    private volatile long usableBytes = Long.MAX_VALUE;

    SpaceLedger(long headroomBytes) {
        this.headroomBytes = headroomBytes;
    }

    /** Holds {@code bytes}, if they are there; otherwise says why not. */
    @Nullable
    Refusal reserve(long bytes, long usable) {
        Refusal refusal = admit(bytes, usable);
        if (refusal == null) {
            reservedBytes.addAndGet(bytes);
        }
        return refusal;
    }

    /** Whether {@code bytes} more could be written besides all that is held: null, or why not. */
    @Nullable
    Refusal admit(long bytes, long usable) {
        look(usable);
        long reserved = reservedBytes.get();
        long free = freeBytes();
        if (bytes <= free) {
            return null;
        }
        if (isBelowHeadroom()) {
            return belowHeadroom();
        }
        return new Refusal(
                ErrorCode.NO_SPACE,
                "The destination has room for " + free + " bytes more and " + bytes + " are needed (" + usable
                        + " bytes are free, of which " + reserved + " are promised to others and " + headroomBytes
                        + " are kept back). It resumes by itself when there is room.");
    }

    /** Whether nothing at all may land. */
    boolean isBelowHeadroom() {
        return usableBytes < headroomBytes;
    }

    /** The refusal while {@link #isBelowHeadroom}. */
    Refusal belowHeadroom() {
        return new Refusal(
                ErrorCode.NO_SPACE,
                String.format(
                        Locale.ROOT,
                        "The destination's file system has %,d bytes free, and %,d are kept back as head-room (--head-room of"
                                + " agent-b), so nothing lands. It resumes by itself when there is more.",
                        usableBytes,
                        headroomBytes));
    }

    /** For the operator: why nothing may land in {@code directory}, or an empty string. */
    String problem(Path directory) {
        return isBelowHeadroom()
                ? String.format(
                        Locale.ROOT,
                        "the file system of %s has %,d bytes free, and %,d are kept back as head-room, so nothing lands: make"
                                + " room, or lower --head-room",
                        directory,
                        usableBytes,
                        headroomBytes)
                : "";
    }

    /** How much an ordinary user could write now. */
    void look(long usable) {
        usableBytes = usable;
    }

    /** Holds bytes that were promised before the restart, room or not. */
    void hold(long bytes) {
        reservedBytes.addAndGet(bytes);
    }

    /** Gives back what was written, or is no longer needed. */
    void release(long bytes) {
        reservedBytes.addAndGet(-bytes);
    }

    /** The bytes free for transfers without a reservation, as of the last look at the disk. */
    long freeBytes() {
        return Math.max(0, usableBytes - reservedBytes.get() - headroomBytes);
    }

    long reservedBytes() {
        return reservedBytes.get();
    }

    long usableBytes() {
        return usableBytes;
    }
}
