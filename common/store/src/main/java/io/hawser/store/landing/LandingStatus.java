package io.hawser.store.landing;

import java.util.List;

/**
 * The landing area at one moment, for people and for JSON.
 *
 * @param subscription the owner of the landing area
 * @param directory where it lies
 * @param delivered transfers delivered since the start of the process
 * @param failed transfers failed since the start of the process
 * @param damaged fragments and complete objects of an earlier run that the disk has changed, found since the start of the process
 * @param journalDamages places of the journal that could not be read at the start
 * @param unfinished transfers that are open or wait for the target
 * @param parked those of them that are on the dead-letter list
 * @param receipts transfers that have ended and whose receipt is not acked
 * @param reservedBytes promised to transfers of known size and not yet written
 * @param usableBytes free on the file system when it was last looked at
 * @param spaceProblem what keeps everything from landing for want of space, or empty
 * @param tombstones finished transfers that are still known
 * @param failure why the landing area stopped, or empty
 * @param transfers those that are unfinished; at most {@value #MAX_TRANSFERS}
 */
public record LandingStatus(
        String subscription,
        String directory,
        long delivered,
        long failed,
        long damaged,
        int journalDamages,
        int unfinished,
        int parked,
        int receipts,
        long reservedBytes,
        long usableBytes,
        String spaceProblem,
        int tombstones,
        String failure,
        List<LandingTransferStatus> transfers) {
    public static final int MAX_TRANSFERS = 1_000;

    public LandingStatus {
        transfers = List.copyOf(transfers);
    }
}
