package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows are found, however their ids compare with those that the table has seen. */
class TransferTableTest {
    @TempDir
    Path directory;

    private H2Index index;

    @BeforeEach
    void open() {
        index = H2Index.open(directory);
    }

    @AfterEach
    void close() {
        index.close();
    }

    private void save(int transfer) {
        index.transfers().save(new IndexedTransfer(manifest(transfer, 100), 1));
    }

    private boolean isThere(int transfer) {
        return index.transfers().load(key(transfer)) != null;
    }

    @Test
    void newerTransferIsFoundOnceItIsWritten() {
        save(2);
        assertThat(isThere(2)).isTrue();
        assertThat(isThere(3)).isFalse();

        save(3);
        save(1);

        assertThat(isThere(3)).isTrue();
        assertThat(isThere(1)).isTrue();
    }

    @Test
    void rowsOfAnEarlierRunAreFound() {
        save(5);
        index.commit();
        index.close();
        open();

        assertThat(isThere(4)).isFalse();
        assertThat(isThere(5)).isTrue();
        assertThat(isThere(6)).isFalse();
    }
}
