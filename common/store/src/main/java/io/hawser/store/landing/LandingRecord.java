package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.JournalRecord;

/**
 * What the landing area writes down about a transfer. The last record of a key says everything that is to be known of it
 * after a crash, besides its landing file and sidecar.
 */
sealed interface LandingRecord extends JournalRecord {
    @Override
    TransferKey key();

    /** Its landing file is made; fragments may come. */
    record Opened(Manifest manifest, long epochMillis) implements LandingRecord {
        @Override
        public TransferKey key() {
            return manifest.key();
        }
    }

    /**
     * Its landing file is complete, verified and durable. If there is none (any more), it was published.
     *
     * @param order ascending over the life of the landing area: those that share a path are published in this order
     */
    record Verified(Manifest manifest, Commit commit, long order) implements LandingRecord {
        @Override
        public TransferKey key() {
            return manifest.key();
        }
    }

    /**
     * Its delivery was tried in vain until the deadline; it waits for the operator, its landing file too.
     *
     * @param letter what the operator is told
     */
    record Parked(Manifest manifest, Commit commit, DeadLetter letter) implements LandingRecord {
        @Override
        public TransferKey key() {
            return manifest.key();
        }
    }

    /** It was published, or never can be. The receipt is owed to the publisher. */
    record Ended(Receipt receipt) implements LandingRecord {
        @Override
        public TransferKey key() {
            return receipt.key();
        }
    }

    /** It was delivered and the publisher has the receipt: a tombstone from here on. */
    record Acked(TransferKey key, long epochMillis) implements LandingRecord {}

    /** The same where it was never delivered. */
    record AckedFailure(TransferKey key, long epochMillis) implements LandingRecord {}

    /** The publisher does not want it any more: a tombstone from here on. */
    record Cancelled(TransferKey key, long epochMillis) implements LandingRecord {}

    /** Nothing was heard of it for too long: it is as if it had never been here. */
    record Dropped(TransferKey key) implements LandingRecord {}
}
