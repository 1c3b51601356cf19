package io.hawser.it.kafka;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.kafka.KafkaStore;
import io.hawser.broker.kafka.KafkaStoreConfig;
import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.TransferKey;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the topics keep and let go of, how long fragments are cut, and what a broker does not begin on; on one node. */
@Tag("kafka")
class KafkaRetentionIT {
    private static final int PARTITIONS = 2;
    private static final long SEGMENT_RECORDS = 40;

    @TempDir
    static Path clusterDirectory;

    @SuppressWarnings("NullAway.Init")
    private static KafkaCluster cluster;

    @SuppressWarnings("NullAway.Init")
    private static Admin admin;

    @TempDir
    Path directory;

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor(task -> new Thread(task, "test-loop"));
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = KafkaCluster.start(clusterDirectory, 1);
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrap()));
    }

    @AfterAll
    static void endCluster() {
        admin.close();
        cluster.close();
    }

    @AfterEach
    void end() {
        loop.shutdown();
    }

    private static KafkaStoreConfig config(String name) {
        KafkaStoreConfig usual = KafkaStoreConfig.of(cluster.bootstrap());
        return new KafkaStoreConfig(
                usual.bootstrap(),
                usual.properties(),
                name,
                usual.partitions(),
                true,
                SEGMENT_RECORDS,
                usual.limits(),
                usual.member());
    }

    private KafkaStore open(KafkaStoreConfig config, String index) throws StorageException {
        return KafkaStore.open(
                new DiskStorage(),
                directory.resolve(index),
                config,
                pool,
                loop,
                fatal::add,
                StoreOpeningListener.UNSEEN,
                TransferEvents.NONE);
    }

    private static long earliest(String topic, int partition) throws Exception {
        TopicPartition wanted = new TopicPartition(topic, partition);
        return admin.listOffsets(Map.of(wanted, OffsetSpec.earliest()))
                .partitionResult(wanted)
                .get()
                .offset();
    }

    private static void makePayloadTopic(String name, int partitions, Map<String, String> changed) throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(
                "retention.ms", "-1", "retention.bytes", "-1", "cleanup.policy", "delete", "min.insync.replicas", "1"));
        settings.putAll(changed);
        NewTopic topic = new NewTopic(name + "-payload", partitions, (short) 1).configs(settings);
        admin.createTopics(List.of(topic)).all().get();
    }

    @Test
    void whatNobodyNeedsGoesAndWhatIsOwedStaysAlsoForABrokerWithoutAnIndex() throws Exception {
        makePayloadTopic("retention", PARTITIONS, Map.of());
        TransferKey owed;
        try (KafkaStore store = open(config("retention"), "one")) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.subscribe("quick", StartAt.NOW, true);
            driver.subscribe("absent", StartAt.NOW, false);
            owed = driver.put(1, 2L * FRAGMENT_BYTES + 5, "absent");
            for (int i = 2; i < 102; i++) {
                driver.finish(driver.put(i, FRAGMENT_BYTES + 1L, "quick"), "quick");
            }
            Awaitility.await("the journal is cut").until(() -> earliest("retention-journal", 0) > 6 * SEGMENT_RECORDS);
            Awaitility.await("a partition without owed payload is cut")
                    .until(() -> Math.max(earliest("retention-payload", 0), earliest("retention-payload", 1)) > 50);
            assertThat(driver.read(owed, 2)).isEqualTo(content(1, 2, 5));
        }
        for (String index : List.of("one", "another")) {
            try (KafkaStore store = open(config("retention"), index)) {
                StoreDriver driver = new StoreDriver(store, pool);
                assertThat(driver.owed("absent")).containsExactly(owed);
                assertThat(driver.owed("quick")).isEmpty();
                for (int i = 0; i < 3; i++) {
                    int length = i < 2 ? FRAGMENT_BYTES : 5;
                    assertThat(driver.read(owed, i)).isEqualTo(content(1, i, length));
                }
                assertThat(store.sizes().usedBytes()).isEqualTo(2L * FRAGMENT_BYTES + 5);
            }
        }
        try (KafkaStore store = open(config("retention"), "one")) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.finish(owed, "absent");
            driver.finish(driver.put(200, FRAGMENT_BYTES, "quick"), "quick");
            driver.finish(driver.put(201, FRAGMENT_BYTES, "quick"), "quick");
            assertThat(store.sizes().usedBytes()).isZero();
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void aFragmentThatIsLongerThanARecordOfKafkaIsCutAndJoined() throws Exception {
        makePayloadTopic("cut", 1, Map.of("max.message.bytes", Integer.toString(FRAGMENT_BYTES / 2)));
        try (KafkaStore store = open(config("cut"), "one")) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.subscribe("one", StartAt.NOW, true);
            TransferKey key = driver.put(1, 2L * FRAGMENT_BYTES, "one");
            for (int i = 0; i < 2; i++) {
                assertThat(driver.read(key, i)).isEqualTo(content(1, i, FRAGMENT_BYTES));
            }
            TopicPartition partition = new TopicPartition("cut-payload", 0);
            long end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
            assertThat(end).as("records of Kafka for two fragments").isEqualTo(6);
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void aSecondBrokerGetsTheStoreWhenTheFirstEnds() throws Exception {
        KafkaStore first = open(config("turns"), "one");
        CompletableFuture<KafkaStore> second = CompletableFuture.supplyAsync(() -> {
            try {
                return open(config("turns"), "two");
            } catch (StorageException e) {
                throw new IllegalStateException(e);
            }
        });
        StoreDriver driver = new StoreDriver(first, pool);
        driver.subscribe("one", StartAt.NOW, true);
        for (int i = 1; i < 20; i++) {
            driver.put(i, FRAGMENT_BYTES, "one");
        }
        assertThat(second).isNotDone();
        first.close();
        try (KafkaStore store = second.get()) {
            assertThat(new StoreDriver(store, pool).owed("one")).hasSize(19);
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void unsafeTopicsAreRefusedByName() throws Exception {
        assertThatThrownBy(() -> open(config("safe").withDevelopment(false), "one"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("safe-journal")
                .hasMessageContaining("--kafka-development");

        open(config("unsafe"), "one").close();
        assertThatThrownBy(() -> open(config("unsafe").withDevelopment(false), "one"))
                .hasMessageContaining("topic unsafe-journal has min.insync.replicas=1")
                .hasMessageContaining("copies");
        alter("unsafe-payload", "retention.ms", "1000");
        assertThatThrownBy(() -> open(config("unsafe"), "one"))
                .hasMessageContaining("topic unsafe-payload has retention.ms=1000")
                .hasMessageContaining("--add-config retention.ms=-1");
        alter("unsafe-payload", "retention.ms", "-1");
        open(config("unsafe"), "one").close();
    }

    private static void alter(String topic, String setting, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }
}
