package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import io.hawser.store.storage.DiskStorage;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryIndexTest {
    private static final int ROWS = 2000;

    @TempDir
    Path directory;

    private final DiskStorage storage = new DiskStorage();

    private static HistoryEntry entry(int number) {
        TransferEvent event = EventRig.event(EventType.DELIVERED, number, "b", true, number + 1);
        HistoryEntry entry = new HistoryEntry(event.key());
        entry.apply(new Event(
                number + 1,
                event.type(),
                event.epochMillis(),
                event.key(),
                "",
                event.subscription(),
                true,
                event.cause(),
                EventFacts.of(
                        event.manifest(),
                        event.commit(),
                        event.reason(),
                        EventFacts.Details.NONE,
                        event.key().id().epochMillis())));
        return entry;
    }

    @Test
    void aCompactedIndexHasAllRowsInASmallerFile() throws Exception {
        HistoryIndex index = HistoryIndex.open(storage, directory);
        for (int i = 0; i < ROWS; i++) {
            index.put(entry(i), false);
            index.commit(EventRig.SOURCE, i + 2);
        }
        long before = index.fileBytes();

        index.compact();

        HistoryIndex compact = HistoryIndex.open(storage, directory);
        assertThat(compact.fileBytes()).isLessThan(before / 2);
        assertThat(compact.rows()).isEqualTo(ROWS);
        assertThat(compact.next(EventRig.SOURCE)).isEqualTo(ROWS + 1);
        assertThat(compact.find(HistoryQuery.of(Map.of("name", "dir/file-7")), topic -> true))
                .hasSize(1);
        assertThat(compact.isBloated(0)).isFalse();
        compact.close();
    }
}
