package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.hawser.store.storage.StorageException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LandingRecordCodecTest {
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

    @ParameterizedTest
    @MethodSource("records")
    void aRecordComesBackAsItWas(LandingRecord record) throws StorageException {
        byte[] body = LandingRecordCodec.encode(record);

        assertThat(LandingRecordCodec.decode(LandingRecordCodec.kind(record), KEY, body))
                .isEqualTo(record);
    }

    @Test
    void noDamagedBodyIsTakenForAnythingButDamage() {
        Random random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            LandingRecord record = records().get(round % 7);
            byte[] body = LandingRecordCodec.encode(record);
            for (int i = 0; i < 1 + random.nextInt(3) && body.length > 0; i++) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(body, random.nextInt(body.length + 1));
            try {
                assertThat(LandingRecordCodec.decode(1 + random.nextInt(8), KEY, cut)
                                .key())
                        .isEqualTo(KEY);
            } catch (StorageException e) {
                assertThat(e).hasMessageContaining("landing journal");
            }
        }
    }
}
