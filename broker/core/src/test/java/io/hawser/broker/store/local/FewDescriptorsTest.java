package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The broker has no file descriptor left when it wants to read: that says nothing of its disk. */
class FewDescriptorsTest extends LocalStoreOnDisk {
    private final AtomicBoolean lacking = new AtomicBoolean();

    @Override
    LocalStoreConfig config() {
        return LocalStoreConfig.defaults().withSegments(1 << 20, 0);
    }

    @Override
    Storage storage() {
        return Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            boolean isRead = method.equals("open") && arguments[1] == OpenMode.READ;
            if (isRead && lacking.get() && arguments[0].toString().endsWith(".log")) {
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

        assertThatThrownBy(() -> driver.read(key(1), 0))
                .isInstanceOfSatisfying(
                        StoreDriver.RefusedException.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.STOPPING));

        assertThat(store.sizes().damagedPlaces()).isZero();
        lacking.set(false);
        assertThat(driver.read(key(1), 0)).hasSize(FRAGMENT_BYTES);
    }
}
