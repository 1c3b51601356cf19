package io.hawser.core.hop;

/**
 * The limits of a {@link HopSender}.
 *
 * @param loadedFragments fragments that are in memory or being loaded at once
 * @param openTransfers transfers that are open at the receiver at once
 * @param smallTransfers small transfers in flight at once
 * @param smallLimitBytes the largest size that travels as a small transfer
 * @param smallPacketBytes the most that one small packet carries
 * @param minPacketBytes the smallest packet that a fragment is cut into
 * @param windowBytes credit until the receiver grants another
 */
public record HopSenderLimits(
        int loadedFragments,
        int openTransfers,
        int smallTransfers,
        int smallLimitBytes,
        int smallPacketBytes,
        int minPacketBytes,
        long windowBytes) {
    public static final HopSenderLimits DEFAULT =
            new HopSenderLimits(8, 256, 2048, 64 << 10, 256 << 10, 16 << 10, 16L << 20);
    /** The most small transfers in one packet. */
    public static final int MAX_SMALL_ITEMS = 256;

    /** The same limits, with no small transfers. */
    public HopSenderLimits withoutSmall() {
        return new HopSenderLimits(
                loadedFragments, openTransfers, smallTransfers, -1, smallPacketBytes, minPacketBytes, windowBytes);
    }
}
