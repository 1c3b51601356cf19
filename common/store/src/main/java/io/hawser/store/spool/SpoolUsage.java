package io.hawser.store.spool;

/**
 * What a spool holds.
 *
 * @param pending transfers that are not committed at the next hop
 * @param incomplete how many of these are uploads that broke off
 * @param awaitingReceipts transfers that are committed there
 * @param contentBytes bytes of content that are held
 * @param availableBytes bytes that could be taken now
 * @param stalledUploads uploads that wait for space
 * @param damaged transfers whose bytes cannot be read back as they were written
 * @param journalDamages places of the journal that could not be read at the start; what was recorded there is lost
 */
public record SpoolUsage(
        int pending,
        int incomplete,
        int awaitingReceipts,
        long contentBytes,
        long availableBytes,
        int stalledUploads,
        int damaged,
        int journalDamages) {}
