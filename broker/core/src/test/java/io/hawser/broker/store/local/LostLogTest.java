package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.content;
import static io.hawser.broker.store.StoreDriver.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Damage;
import io.hawser.ops.testkit.Fsck;
import io.hawser.store.check.AgentBCheck;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker whose log is gone does not begin an empty one beside the index of the lost one; nor does one whose disk has lost the log's end
 * after it had announced it as durable, so that the index knows more than the log has.
 */
class LostLogTest {
    private static final int BLOCK = 4096;

    @TempDir
    Path scratch;

    private Path data;
    private long lostRecords;

    @BeforeEach
    void twoTransfersWereCommitted() throws StorageException {
        data = scratch.resolve("broker");
        life(driver -> {
            driver.subscribe("one", StartAt.NOW, true);
            driver.put(1, 3L * FRAGMENT_BYTES, "one");
            driver.put(2, 3L * FRAGMENT_BYTES, "one");
        });
        assertThat(lostRecords).isZero();
    }

    private void life(Consumer<StoreDriver> work) throws StorageException {
        lostRecords = BrokerRun.of(data, 4 << 20, work);
    }

    private Path list() {
        return data.resolve("log/segments");
    }

    private Path segment() {
        return data.resolve("log/00000000000000000001.log");
    }

    @Test
    void aLostEndIsRefusedAndOnceAcceptedTheStartSaysWhatIsLost() throws Exception {
        Damage.truncate(segment(), Files.size(segment()) * 3 / (4L * BLOCK) * BLOCK); // in the middle of the second

        Fsck.of(data).assertDamage("log.lost-end", segment().toString());
        assertThatThrownBy(() -> life(driver -> {}))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("delete " + list());
        Files.delete(list()); // the loss is accepted
        Fsck.of(data).assertDamage("index.ahead", "index.mv.db");
        life(driver -> {
            assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.COMMITTED);
            assertThat(driver.read(key(1), 2)).isEqualTo(content(1, 2, FRAGMENT_BYTES));
            assertThat(driver.lookup(key(2)).state()).isNotEqualTo(StoredTransfer.State.COMMITTED);
            assertThat(driver.owed("one")).containsExactly(key(1));
            driver.put(3, FRAGMENT_BYTES, "one");
        });
        assertThat(lostRecords).isGreaterThan(1);
        life(driver -> assertThat(driver.owed("one")).containsExactly(key(1), key(3)));
        assertThat(lostRecords).isZero();
    }

    /** The start seals the log, with records of its own: their numbers must not hide how few were lost. */
    @Test
    void aLossOfTheLastRecordAloneIsSeenToo() throws Exception {
        long sizeBytes = Files.size(segment());
        byte[] log = Files.readAllBytes(segment());
        byte[] index = Files.readAllBytes(data.resolve("index/index.mv.db"));
        int lost = 0;
        for (int blocks = 1; blocks <= 4; blocks++) {
            try (var all = Files.list(data.resolve("log"))) {
                for (Path path : all.filter(path -> !path.endsWith("log.id")).toList()) {
                    Files.delete(path);
                }
            }
            Files.write(segment(), log);
            Files.write(data.resolve("index/index.mv.db"), index);
            Damage.truncate(segment(), sizeBytes - (long) blocks * BLOCK);
            boolean[] committed = new boolean[1];
            life(driver -> committed[0] = driver.lookup(key(2)).state() == StoredTransfer.State.COMMITTED);
            assertThat(lostRecords > 0).as("%d blocks", blocks).isEqualTo(!committed[0]);
            lost += committed[0] ? 0 : 1;
        }
        assertThat(lost).isPositive();
    }

    private void assertRefused() {
        assertThatThrownBy(() -> life(driver -> {}))
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
        life(driver -> assertThat(driver.lookup(key(1)).state()).isEqualTo(StoredTransfer.State.COMMITTED));
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
