package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.FormatTooOldException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KafkaJournalRecordTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), TransferId.of(3, 4, 5));

    private static KafkaJournalRecord record(int bodyBytes) {
        byte[] body = new byte[bodyBytes];
        new Random(bodyBytes).nextBytes(body);
        KafkaJournalRecord.PayloadPlace place = new KafkaJournalRecord.PayloadPlace(7, 1L << 40, 3, 1 << 20);
        return new KafkaJournalRecord(2, 99, 4, KEY, 17, place, body);
    }

    @Test
    void aRecordIsWhatItWasAlsoInSeveralParts() throws Exception {
        for (int bodyBytes : new int[] {0, 1, 99, 100, 101, 1000}) {
            KafkaJournalRecord written = record(bodyBytes);
            List<byte[]> parts = written.encode(100);
            assertThat(parts).hasSize(Math.max(1, (bodyBytes + 99) / 100));
            for (int i = 0; i < parts.size(); i++) {
                assertThat(KafkaJournalRecord.check(parts.get(i), 5))
                        .isEqualTo(new KafkaJournalRecord.PartOf(i, parts.size()));
            }
            KafkaJournalRecord read = KafkaJournalRecord.decode(parts);
            assertThat(read).usingRecursiveComparison().isEqualTo(written);
        }
    }

    @Test
    void withoutKeyAndPayload() throws Exception {
        KafkaJournalRecord written = new KafkaJournalRecord(6, 1, 1, null, 0, null, new byte[] {1, 2});
        assertThat(KafkaJournalRecord.decode(written.encode(100)))
                .usingRecursiveComparison()
                .isEqualTo(written);
    }

    @Test
    void everyFlippedByteIsNoticed() {
        byte[] good = record(10).encode(100).get(0);
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 1;
            assertThatThrownBy(() -> KafkaJournalRecord.check(bad, 3))
                    .as("byte " + i)
                    .isInstanceOfAny(CorruptRecordException.class, FormatTooNewException.class);
        }
        assertThatThrownBy(() -> KafkaJournalRecord.check(new byte[5], 3)).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void whatAnEarlierVersionWroteIsRefusedWithTheWayOut() {
        byte[] part = record(10).encode(100).get(0);
        part[4] = 1;
        assertThatThrownBy(() -> KafkaJournalRecord.check(part, 3))
                .isInstanceOf(FormatTooOldException.class)
                .hasMessageContaining("deliver everything");
    }

    @Test
    void partsThatDoNotMakeABodyAreRefused() {
        List<byte[]> parts = record(250).encode(100);
        assertThatThrownBy(() -> KafkaJournalRecord.decode(parts.subList(0, 2))).hasMessageContaining("shorter");
        assertThatThrownBy(() ->
                        KafkaJournalRecord.decode(List.of(parts.get(0), parts.get(1), parts.get(2), parts.get(2))))
                .hasMessageContaining("longer");
        byte[] huge = parts.get(0).clone();
        ByteBuffer.wrap(huge).putInt(84, Integer.MAX_VALUE);
        assertThatThrownBy(() -> KafkaJournalRecord.decode(List.of(huge))).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void aPlaceWhereNoPayloadCanLieIsRefused() {
        for (KafkaJournalRecord.PayloadPlace place : List.of(
                new KafkaJournalRecord.PayloadPlace(-1, 1, 1, 1),
                new KafkaJournalRecord.PayloadPlace(1, -1, 1, 1),
                new KafkaJournalRecord.PayloadPlace(1, 1L << 48, 1, 1),
                new KafkaJournalRecord.PayloadPlace(1, 1, 0, 1),
                new KafkaJournalRecord.PayloadPlace(1, 1, 1, -1))) {
            List<byte[]> parts = new KafkaJournalRecord(2, 99, 4, KEY, 17, place, new byte[3]).encode(100);
            assertThatThrownBy(() -> KafkaJournalRecord.decode(parts))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("has its payload at PayloadPlace");
        }
    }

    @Test
    void aPartThatIsNoneOfItsRecordIsRefused() {
        for (short part : new short[] {-1, 1, 2}) {
            byte[] bad = record(10).encode(100).get(0);
            ByteBuffer.wrap(bad).putShort(8, part);
            ByteBuffer.wrap(bad).putInt(88, KafkaJournalRecord.checksum(bad));
            assertThatThrownBy(() -> KafkaJournalRecord.check(bad, 3))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("is part " + part + " of 1");
        }
    }
}
