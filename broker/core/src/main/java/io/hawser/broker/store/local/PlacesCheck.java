package io.hawser.broker.store.local;

import io.hawser.broker.store.local.ExtentTable.Coverage;
import java.sql.Connection;
import java.util.List;

/**
 * Checks every row of the index that holds a segment of the log: those of transfers and those of their fragments' places. Each is read
 * twice, by its key and by its segment. A flipped bit hides a row from one of the two, and the segment would be taken for unneeded.
 *
 * <p>Thread: see {@link SnapshotCheck}.
 */
final class PlacesCheck extends SnapshotCheck {
    private static final int PAGE = 100;

    private final ExtentTable places;
    private final TransferTable transfers;
    private long transferRows;
    private long placeRows;

    private PlacesCheck(Connection connection) {
        super(connection, "Index's places looked at");
        this.places = new ExtentTable(sql);
        this.transfers = new TransferTable(sql, places);
    }

    /** Begins the snapshot. The connection is closed at the end. */
    static PlacesCheck ofNow(Connection connection) {
        PlacesCheck check = new PlacesCheck(connection);
        check.begin(() -> check.transfers.page(null, 1));
        return check;
    }

    @Override
    void check() {
        List<IndexedTransfer> page = transfers.page(null, PAGE);
        while (!page.isEmpty()) {
            page.forEach(this::look);
            page = transfers.page(page.get(page.size() - 1).key(), PAGE);
        }
        transfers.eachBySegment(() -> {
            next();
            transferRows--;
        });
        places.eachBySegment(() -> {
            next();
            placeRows--;
        });
        if (transferRows != 0 || placeRows != 0) {
            throw new IndexFailedException("rows are found by their key or by their segment alone: " + transferRows
                    + " of table transfer, " + placeRows + " of table fragment_run");
        }
    }

    private void look(IndexedTransfer transfer) {
        next();
        Coverage coverage = places.coverage(transfer.key());
        transferRows++;
        placeRows += coverage.rows();
        boolean needed = !transfer.released && !transfer.durable.isEmpty();
        if (needed && !transfer.durableBeyond(coverage.fragments()).isEmpty()) {
            throw new IndexFailedException("a fragment of " + transfer.key() + " has no place in the index");
        }
    }
}
