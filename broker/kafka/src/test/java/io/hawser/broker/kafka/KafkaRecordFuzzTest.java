package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What stands in the topics. Both kinds of records have checksums; what is behind them is decoded with the same care. */
class KafkaRecordFuzzTest {
    private static final int JOURNAL_MAGIC = 0x48574B4A;
    private static final int PAYLOAD_MAGIC = 0x48574B50;
    private static final int JOURNAL_CRC_OFFSET = 88;
    private static final int PAYLOAD_CRC_OFFSET = 102;
    private static final int MOST = 100;

    /** Bytes as they come; and parts, each a length of two bytes and what it holds, with a right beginning and a right checksum. */
    @FuzzTest(maxDuration = "2m")
    void journal(byte[] data) throws StorageException {
        again(List.of(data));
        List<byte[]> parts = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(data);
        while (in.remaining() > Short.BYTES) {
            byte[] part = new byte[Math.min(in.getShort() & 0x0FFF, in.remaining())];
            in.get(part);
            parts.add(sealedJournal(part));
        }
        if (!parts.isEmpty()) {
            again(parts);
        }
    }

    /** It is refused, or read and written again as it was understood. */
    private static void again(List<byte[]> parts) throws StorageException {
        KafkaJournalRecord record;
        try {
            for (byte[] part : parts) {
                KafkaJournalRecord.PartOf place = KafkaJournalRecord.check(part, 7);
                assertThat(place.part()).isBetween(0, place.parts() - 1);
            }
            record = KafkaJournalRecord.decode(parts);
        } catch (StorageException e) {
            assertThat(e).hasMessageNotContaining("Exception");
            return;
        }
        KafkaJournalRecord read = KafkaJournalRecord.decode(record.encode(MOST));
        assertThat(read.body()).isEqualTo(record.body());
        assertThat(read.toString().replaceAll("body=.*", ""))
                .isEqualTo(record.toString().replaceAll("body=.*", ""));
        LogRecord folded = JournalReader.toLogRecord(record, 7, parts.size(), 50_000);
        assertThat(folded.payloadLength()).isNotNegative();
        assertThat(folded.placeLength()).isPositive();
    }

    private static byte[] sealedJournal(byte[] data) {
        byte[] part = Arrays.copyOf(data, Math.max(data.length, KafkaJournalRecord.HEADER_BYTES));
        ByteBuffer.wrap(part).putInt(JOURNAL_MAGIC).put((byte) 1);
        ByteBuffer.wrap(part).putInt(JOURNAL_CRC_OFFSET, KafkaJournalRecord.checksum(part));
        return part;
    }

    /** Bytes as they come, and with a right beginning and a right checksum: they are no payload, or lie within one. */
    @FuzzTest(maxDuration = "1m")
    void payload(byte[] data) {
        within(data);
        byte[] part = Arrays.copyOf(data, Math.max(data.length, PayloadPart.HEADER_BYTES));
        ByteBuffer.wrap(part).putInt(PAYLOAD_MAGIC).put((byte) 1);
        ByteBuffer.wrap(part).putInt(PAYLOAD_CRC_OFFSET, PayloadPart.checksum(ByteBuffer.wrap(part)));
        within(part);
    }

    private static void within(byte[] encoded) {
        PayloadPart part = PayloadPart.tryRead(ByteBuffer.wrap(encoded));
        if (part == null) {
            return;
        }
        assertThat(part.part()).isBetween(0, part.parts() - 1);
        assertThat(part.offset()).isNotNegative();
        assertThat((long) part.offset() + encoded.length - PayloadPart.HEADER_BYTES)
                .isLessThanOrEqualTo(part.payloadLength());
        assertThat(part.isOfSame(part)).isTrue();
    }
}
