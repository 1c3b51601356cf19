package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.kafka.KafkaStore;
import io.hawser.broker.kafka.KafkaStoreConfig;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.BrokerStoreContract;
import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real Kafka of one node. Each test has topics of its own. */
@Tag("kafka")
class KafkaStoreIT extends BrokerStoreContract {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir
    static Path clusterDirectory;

    @SuppressWarnings("NullAway.Init")
    private static KafkaCluster cluster;

    @TempDir
    Path directory;

    private final String name = "contract-" + NUMBER.incrementAndGet();
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = KafkaCluster.start(clusterDirectory, 1);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @Override
    protected BrokerStore openStore() throws StorageException {
        KafkaStoreConfig config =
                KafkaStoreConfig.of(cluster.bootstrap()).withName(name).withDevelopment(true);
        return KafkaStore.open(
                new DiskStorage(),
                directory,
                config,
                pool,
                loop,
                fatal::add,
                StoreOpeningListener.UNSEEN,
                TransferEvents.NONE);
    }

    @AfterEach
    void nothingFailed() {
        assertThat(fatal).isEmpty();
    }
}
