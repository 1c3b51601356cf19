package io.hawser.store.space;

import java.util.Locale;

/**
 * The bytes of one store: what its disk has free, its quota and head-room, what is kept, and what is promised and not yet written. It
 * admits more, or says why not. The figures come from the store that owns it.
 *
 * <p>Thread: any; the owner's loop changes the promises.
 */
public final class SpaceBudget {
    private final SpaceRole role;
    private final long quotaBytes;
    private final long headRoomBytes;
    /** Until the disk was asked, space counts as unlimited. */
    private long freeBytes = Long.MAX_VALUE;

    private long totalBytes = Long.MAX_VALUE;
    private long keptBytes;
    private long promisedBytes;

    /**
     * Nothing is kept or promised yet.
     *
     * @param quotaBytes at most so much is kept and promised; {@link Long#MAX_VALUE} for no limit but the disk
     * @param headRoomBytes so much of the disk stays free
     */
    public SpaceBudget(SpaceRole role, long quotaBytes, long headRoomBytes) {
        this.role = role;
        this.quotaBytes = quotaBytes;
        this.headRoomBytes = headRoomBytes;
    }

    /** The disk has so much free now. */
    public synchronized void measured(long free) {
        freeBytes = free;
    }

    /** The same, and what the disk can hold at most. */
    public synchronized void measured(long free, long total) {
        freeBytes = free;
        totalBytes = total;
    }

    /** So much is kept and promised, by the count of the owner. */
    public synchronized void counted(long kept, long promised) {
        keptBytes = kept;
        promisedBytes = promised;
    }

    /** Whether {@code bytes} would fit if nothing else were on the disk; {@code what} begins the sentence if not: "NAME has". */
    public synchronized SpaceAnswer admitEver(String what, long bytes) {
        if (bytes > quotaBytes) {
            return new SpaceAnswer.No(format(
                    "%s %,d bytes; %s's quota is %,d bytes in all. Raise the quota, or send less.",
                    what, bytes, role.owner, quotaBytes));
        }
        long most = minus(totalBytes, headRoomBytes);
        return bytes <= most
                ? SpaceAnswer.yes()
                : new SpaceAnswer.No(format(
                        "%s %,d bytes; %s's disk can hold %,d bytes in all. Give it a larger one, or send less.",
                        what, bytes, role.owner, most));
    }

    /** Whether {@code bytes} more of {@code what} would fit now, besides all that is promised. Nothing always fits. */
    public synchronized SpaceAnswer admit(String what, long bytes) {
        long available = availableBytes();
        if (bytes <= available) {
            return SpaceAnswer.yes();
        } else if (bytes > byQuota()) {
            return SpaceAnswer.waitForRoom(format(
                    "No room for %,d bytes of %s, only for %,d: of %s's quota of %,d bytes, %,d are used and %,d promised. %s",
                    bytes, what, available, role.owner, quotaBytes, keptBytes, promisedBytes, role.hope));
        } else if (isBelowHeadRoom()) {
            return belowHeadRoom();
        }
        return SpaceAnswer.waitForRoom(format(
                "No room for %,d bytes of %s, only for %,d: %s's disk has %,d bytes free, of which %,d are promised to others"
                        + " and %,d are kept back as head-room%s. %s",
                bytes,
                what,
                available,
                role.owner,
                freeBytes,
                promisedBytes,
                headRoomBytes,
                role.headRoomFlag,
                role.hope));
    }

    /** Promises {@code bytes} if they fit. */
    public synchronized SpaceAnswer reserve(String what, long bytes) {
        SpaceAnswer answer = admit(what, bytes);
        if (answer.isYes()) {
            promisedBytes += bytes;
        }
        return answer;
    }

    /** Promises bytes that were promised before a restart or damage, room or not. */
    public synchronized void hold(long bytes) {
        promisedBytes += bytes;
    }

    /** A promise is kept, or no longer needed. */
    public synchronized void release(long bytes) {
        promisedBytes -= bytes;
    }

    /** These bytes are on the disk, and the disk was not asked since. */
    public synchronized void written(long bytes) {
        keptBytes += bytes;
        freeBytes -= bytes;
    }

    /** These bytes are no longer on the disk. */
    public synchronized void dropped(long bytes) {
        keptBytes -= bytes;
        // The disk may have been asked since they went, so the sum may exceed what there can be.
        freeBytes = freeBytes > Long.MAX_VALUE - bytes ? Long.MAX_VALUE : freeBytes + bytes;
    }

    /** How much could be promised now; not negative. */
    public synchronized long availableBytes() {
        return Math.min(byQuota(), minus(minus(freeBytes, headRoomBytes), promisedBytes));
    }

    private long byQuota() {
        return minus(minus(quotaBytes, keptBytes), promisedBytes);
    }

    /** The difference of two numbers, or 0 if it is negative; an overflow is negative too. */
    private static long minus(long from, long bytes) {
        return from <= 0 ? 0 : Math.max(0, from - bytes);
    }

    /** Whether the disk has less than is kept back, so that nothing with bytes is accepted. */
    public synchronized boolean isBelowHeadRoom() {
        return freeBytes < headRoomBytes;
    }

    /** The answer while {@link #isBelowHeadRoom}. */
    public synchronized SpaceAnswer belowHeadRoom() {
        return SpaceAnswer.waitForRoom(format(
                "No room: %s's disk has %,d bytes free, and %,d are kept back as head-room%s, so nothing is accepted. %s",
                role.owner, freeBytes, headRoomBytes, role.headRoomFlag, role.hope));
    }

    /** For the operator: why nothing may land in {@code directory}, or an empty string. */
    public synchronized String problem(String directory) {
        return isBelowHeadRoom()
                ? format(
                        "the file system of %s has %,d bytes free, and %,d are kept back as head-room, so nothing lands: make"
                                + " room, or lower --head-room",
                        directory, freeBytes, headRoomBytes)
                : "";
    }

    public synchronized long keptBytes() {
        return keptBytes;
    }

    public synchronized long promisedBytes() {
        return promisedBytes;
    }

    /** What the disk had free when it was asked last. */
    public synchronized long freeBytes() {
        return freeBytes;
    }

    private static String format(String sentence, Object... facts) {
        return String.format(Locale.ROOT, sentence, facts);
    }
}
