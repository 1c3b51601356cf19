package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.why.WaitStage;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.Interposed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a transfer waits, while one stage at a time stands still. */
final class LandingStageTest {
    private static final CountDownLatch OPEN = new CountDownLatch(0);

    @TempDir
    Path root;

    private final byte[] content = bytes(1, 4 * FRAGMENT_BYTES);
    /** Each force waits for it. */
    private final AtomicReference<CountDownLatch> force = new AtomicReference<>(OPEN);

    private LandingRig rig;

    @BeforeEach
    void open() throws Exception {
        Storage disk = Interposed.before(
                new DiskStorage(),
                (method, arguments, real) -> method.equals("open") ? gated((StorageFile) real.call()) : real.call());
        rig = LandingRig.into(disk, root);
        ok(rig.open(file(1, "file", content.length)));
        ok(rig.offer(key(1), content, 0));
    }

    @AfterEach
    void close() {
        rig.closeInOrder();
    }

    private StorageFile gated(StorageFile file) {
        return (StorageFile) Proxy.newProxyInstance(
                StorageFile.class.getClassLoader(), new Class<?>[] {StorageFile.class}, (self, method, arguments) -> {
                    if (method.getName().equals("force")) {
                        force.get().await();
                    }
                    try {
                        return method.invoke(file, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void awaitStage(WaitStage expected) {
        await().until(() ->
                rig.onLoop(() -> rig.area.stage(key(1), WaitStage.TARGET)).orElseThrow() == expected);
    }

    @Test
    void withoutWorkItWaitsForMore() {
        awaitStage(WaitStage.NO_INPUT);
        assertThat(rig.onLoop(() -> rig.area.stage(key(2), WaitStage.TARGET))).isEmpty();
    }

    @Test
    void aDiskThatForcesSlowlyIsNamed() {
        CountDownLatch gate = new CountDownLatch(1);
        force.set(gate);
        CompletableFuture<Outcome<Fragment>> stored = rig.offer(key(1), content, 1);

        awaitStage(WaitStage.FAR_DISK);

        gate.countDown();
        ok(stored);
        awaitStage(WaitStage.NO_INPUT);
    }

    @Test
    void threadsThatHashSlowlyAreNamedAlsoWhileMoreIsWritten() {
        CountDownLatch hashing = new CountDownLatch(1);
        for (int i = 0; i < rig.digestThreads.count(); i++) {
            rig.digestThreads.execute(() -> awaitOpen(hashing));
        }
        CompletableFuture<Outcome<Fragment>> second = rig.offer(key(1), content, 1);
        awaitStage(WaitStage.VERIFICATION);
        CountDownLatch gate = new CountDownLatch(1);
        force.set(gate);
        CompletableFuture<Outcome<Fragment>> third = rig.offer(key(1), content, 2);
        awaitStage(WaitStage.FAR_DISK);
        gate.countDown();
        awaitStage(WaitStage.VERIFICATION);
        CompletableFuture<Outcome<Fragment>> fourth = rig.offer(key(1), content, 3);

        hashing.countDown();

        ok(second);
        ok(third);
        ok(fourth);
        awaitStage(WaitStage.NO_INPUT);
    }

    private static void awaitOpen(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
