package io.hawser.agenta.download;

/**
 * The bytes of a file that REST or RANG asked for, for the next transfer.
 *
 * @param from the first byte
 * @param to the byte after the last one, or {@link #TO_THE_END}
 */
public record RequestedRange(long from, long to) {
    public static final long TO_THE_END = Long.MAX_VALUE;
    public static final RequestedRange ALL = new RequestedRange(0, TO_THE_END);

    /** Where it ends in a file of that size. */
    public long end(long sizeBytes) {
        return Math.max(from, Math.min(to, sizeBytes));
    }
}
