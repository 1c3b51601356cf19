package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.StartAt;
import io.hawser.ops.testkit.Fsck;
import io.hawser.store.check.AgentBCheck;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose log is gone does not begin an empty one beside the index of the lost one. */
class LostLogTest {
    @TempDir
    Path scratch;

    private Path data;

    @BeforeEach
    void aTransferWasCommitted() throws StorageException {
        data = scratch.resolve("broker");
        run(driver -> {
            driver.subscribe("one", StartAt.NOW, true);
            driver.put(1, FRAGMENT_BYTES, "one");
        });
    }

    private void run(Consumer<StoreDriver> work) throws StorageException {
        BrokerRun.of(data, 4 << 20, work);
    }

    private void assertRefused() {
        assertThatThrownBy(() -> run(driver -> {}))
                .isInstanceOf(DirectoryGoneException.class)
                .hasMessageContaining(data.resolve("log") + " has no log")
                .hasMessageContaining("move all of " + data);
    }

    @Test
    void aLogThatIsGoneIsRefusedUntilItIsBack() throws Exception {
        Path away = Files.move(data.resolve("log"), scratch.resolve("away"));

        assertRefused();
        Fsck.of(data).assertDamage("log.gone", data.resolve("log").toString());
        Fsck.of(data, "--repair-index").assertDamage("index.not-repaired", data.toString());
        assertThat(data.resolve("index/index.mv.db.bad")).doesNotExist();

        Files.move(away, data.resolve("log"));
        run(driver -> assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.COMMITTED));
    }

    @Test
    void theIndexAloneShowsThatThereWasALog() throws Exception {
        Files.delete(data.resolve("known-log")); // an earlier version wrote no such file
        Files.move(data.resolve("log"), scratch.resolve("away"));

        assertRefused();
        assertThat(new AgentBCheck().recognises(new DiskStorage(), data)).isFalse();
        Fsck.of(data).assertNote("broker.no-log", data.toString());
    }
}
