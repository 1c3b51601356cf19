package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index that is filled from a whole log: in portions, of no use before the last of them. */
class IndexFillTest {
    private static final String LOG_ID = "0".repeat(32);
    /** More runs than are kept in memory in front of an index with the largest heap. */
    private static final int FRAGMENTS = 70_000;

    private static final long RECORD_BYTES = 4_240;

    @TempDir
    Path directory;

    private long sequence;

    private LogRecord opened() {
        RecordCodec.Encoded encoded =
                RecordCodec.encode(new RelayRecord.Opened(manifest(1, (long) FRAGMENTS * FRAGMENT_BYTES)), true, 1);
        return record(encoded.kind(), 0, encoded.body(), 0);
    }

    /** Two by two in the wrong order, so that each is a run of its own. */
    private LogRecord fragment(long place) {
        return record(RecordKind.FRAGMENT, place ^ 1, RecordCodec.fragment(1), FRAGMENT_BYTES);
    }

    private LogRecord record(int kind, long index, byte[] body, int payloadBytes) {
        sequence++;
        return LogRecords.of(
                kind,
                sequence,
                1,
                new LogPosition(1, sequence * RECORD_BYTES),
                RECORD_BYTES,
                key(1),
                index,
                new byte[32],
                body,
                payloadBytes,
                0);
    }

    private IndexBuilder foldInto(H2Index index) throws StorageException {
        IndexBuilder fold =
                new IndexBuilder(index, LOG_ID, LocalStoreConfig.defaults().forgetting());
        sequence = 0;
        fold.apply(opened());
        for (long place = 0; place < FRAGMENTS; place++) {
            fold.apply(fragment(place));
        }
        return fold;
    }

    private List<String> query(String text) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection =
                        new org.h2.Driver().connect("jdbc:h2:file:" + directory.resolve("index"), new Properties());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    @Test
    void afterADeathInTheMiddlePortionsAreThereAndTheIndexCountsAsLost() throws Exception {
        H2Index index = H2Index.open(directory);
        foldInto(index);
        index.abandon();

        assertThat(query("SELECT first FROM fragment_run")).isNotEmpty(); // or this would show nothing
        H2Index again = H2Index.open(directory);
        assertThat(again.sentinel(LOG_ID)).isNull();
        assertThat(again.sentinelLogId()).isEmpty();
        again.abandon();
    }

    @Test
    void theWholeFoldIsThereWithWhatItsQuestionsNeed() throws Exception {
        H2Index index = H2Index.open(directory);
        foldInto(index).finish();
        index.checkpoint();
        index.abandon();

        H2Index again = H2Index.open(directory);
        AppliedPosition applied = again.sentinel(LOG_ID);
        assertThat(applied).isNotNull();
        assertThat(applied.sequence()).isEqualTo(FRAGMENTS + 1);
        for (long fragment = 0; fragment < FRAGMENTS; fragment += 997) {
            assertThat(again.runs().locate(key(1), fragment))
                    .isEqualTo(new LogPosition(1, ((fragment ^ 1) + 2) * RECORD_BYTES));
        }
        assertThat(again.runs().locate(key(1), FRAGMENTS)).isNull();
        again.close();
        assertThat(query("SELECT first FROM fragment_run")).hasSizeLessThan(FRAGMENTS / 100);
        assertThat(query("SELECT LOWER(index_name) FROM information_schema.indexes"))
                .contains(
                        "fragment_run_segment",
                        "transfer_open",
                        "transfer_topic",
                        "transfer_segment",
                        "transfer_opened");
    }
}
