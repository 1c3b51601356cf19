package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Keeps account of the space for content: bytes that are held, bytes that were promised to uploads and are not yet written,
 * and what the file system last said to be free. Pure arithmetic; {@link SpoolSpaceQueue} keeps what waits for space.
 *
 * <p>Thread: the loop.
 */
final class SpoolSpaceLedger {
    private final long quotaBytes;
    private final long headRoomBytes;
    private long heldBytes;
    private long promisedBytes;
    private long freeBytes = Long.MAX_VALUE / 4;
    private Relief relief = () -> false;

    /** Where space can be had when it is short. */
    interface Relief {
        /** Evicts some content that need not be kept; false if there is none. */
        boolean dropSome();
    }

    SpoolSpaceLedger(long quotaBytes, long headRoomBytes) {
        this.quotaBytes = quotaBytes;
        this.headRoomBytes = headRoomBytes;
    }

    /** Evicts content when space is short. */
    void relieveBy(Relief other) {
        relief = other;
    }

    private void relieve(long bytes) {
        while (bytes > availableBytes() && relief.dropSome()) {
            // until there is enough, or nothing left to give up
        }
    }

    /** The file system says that so much is free now. */
    void measured(long free) {
        freeBytes = free;
    }

    /** How much could be promised now; not negative. */
    long availableBytes() {
        long byQuota = quotaBytes - heldBytes - promisedBytes;
        long byDisk = freeBytes - headRoomBytes - promisedBytes;
        return Math.max(0, Math.min(byQuota, byDisk));
    }

    /** Why an object of {@code bytes} can never be taken, whatever goes; null if it could be. */
    @Nullable
    Refusal refusalForEver(long bytes) {
        return bytes <= quotaBytes
                ? null
                : new Refusal(ErrorCode.TOO_LARGE, bytes + " bytes are more than the spool's quota of " + quotaBytes);
    }

    /** Why {@code bytes} cannot be taken now, or null if they can. */
    @Nullable
    Refusal refusalFor(long bytes) {
        Refusal never = refusalForEver(bytes);
        if (never != null) {
            return never;
        }
        relieve(bytes);
        long available = availableBytes();
        return bytes <= available
                ? null
                : new Refusal(
                        ErrorCode.NO_SPACE,
                        "The spool has room for " + available + " bytes, and this needs " + bytes
                                + ". Try again later");
    }

    long heldBytes() {
        return heldBytes;
    }

    boolean reserve(SpoolTransfer transfer, long bytes) {
        relieve(bytes);
        if (bytes > availableBytes()) {
            return false;
        }
        promisedBytes += bytes;
        transfer.setSpace(transfer.reservedBytes() + bytes, transfer.heldBytes());
        return true;
    }

    /** {@code transfer} has written {@code bytes}, out of what it was promised as far as that goes. */
    void written(SpoolTransfer transfer, long bytes) {
        long fromPromise = Math.min(bytes, transfer.reservedBytes());
        promisedBytes -= fromPromise;
        heldBytes += bytes;
        freeBytes -= bytes;
        transfer.setSpace(transfer.reservedBytes() - fromPromise, transfer.heldBytes() + bytes);
    }

    /** {@code transfer} has written its last byte. */
    void unreserve(SpoolTransfer transfer) {
        promisedBytes -= transfer.reservedBytes();
        transfer.setSpace(0, transfer.heldBytes());
    }

    /** The content of {@code transfer} is given up. */
    void released(SpoolTransfer transfer) {
        unreserve(transfer);
        heldBytes -= transfer.heldBytes();
        freeBytes += transfer.heldBytes();
        transfer.setSpace(0, 0);
    }
}
