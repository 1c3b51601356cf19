package io.hawser.store.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
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
import io.hawser.store.storage.FormatTooNewException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpoolRecordKindsTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final Commit COMMIT = new Commit(4097, 2, new TransferDigest(4096, new byte[32]));
    private static final Manifest MANIFEST = new Manifest(
            KEY,
            7,
            new Topic("site-b"),
            TransferKind.FILE,
            "in/ü",
            List.of("in/ü", "other"),
            Manifest.UNKNOWN_SIZE,
            4096,
            Map.of("mtime", "12", "x-a", ""));
    private static final List<SpoolRecord> RECORDS = List.of(
            new SpoolRecord.Opened(MANIFEST, null),
            new SpoolRecord.Opened(MANIFEST, new SourceFingerprint("/a b", 9, -5, "(dev=1,ino=2)")),
            new SpoolRecord.Small(MANIFEST, COMMIT),
            new SpoolRecord.Committed(KEY, COMMIT),
            new SpoolRecord.Suspended(KEY, 99, "gone"),
            new SpoolRecord.Resumed(KEY),
            new SpoolRecord.Cancelled(KEY, new Refusal(ErrorCode.SOURCE_CHANGED, "changed"), true),
            new SpoolRecord.Lost(KEY),
            new SpoolRecord.Brokered(KEY, List.of("one", "two")),
            new SpoolRecord.Receipted(KEY, new Receipt(KEY, "one", ReceiptStatus.FAILED, "why", 5)),
            new SpoolRecord.Refused(KEY, new Refusal(ErrorCode.NOT_ALLOWED, "no right")),
            new SpoolRecord.Ended(KEY),
            new SpoolRecord.HighWater(1L << 40));

    @Test
    void everyKindComesBack() throws Exception {
        RecordKindsContract.check(SpoolRecordKinds.KINDS, RECORDS);
    }

    @Test
    void aManifestThatMustBeUnderstoodAndIsNotWasWrittenByALaterVersion() {
        Manifest later = new Manifest(
                KEY,
                7,
                MANIFEST.topic(),
                MANIFEST.kind(),
                "n",
                List.of("n"),
                1,
                4096,
                Map.of(),
                List.of(new Extension(900, true, new byte[0])));

        assertThatThrownBy(() -> RecordKindsContract.again(SpoolRecordKinds.KINDS, new SpoolRecord.Opened(later, null)))
                .isInstanceOf(FormatTooNewException.class);
    }

    @Test
    void theBoundOfASmallRecordHolds() {
        byte[] body = SpoolRecordKinds.KINDS.encode(new SpoolRecord.Small(MANIFEST, COMMIT));

        assertThat(body.length).isLessThanOrEqualTo(SpoolRecordKinds.maxSmallBodyBytes(MANIFEST));
    }
}
