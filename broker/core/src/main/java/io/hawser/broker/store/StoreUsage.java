package io.hawser.broker.store;

/**
 * How full the broker's store is, how large its log is, and what its disk has damaged or lost.
 *
 * @param usedBytes payload bytes that are kept: what a quota counts
 * @param reservedBytes what was promised to open transfers and is not written yet
 * @param quotaBytes the most that {@code usedBytes} and {@code reservedBytes} may come to; 0 for no limit
 * @param diskFreeBytes what the file system would still take
 * @param headRoomBytes free disk space that payload may not take
 * @param logBytes what the log takes on disk, with what is no longer needed and with spare segments
 * @param segments how many segments the log has
 * @param damagedPlaces how many places of the log could not be read since the start; each counts once, and 1,000 at most
 * @param lostRecords how many records at the log's end the index knew of when the store was opened, and the log no longer had; the disk
 *     has lost what it had announced as durable. It is 0 again after the next start
 */
public record StoreUsage(
        long usedBytes,
        long reservedBytes,
        long quotaBytes,
        long diskFreeBytes,
        long headRoomBytes,
        long logBytes,
        int segments,
        long damagedPlaces,
        long lostRecords) {}
