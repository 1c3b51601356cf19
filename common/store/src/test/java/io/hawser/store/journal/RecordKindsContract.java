package io.hawser.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.LogRecords;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What every role's table of kinds has to do. */
public final class RecordKindsContract {
    private static final int UNKNOWN_KIND = 127;

    private RecordKindsContract() {}

    /** A record as the log gives it back. */
    public static LogRecord logged(int kind, @Nullable TransferKey key, byte[] body) {
        return LogRecords.of(kind, 1, 1, new LogPosition(1, 0), 128, key, 0, new byte[32], body, 0, 0);
    }

    /** {@code record}, written and read. */
    public static <R extends JournalRecord> R again(RecordKinds<R> kinds, R record) throws StorageException {
        return kinds.decode(logged(kinds.number(record), record.key(), kinds.encode(record)));
    }

    /** Each record comes back; what is cut or changed is refused, or read as another; a later kind is refused as such. */
    public static <R extends JournalRecord> void check(RecordKinds<R> kinds, List<R> records) throws StorageException {
        Random random = new Random(7);
        for (R record : records) {
            assertThat(again(kinds, record)).isEqualTo(record);
            byte[] sound = kinds.encode(record);
            for (int round = 0; round < 300; round++) {
                byte[] body = sound.clone();
                if (body.length > 0) {
                    body[random.nextInt(body.length)] = (byte) random.nextInt();
                }
                byte[] cut = Arrays.copyOf(body, random.nextInt(body.length + 1));
                try {
                    R read = kinds.decode(logged(kinds.number(record), record.key(), cut));
                    assertThat(read.key()).isEqualTo(record.key());
                } catch (StorageException e) {
                    assertThat(e).hasMessageMatching(".*(journal|transfer).*");
                }
            }
            if (record.key() != null) {
                assertThatThrownBy(() -> kinds.decode(logged(kinds.number(record), null, sound)))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("key");
            }
        }
        assertThatThrownBy(
                        () -> kinds.decode(logged(UNKNOWN_KIND, records.get(0).key(), new byte[0])))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("later version of Hawser");
    }
}
