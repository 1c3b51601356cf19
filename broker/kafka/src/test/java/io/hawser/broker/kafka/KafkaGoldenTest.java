package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.Fragment;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Golden;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Pins version 2 of what stands in Kafka: records of the journal and payloads, whole and in parts. */
class KafkaGoldenTest {
    private static final String FILE = "v2/kafka-records.txt";
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), TransferId.of(3, 4, 5));
    private static final KafkaJournalRecord WITHOUT =
            new KafkaJournalRecord(6, 1, 1, null, 0, null, bytes("subscribed"));
    private static final KafkaJournalRecord PLACED = new KafkaJournalRecord(
            2,
            99,
            4,
            KEY,
            17,
            new KafkaJournalRecord.PayloadPlace(5, 1L << 40, 3, 1 << 20),
            bytes("a body in two parts"));
    private static final int MOST = 10;
    private static final long LIFE = 4;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, byte[]> written() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("journal", WITHOUT.encode(100).get(0));
        all.put("journal-1-of-2", PLACED.encode(MOST).get(0));
        all.put("journal-2-of-2", PLACED.encode(MOST).get(1));
        Fragment fragment = PayloadPartTest.fragment(bytes("bytes of a fragment"), 0x12345678);
        all.put("payload", PayloadPartTest.encode(fragment, 0, 1, LIFE));
        all.put("payload-1-of-2", PayloadPartTest.encode(fragment, 0, 2, LIFE));
        all.put("payload-2-of-2", PayloadPartTest.encode(fragment, 1, 2, LIFE));
        fragment.buffer().release();
        return all;
    }

    @Test
    void thisVersionStillWritesVersion2() throws Exception {
        Golden.assertWritten(KafkaGoldenTest.class, FILE, written());
    }

    @Test
    void version2IsRead() throws Exception {
        Map<String, byte[]> all = Golden.read(KafkaGoldenTest.class, FILE);
        for (Map.Entry<String, byte[]> each : all.entrySet()) {
            if (each.getKey().startsWith("journal")) {
                assertThat(KafkaJournalRecord.check(each.getValue(), 0).parts())
                        .as(each.getKey())
                        .isEqualTo(each.getKey().endsWith("of-2") ? 2 : 1);
            }
        }
        assertThat(KafkaJournalRecord.decode(List.of(Objects.requireNonNull(all.get("journal")))))
                .usingRecursiveComparison()
                .isEqualTo(WITHOUT);
        assertThat(KafkaJournalRecord.decode(List.of(
                        Objects.requireNonNull(all.get("journal-1-of-2")),
                        Objects.requireNonNull(all.get("journal-2-of-2")))))
                .usingRecursiveComparison()
                .isEqualTo(PLACED);
        PayloadPart whole = part(all, "payload");
        PayloadPart second = part(all, "payload-2-of-2");
        assertThat(whole.key()).isEqualTo(KEY);
        assertThat(whole.index()).isEqualTo(17);
        assertThat(whole.incarnation()).isEqualTo(LIFE);
        assertThat(whole.crc32c()).isEqualTo(0x12345678);
        assertThat(whole.payloadLength()).isEqualTo(19);
        assertThat(second.isOfSame(part(all, "payload-1-of-2"))).isTrue();
        assertThat(second.isOfSame(whole)).isFalse();
        assertThat(second.part()).isEqualTo(1);
        assertThat(second.offset()).isEqualTo(10);
    }

    private static PayloadPart part(Map<String, byte[]> all, String name) {
        return Objects.requireNonNull(
                PayloadPart.tryRead(ByteBuffer.wrap(Objects.requireNonNull(all.get(name)))), name);
    }
}
