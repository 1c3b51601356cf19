package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The broker has no file descriptor left when it wants to read: that says nothing of its disk. */
class FewDescriptorsTest extends LocalStoreOnDisk {
    private final AtomicBoolean lacking = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();

    @Override
    protected Storage storage() {
        return Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            boolean isRead = method.equals("open") && arguments[1] == OpenMode.READ;
            if (isRead && lacking.get() && arguments[0].toString().endsWith(".log")) {
                refused.incrementAndGet();
                throw new CannotOpenNowException("too many open files", new IOException());
            }
            return real.call();
        });
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aFragmentThatCannotBeReadNowIsNotDamaged() throws Exception {
        driver.put(1, FRAGMENT_BYTES, "one");
        lacking.set(true);

        assertThat(driver.whyUnreadable(key(1), 0)).isEqualTo(ErrorCode.STOPPING);

        assertThat(store.sizes().damagedPlaces()).isZero();
        lacking.set(false);
        assertThat(driver.read(key(1), 0)).hasSize(FRAGMENT_BYTES);
    }

    /** A segment whose fragments cannot be moved now holds all that follow it. */
    @Test
    void aFragmentThatCannotBeReadNowIsMovedLater() {
        driver.subscribe("one", StartAt.NOW, true);
        driver.subscribe("slow", StartAt.NOW, false);
        lacking.set(true);
        driver.put(1, FRAGMENT_BYTES, "slow");
        for (int number = 2; number < 70; number++) {
            driver.put(number, FRAGMENT_BYTES, "one");
            driver.finish(key(number), "one");
        }
        await().until(() -> refused.get() >= 2);
        assertThat(store.sizes().segments()).isGreaterThan(5);

        lacking.set(false);
        await().untilAsserted(() -> assertThat(store.sizes().segments()).isLessThan(4));
        assertThat(store.sizes().damagedPlaces()).isZero();
        assertThat(driver.read(key(1), 0)).hasSize(FRAGMENT_BYTES);
    }
}
