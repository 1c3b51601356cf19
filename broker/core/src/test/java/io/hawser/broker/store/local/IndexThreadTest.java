package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import io.hawser.store.testkit.TestRuntime;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK or H2 throws where it never should, an Error included: nobody waits for the index thread after it. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexThreadTest {
    private static final LocalStoreConfig CONFIG = LocalStoreConfig.defaults().withSegments(1 << 20, 0);

    @TempDir
    Path data;

    private final StoreRuntime runtime = TestRuntime.threads();

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final CompletableFuture<StorageException> fatal = new CompletableFuture<>();

    @AfterEach
    void end() {
        loop.shutdown();
    }

    private static InternalError planted() {
        return new InternalError("Offset 7 is not in range");
    }

    @Test
    void anErrorWhileTheIndexIsOpenedFailsTheStart() {
        Path index = data.resolve("index");
        Storage broken = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            if (method.equals("createPrivateDirectory") && index.equals(arguments[0])) {
                throw planted();
            }
            return real.call();
        });

        assertThatThrownBy(() -> LocalStore.open(broken, data, 1, CONFIG, pool, loop, fatal::complete))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith("the index cannot be made: ")
                .hasMessageEndingWith(planted().toString());
        assertThat(fatal).isNotDone(); // who opens it knows already
    }

    @Test
    void anErrorInAQuestionIsToldToTheNodeToWhoAskedAndToWhoAsksLater() throws Exception {
        IndexThread thread = new IndexThread(runtime, fatal::complete);
        try (SegmentLog log = openLog(thread)) {
            start(thread, log);
            BlockingQueue<String> failed = new LinkedBlockingQueue<>();

            thread.ask(new Failing(failed));

            assertThat(fatal.get()).hasMessage("the index failed: " + planted());
            assertThat(failed.poll(20, TimeUnit.SECONDS)).isEqualTo("the index failed: " + planted());
            thread.close();
            assertThat(failed).isEmpty(); // each is told once
            thread.ask(new Failing(failed));
            assertThat(failed.poll()).isEqualTo("the index failed: " + planted());
            thread.durable(Collections.nCopies(30_000, null));
            thread.durable(List.of()); // the log's writer does not wait for room in its queue
        }
    }

    /** What is answered twice is given out twice: a fragment, of which nobody would return the second buffer. */
    @Test
    void aQuestionIsAnsweredOnceIfTheIndexFailsAfterIt() throws Exception {
        IndexThread thread = new IndexThread(runtime, fatal::complete);
        try (SegmentLog log = openLog(thread)) {
            start(thread, log);
            AtomicInteger answers = new AtomicInteger();

            thread.ask(index -> {
                if (answers.incrementAndGet() == 1) {
                    index.set().add(new IndexedTransfer(manifest(1, 0), 1)); // what is to be written
                    index.index().abandon();
                    long sinceNanos = System.nanoTime();
                    await().until(() -> System.nanoTime() - sinceNanos > IndexThread.LOOK_INTERVAL_NANOS);
                }
            });
            CompletableFuture<Boolean> next = new CompletableFuture<>();
            thread.ask(index -> next.complete(index.set().find(key(1)) == null));

            assertThat(next.get(60, TimeUnit.SECONDS)).as("made again").isTrue();
            assertThat(answers).hasValue(1);
            thread.close();
        }
        assertThat(fatal).isNotDone();
    }

    private void start(IndexThread thread, SegmentLog log) throws StorageException {
        FragmentLoader loader = new FragmentLoader(log, pool, runtime.disk());
        SegmentCleaner cleaner =
                new SegmentCleaner(log, loader, new RecordRelocator(log, thread, loop), CONFIG, runtime);
        thread.start(
                new IndexLifecycle(new IndexFiles(new DiskStorage(), data.resolve("index")), log, CONFIG, runtime),
                cleaner);
    }

    private SegmentLog openLog(IndexThread observer) throws StorageException {
        LogConfig config =
                LogConfig.of(data.resolve("log"), 1, "writer", runtime).withSegments(1 << 20, 0);
        return SegmentLog.open(new DiskStorage(), config, observer, fatal::complete);
    }

    private record Failing(BlockingQueue<String> told) implements IndexThread.Question {
        @Override
        public void ask(IndexLifecycle index) {
            throw planted();
        }

        @Override
        public void failed(String reason) {
            told.add(reason);
        }
    }

    /** Who asks what is owed waits for that verdict. */
    @Test
    void anErrorWhileTheRowsAreLookedAtIsAVerdict() throws Exception {
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:rows;DB_CLOSE_DELAY=-1");
                Statement statement = h2.createStatement()) {
            statement.execute("CREATE TABLE subscription(name VARCHAR, owed BIGINT)");
            AtomicInteger statements = new AtomicInteger();
            Connection broken = (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("createStatement") && statements.incrementAndGet() > 1) {
                            throw planted();
                        }
                        return method.invoke(h2, arguments);
                    });
            CompletableFuture<IndexFailedException> verdict = new CompletableFuture<>();

            IndexRowsCheck.ofNow(broken).run(runtime, verdict::complete);

            assertThat(verdict.get()).hasMessageEndingWith(planted().toString());
        }
    }
}
