package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The bodies of the broker's records, from its log or from a row of its index. */
class StoreRecordFuzzTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final String LOG_ID = "0123456789abcdef0123456789abcdef";

    @TempDir
    static Path directory;

    private static H2Index index;

    @BeforeAll
    static void open() throws IOException {
        index = H2Index.open(Files.createDirectories(directory.resolve("h2")));
    }

    @AfterAll
    static void close() {
        index.close();
    }

    /**
     * A log of these records, each a kind, a flag whether it has a key, a length of two bytes and a body: it is folded to its end, or
     * refused with a {@link StorageException}.
     */
    @FuzzTest(maxDuration = "2m")
    void fold(byte[] data) {
        for (boolean rebuilding : new boolean[] {true, false}) {
            RecordApplier state = new RecordApplier(
                    new TransferIndexCache(index, LOG_ID, new BrokerTombstones(Long.MAX_VALUE, 1_000)));
            state.rebuilding(rebuilding);
            try {
                applyAll(state, data);
            } catch (StorageException e) {
                assertThat(e).hasMessageNotContaining("Exception");
            }
        }
    }

    private static void applyAll(RecordApplier state, byte[] data) throws StorageException {
        ByteBuffer in = ByteBuffer.wrap(data);
        long sequence = 0;
        while (in.remaining() >= 4) {
            int kind = in.get() & 0x7F;
            boolean keyed = in.get() != 0;
            byte[] body = new byte[Math.min(in.getShort() & 0x0FFF, in.remaining())];
            in.get(body);
            sequence++;
            state.apply(LogRecords.of(
                    kind,
                    sequence,
                    1,
                    new LogPosition(1, 4096 + sequence * 128),
                    128,
                    keyed ? KEY : null,
                    body.length,
                    new byte[32],
                    body,
                    body.length,
                    0));
        }
    }

    /** The first byte says of which table. What is read is written again as it was understood. */
    @FuzzTest(maxDuration = "2m")
    void indexRow(byte[] data) throws StorageException {
        if (data.length < 1) {
            return;
        }
        byte[] body = Arrays.copyOfRange(data, 1, data.length);
        try {
            byte[] written = again(data[0] & 3, body);
            assertThat(again(data[0] & 3, written)).isEqualTo(written);
        } catch (StorageException e) {
            assertThat(e).hasMessageNotContaining("Exception");
        }
    }

    private static byte[] again(int table, byte[] body) throws StorageException {
        return switch (table) {
            case 0 -> BodyReader.read(body, in -> IndexedTransfer.read(in, 1)).toBytes();
            case 1 -> BodyReader.read(body, in -> RecordCodec.tombstones(RecordCodec.tombstones(in, 1)));
            default -> RecordCodec.carriedSubscription(BodyReader.read(body, BodyReader::subscription));
        };
    }

    /** Places of fragments in a row of the index. Such rows have a checksum; what is behind it is decoded with the same care. */
    @FuzzTest(maxDuration = "1m")
    void places(byte[] data) {
        ExtentPack pack;
        try {
            pack = ExtentPack.decoded(1_000, new LogPosition(7, 1 << 20), data);
        } catch (IndexFailedException e) {
            assertThat(e).hasMessageNotContaining("Exception");
            return;
        }
        assertThat(pack.start()).isGreaterThanOrEqualTo(1_000);
        assertThat(pack.end()).isLessThanOrEqualTo(1_000 + ExtentPack.MAX_SPAN);
        assertThat(pack.runs()).allSatisfy(run -> assertThat(run.count()).isPositive());
        assertThat(ExtentPack.decoded(pack.start(), pack.first(), pack.encoded()))
                .isEqualTo(pack);
    }

    /** A row of what far ends have published, or the record that carries one. */
    @FuzzTest(maxDuration = "1m")
    void deliveries(byte[] data) {
        List<ReplicaRecord> found;
        try {
            found = Deliveries.read(data);
        } catch (StorageException e) {
            assertThat(e).hasMessageNotContaining("Exception");
            return;
        }
        Deliveries.Body body = new Deliveries.Body();
        found.forEach(body::add);
        byte[] written = body.toBytes(7);
        assertThat(written.length).isLessThanOrEqualTo(Math.max(data.length, 16));
        try {
            assertThat(Deliveries.read(written)).isEqualTo(found);
        } catch (StorageException e) {
            throw new AssertionError("what was read is not read again", e);
        }
    }
}
