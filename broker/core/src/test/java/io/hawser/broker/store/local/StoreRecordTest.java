package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.store.StoreDriver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.testkit.LogRecords;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that a broker refuses in words; each of them was an exception without any. */
class StoreRecordTest {
    @TempDir
    Path directory;

    private H2Index index;
    private RecordApplier state;

    @BeforeEach
    void open() {
        index = H2Index.open(directory);
        state = new RecordApplier(
                new TransferIndexCache(index, "0".repeat(32), new BrokerTombstones(Long.MAX_VALUE, 1_000)));
    }

    @AfterEach
    void close() {
        index.close();
    }

    private static LogRecord record(int kind, byte[] body) {
        return LogRecords.of(kind, 1, 1, new LogPosition(1, 4096), 128, null, 0, new byte[32], body, 0, 0);
    }

    @Test
    void aRecordThatShouldNameATransferAndNamesNoneIsCorrupt() {
        byte[] body = RecordCodec.body().i64(7).toBytes();
        for (int kind : new int[] {
            RecordKind.FRAGMENT, RecordKind.CANCELLED, RecordKind.SETTLED, RecordKind.EXPIRED, RecordKind.FORGOTTEN
        }) {
            assertThatThrownBy(() -> state.apply(record(kind, body)))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("names none");
        }
    }

    @Test
    void aTransferThatIsOwedBeforeItsCommitIsCorrupt() {
        IndexedTransfer open = new IndexedTransfer(StoreDriver.manifest(1, 5), 1);
        open.owed.add("one");
        byte[] body = open.toBytes();

        assertThatThrownBy(() -> BodyReader.read(body, in -> IndexedTransfer.read(in, 1)))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("before its commit");
    }

    @Test
    void rangesThatCannotBeAreCorrupt() {
        byte[] body = RecordCodec.body().count(1).i64(-4).i64(2).toBytes();

        assertThatThrownBy(() -> BodyReader.read(body, BodyReader::ranges)).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void kindsAndVersionsThatAreNotKnownAreRefusedAsSuch() {
        assertThatThrownBy(() -> state.apply(record(RecordKind.LAST + 1, new byte[] {BodyReader.VERSION})))
                .isInstanceOf(FormatTooNewException.class);
        assertThatThrownBy(() -> state.apply(record(RecordKind.SUBSCRIBED, new byte[] {BodyReader.VERSION + 1})))
                .isInstanceOf(FormatTooNewException.class);
        assertThatThrownBy(() -> state.apply(record(RecordKind.SUBSCRIBED, new byte[] {BodyReader.VERSION - 1})))
                .isInstanceOf(CorruptRecordException.class);
    }
}
