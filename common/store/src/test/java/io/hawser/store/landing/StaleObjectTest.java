package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.testkit.Interposed;
import io.hawser.store.testkit.PlainTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often an object that waits is read back, by a clock of the test. */
@Invariant(InvariantName.WHOLE_OR_NOTHING)
final class StaleObjectTest {
    private static final int SIZE = 3 * FRAGMENT_BYTES + 100;
    private static final byte[] CONTENT = bytes(1, SIZE);

    @TempDir
    Path root;

    private final AtomicLong clockMillis = new AtomicLong();
    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();
    private final List<VerifiedObject> offered = new CopyOnWriteArrayList<>();
    private final List<Consumer<DeliveryOutcome>> results = new CopyOnWriteArrayList<>();
    private final Storage storage = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
        if (method.equals("open")
                && arguments[1] == OpenMode.READ
                && arguments[0].toString().endsWith(".part")) {
            readings.incrementAndGet();
        }
        return real.call();
    });
    private volatile boolean isAway;

    /** Takes the first object and does not answer, or is away. */
    private final DeliveryTarget target = new PlainTarget() {
        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> told) {
            for (VerifiedObject object : objects) {
                attempts.incrementAndGet();
                if (isAway) {
                    told.accept(new DeliveryOutcome.Later(object, "away"));
                } else {
                    offered.add(object);
                    results.add(told);
                }
            }
        }
    };

    private LandingRig run() throws Exception {
        RetryPolicy often = RetryPolicy.forever(Duration.ofMillis(10), Duration.ofMillis(20));
        return new LandingRig(
                storage,
                LandingOptions.below(root, "sub").withRetry(often),
                target,
                () -> clockMillis.get() * 1_000_000,
                CrashPoints.NONE);
    }

    private Path part(long number) {
        return root.resolve(".hawser-landing-sub/files/" + LandingRig.key(number) + ".part");
    }

    private void answer(int index) {
        results.get(index).accept(new DeliveryOutcome.Delivered(offered.get(index)));
    }

    @Test
    void damageWhileItsPredecessorIsDeliveredIsNotPublished() throws Exception {
        try (LandingRig rig = run()) {
            ok(rig.send(file(1, "a", SIZE), CONTENT));
            ok(rig.send(file(2, "a", SIZE), CONTENT));
            await().until(() -> offered.size() == 1);
            Damage.flip(part(2), 5);
            clockMillis.set(60_000);
            answer(0);

            rig.awaitReceipts(2);
            assertThat(rig.receipts)
                    .extracting(Receipt::status)
                    .containsExactly(ReceiptStatus.DELIVERED, ReceiptStatus.FAILED);
            assertThat(offered).hasSize(1);
        }
    }

    @Test
    void successorThatFollowsAtOnceIsNotReadAgain() throws Exception {
        try (LandingRig rig = run()) {
            ok(rig.send(file(1, "a", SIZE), CONTENT));
            ok(rig.send(file(2, "a", SIZE), CONTENT));
            await().until(() -> offered.size() == 1);
            answer(0);
            await().until(() -> offered.size() == 2);
            answer(1);

            rig.awaitReceipts(2);
            assertThat(readings).hasValue(0);
        }
    }

    /** A target that is away for a day would have each object read thousands of times. */
    @Test
    void whatIsTriedAgainAndAgainIsReadAgainAfterAWhile() throws Exception {
        isAway = true;
        try (LandingRig rig = run()) {
            ok(rig.send(file(1, "a", SIZE), CONTENT));
            await().until(() -> attempts.get() > 5);
            assertThat(readings).hasValue(1);

            clockMillis.addAndGet(6_000);
            int before = attempts.get();
            await().until(() -> attempts.get() > before + 5);
            assertThat(readings).hasValue(2);
            assertThat(Files.exists(part(1))).isTrue();
        }
    }
}
