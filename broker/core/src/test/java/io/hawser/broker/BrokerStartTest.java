package io.hawser.broker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.relay.RelayLimits;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.config.HostPort;
import io.hawser.ops.observe.SupervisionSettings;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.storage.StorageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokerStartTest {
    @TempDir
    Path data;

    /** A store that answers nobody any more. */
    private static StoreOpener dyingAtTheFirstQuestion() {
        StoreOpener local = StoreOpener.local(LocalStoreConfig.defaults().withSegments(1 << 20, 0));
        return (storage, directory, path, reads, loop, fatal, opening, events) -> {
            BrokerStore store = local.open(storage, directory, path, reads, loop, fatal, opening, events);
            return (BrokerStore) Proxy.newProxyInstance(
                    BrokerStore.class.getClassLoader(),
                    new Class<?>[] {BrokerStore.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("subscriptions")) {
                            fatal.accept(new StorageException("the index failed: planted"));
                            return null;
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        };
    }

    @Test
    void aStoreThatDiesDuringTheStartEndsIt() {
        BrokerConfig config = new BrokerConfig(
                new HostPort("127.0.0.1", 0),
                data,
                dyingAtTheFirstQuestion(),
                RelayLimits.DEFAULT,
                PtcpOptions.DEFAULT,
                1 << 20,
                2,
                0,
                2,
                Optional.empty(),
                null,
                null,
                SupervisionSettings.NONE);

        assertThatThrownBy(() -> Broker.start(config))
                .isInstanceOf(StorageException.class)
                .hasMessage("the index failed: planted");
    }
}
