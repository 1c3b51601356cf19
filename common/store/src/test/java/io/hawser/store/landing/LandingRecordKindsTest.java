package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.journal.RecordKindsContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LandingRecordKindsTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final Manifest MANIFEST = new Manifest(
            KEY,
            9,
            new Topic("t"),
            TransferKind.FILE,
            "d/\u00fc",
            List.of("d/\u00fc", "x"),
            -1,
            1 << 20,
            Map.of("mtime", "5"));
    private static final Commit COMMIT = new Commit(3, 1, new TransferDigest(1 << 20, new byte[32]));

    private static List<LandingRecord> records() {
        return List.of(
                new LandingRecord.Opened(MANIFEST, 7),
                new LandingRecord.Verified(MANIFEST, COMMIT, 8),
                new LandingRecord.Ended(new Receipt(KEY, "sub", ReceiptStatus.FAILED, "why", 10)),
                new LandingRecord.Acked(KEY, 11),
                new LandingRecord.AckedFailure(KEY, 11),
                new LandingRecord.Cancelled(KEY, 12),
                new LandingRecord.Dropped(KEY),
                new LandingRecord.Parked(
                        MANIFEST, COMMIT, new DeadLetter(KEY.toString(), MANIFEST.name(), 3, 13, "why", "later")));
    }

    @Test
    void everyKindComesBack() throws Exception {
        RecordKindsContract.check(LandingRecordKinds.KINDS, records());
    }
}
