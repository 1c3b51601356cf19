package io.hawser.store.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
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
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpoolRecordCodecTest {
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
            new SpoolRecord.Cancelled(KEY, new Refusal(ErrorCode.SOURCE_CHANGED, "changed")),
            new SpoolRecord.Brokered(KEY, List.of("one", "two")),
            new SpoolRecord.Receipted(KEY, new Receipt(KEY, "one", ReceiptStatus.FAILED, "why", 5)),
            new SpoolRecord.Refused(KEY, new Refusal(ErrorCode.NOT_ALLOWED, "no right")),
            new SpoolRecord.Ended(KEY),
            new SpoolRecord.HighWater(1L << 40));

    private static LogRecord logged(int kind, @Nullable TransferKey key, byte[] body) {
        return LogRecords.of(kind, 1, 1, new LogPosition(1, 0), 128, key, 0, new byte[32], body, 0, 0);
    }

    @Test
    void everyRecordComesBack() throws Exception {
        for (SpoolRecord record : RECORDS) {
            SpoolRecordCodec.Encoded encoded = SpoolRecordCodec.encode(record);

            assertThat(SpoolRecordCodec.decode(logged(encoded.kind(), encoded.key(), encoded.body())))
                    .isEqualTo(record);
        }
    }

    @Test
    void aLaterVersionIsRefusedAsSuch() {
        assertThatThrownBy(() -> SpoolRecordCodec.decode(logged(SpoolRecordCodec.ENDED, KEY, new byte[] {3})))
                .isInstanceOf(FormatTooNewException.class);
        assertThatThrownBy(() -> SpoolRecordCodec.decode(logged(SpoolRecordCodec.HIGH_WATER + 1, KEY, new byte[] {2})))
                .isInstanceOf(FormatTooNewException.class);
    }

    @Test
    void damagedBodiesAreRefusedAndNothingLargeIsAllocated() {
        Random random = new Random(7);
        for (SpoolRecord record : RECORDS) {
            SpoolRecordCodec.Encoded encoded = SpoolRecordCodec.encode(record);
            for (int round = 0; round < 300; round++) {
                byte[] body = encoded.body().clone();
                body[random.nextInt(body.length)] = (byte) random.nextInt();
                byte[] cut = java.util.Arrays.copyOf(body, random.nextInt(body.length + 1));
                try {
                    SpoolRecordCodec.decode(logged(encoded.kind(), encoded.key(), cut));
                } catch (StorageException e) {
                    assertThat(e).hasMessageContaining("journal");
                }
            }
        }
    }

    @Test
    void theBoundOfASmallRecordHolds() {
        SpoolRecordCodec.Encoded encoded = SpoolRecordCodec.encode(new SpoolRecord.Small(MANIFEST, COMMIT));

        assertThat(encoded.body().length).isLessThanOrEqualTo(SpoolRecordCodec.maxSmallBodyBytes(MANIFEST));
    }

    /** Versions from 128 on were taken for negative ones, and those and 0 for the first. */
    @Test
    void noVersionButTheFirstIsTakenForIt() {
        assertThatThrownBy(() -> SpoolRecordCodec.decode(logged(SpoolRecordCodec.ENDED, KEY, new byte[] {(byte) 0x80})))
                .isInstanceOf(FormatTooNewException.class);
        assertThatThrownBy(() -> SpoolRecordCodec.decode(logged(SpoolRecordCodec.ENDED, KEY, new byte[] {0})))
                .isInstanceOf(StorageException.class);
    }
}
