package io.hawser.broker.store.local;

import io.hawser.store.log.LogPosition;

/**
 * The index's position in the log, and the sums that belong to it: the sentinel row.
 *
 * @param sequence number of the last record that is in the index
 * @param next where the record after it may begin
 * @param keptBytes payload bytes that are kept
 * @param reservedBytes payload bytes that are promised to open transfers
 */
record AppliedPosition(long sequence, LogPosition next, long keptBytes, long reservedBytes) {
    static final AppliedPosition NOTHING = new AppliedPosition(0, LogPosition.START, 0, 0);
}
