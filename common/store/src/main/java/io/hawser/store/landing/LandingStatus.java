package io.hawser.store.landing;

/**
 * The landing area at one moment, for people and for JSON.
 *
 * @param subscription the owner of the landing area
 * @param directory where it lies
 * @param delivered transfers delivered since the start of the process
 * @param failed transfers failed since the start of the process
 * @param damaged fragments and complete objects that the disk has changed, and objects taken for delivered with another file at
 *     their name; found since the start of the process
 * @param journalDamages places of the journal that could not be read at the start
 * @param unfinished transfers that are open or wait for the target
 * @param longestIdleMillis the longest time for which one of them has not come forward
 * @param parked those of them that are on the dead-letter list
 * @param receipts transfers that have ended and whose receipt is not acked
 * @param reservedBytes promised to transfers of known size and not yet written
 * @param usableBytes free on the file system when it was last looked at
 * @param spaceProblem what keeps everything from landing for want of space, or empty
 * @param tombstones finished transfers that are still known
 * @param failure why the landing area stopped, or empty
 */
public record LandingStatus(
        String subscription,
        String directory,
        long delivered,
        long failed,
        long damaged,
        int journalDamages,
        int unfinished,
        long longestIdleMillis,
        int parked,
        int receipts,
        long reservedBytes,
        long usableBytes,
        String spaceProblem,
        int tombstones,
        String failure) {}
