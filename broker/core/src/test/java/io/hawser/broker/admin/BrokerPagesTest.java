package io.hawser.broker.admin;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.DropResult;
import io.hawser.broker.relay.OperatorDrop;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.relay.RelayLimits;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.SentOn;
import io.hawser.broker.session.BrokerSessions;
import io.hawser.broker.session.NodeBindings;
import io.hawser.broker.session.PeerAuthorizer;
import io.hawser.broker.session.Principals;
import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.transport.GreetingFactory;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerPagesTest {
    /** More than a page shows at most. */
    private static final int BACKLOG = 10_301;

    @TempDir
    Path directory;

    private final NodeThreads net = new NodeThreads();
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);

    @SuppressWarnings("NullAway.Init")
    private LocalStore store;

    @SuppressWarnings("NullAway.Init")
    private StoreDriver driver;

    @SuppressWarnings("NullAway.Init")
    private Relay relay;

    @SuppressWarnings("NullAway.Init")
    private BrokerPages pages;

    @BeforeEach
    void open() throws StorageException {
        LocalStoreConfig config = LocalStoreConfig.defaults().withSegments(16 << 20, 0);
        store = LocalStore.open(new DiskStorage(), directory, 1, config, pool, net.loop(), failure -> {});
        driver = new StoreDriver(store, pool);
        driver.subscribe("one", StartAt.EARLIEST, true);
        relay = new Relay(store, pool, RelayLimits.DEFAULT, net.loop(), System::currentTimeMillis, System::nanoTime);
        StoreDriver.<Integer>await(done -> net.loop().execute(() -> relay.start(done)));
        CallRelay calls = new CallRelay(pool, net.loop(), topic -> true);
        Greeting greeting = GreetingFactory.greeting(Greeting.Role.BROKER, StoreDriver.CONSUMER, 1, 0);
        Principals principals = new Principals(8, System::nanoTime);
        pages = new BrokerPages(
                net,
                store,
                relay,
                calls,
                new BrokerSessions(
                        relay,
                        calls,
                        pool,
                        greeting,
                        new PeerAuthorizer(null, null, NodeBindings.NONE, Audit.NONE),
                        principals),
                pool,
                new BrokerStalls(store, relay, Duration.ofHours(1)),
                () -> true,
                Map::of,
                List::of,
                new NodeMetrics());
    }

    @AfterEach
    void close() {
        store.close();
        net.close();
    }

    private JsonNode transfers(String text) throws IOException {
        AdminPage page = pages.pages().get("/transfers");
        return Json.tree(page.get(Map.of("key", text)).body().getBytes(StandardCharsets.UTF_8));
    }

    private TransferKey accept(int number, String name) {
        Manifest like = StoreDriver.manifest(number, 0);
        store.append(
                new RelayRecord.Opened(new Manifest(
                        like.key(),
                        number,
                        like.topic(),
                        like.kind(),
                        name,
                        List.of(name),
                        0,
                        FRAGMENT_BYTES,
                        Map.of())),
                outcome -> {});
        store.append(new RelayRecord.Committed(like.key(), StoreDriver.commit(0), List.of("one")), outcome -> {});
        return like.key();
    }

    private TransferKey acceptBacklogAfter(String name) throws IOException {
        TransferKey first = net.onLoop(() -> {
            TransferKey key = accept(1, name);
            for (int number = 2; number <= BACKLOG; number++) {
                accept(number, "later " + number);
            }
            return key;
        });
        driver.lookup(StoreDriver.key(BACKLOG)); // the index has got that far
        return first;
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void theOldestOfAGreatBacklogIsFoundByNameAndByKey() throws IOException {
        TransferKey first = acceptBacklogAfter("aaa-first");

        for (String text : List.of("aaa-first", first.toString())) {
            JsonNode found = transfers(text);
            assertThat(found.path("transfers").findValuesAsText("key")).containsExactly(first.toString());
            assertThat(found.path("truncated").asBoolean()).isFalse();
        }
        assertThat(transfers("nothing").path("transfers")).isEmpty();
        assertThat(transfers("later").path("transfers")).hasSize(100);
        assertThat(transfers("later").path("truncated").asBoolean()).isTrue();
    }

    private Outcome<DropResult> drop(TransferKey key) throws IOException {
        OperatorDrop drop = new OperatorDrop(relay, store, System::currentTimeMillis);
        DropStep step = new DropStep(drop, net.loop(), Duration.ZERO);
        return new LoopQueries(net).outcome(done -> step.run(key, done));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void dropIsDoneOnlyWhenNobodyIsOwedItAnyMore() throws Exception {
        TransferKey key = driver.put(1, 2 * FRAGMENT_BYTES, "one");
        SilentConsumer consumer = new SilentConsumer();
        net.onLoop(() ->
                relay.subscriptions().subscribe(StoreDriver.spec("one", StartAt.EARLIEST), consumer, outcome -> {}));
        consumer.offered.await();

        Outcome<DropResult> asked = drop(key);
        assertThat(Objects.requireNonNull(asked.refusal()).detail())
                .startsWith("asked one, which may have it, to drop it; no answer yet");
        assertThat(driver.owed("one")).containsExactly(key);

        net.onLoop(() -> {
            relay.subscriptions().unlink("one", consumer);
            return true;
        });
        assertThat(drop(key).get().dropped()).containsExactly("one");
        assertThat(driver.owed("one")).isEmpty();
    }

    /** A consumer that is connected and never answers. */
    private static final class SilentConsumer extends SentOn {
        final CountDownLatch offered = new CountDownLatch(1);

        @Override
        public void send(HopMessage message) {
            if (message instanceof HopMessage.Open) {
                offered.countDown();
            }
        }
    }
}
