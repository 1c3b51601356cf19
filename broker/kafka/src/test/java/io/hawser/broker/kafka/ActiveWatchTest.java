package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker is a port that takes connections and says nothing; its end closes them. */
class ActiveWatchTest {
    private final FakeGroup group = new FakeGroup();
    private final ActiveWatch watch = new ActiveWatch(group);
    private ServerSocket port;
    private ActiveBroker broker;

    @BeforeEach
    void open() throws IOException {
        port = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        broker = new ActiveBroker("run-1", new HostPort("127.0.0.1", port.getLocalPort()));
        group.active = Optional.of(broker);
    }

    @AfterEach
    void close() throws IOException {
        watch.close();
        watch.awaitEnd();
        port.close();
    }

    @Test
    void aBrokerWhoseProcessEndsIsRemoved() throws IOException {
        watch.start();
        Socket held = port.accept();
        port.close();
        held.close();
        await().until(() -> group.removed.equals(List.of(broker)));
    }

    @Test
    void aRemovalThatFailsIsTriedAgain() throws IOException {
        group.failures.set(2);
        watch.start();
        Socket held = port.accept();
        port.close();
        held.close();
        await().until(() -> group.removed.equals(List.of(broker)));
        assertThat(group.failures).hasNegativeValue();
    }

    @Test
    void aBrokerThatNeverListenedIsLeftAlone() throws IOException {
        port.close();
        watch.start();
        await().until(() -> group.looks.get() >= 4);
        assertThat(group.removed).isEmpty();
    }

    @Test
    void aBrokerThatOnlyEndsTheConnectionIsLeftAlone() throws IOException {
        watch.start();
        for (int i = 0; i < 5; i++) {
            port.accept().close();
        }
        try (Socket held = port.accept()) {
            assertThat(held.isConnected()).isTrue();
            assertThat(group.removed).isEmpty();
        }
    }

    @Test
    void aPortThatIsOpenAgainAtOnceIsNoEnd() throws IOException {
        watch.start();
        Socket held = port.accept();
        InetSocketAddress address = (InetSocketAddress) port.getLocalSocketAddress();
        port.close();
        held.close();
        try (ServerSocket again = new ServerSocket()) {
            again.setReuseAddress(true);
            again.bind(address);
            try (Socket next = again.accept()) {
                assertThat(next.isConnected()).isTrue();
                assertThat(group.removed).isEmpty();
            }
        }
    }

    private static org.awaitility.core.ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(20));
    }

    private static final class FakeGroup implements ActiveWatch.Group {
        private final List<ActiveBroker> removed = new CopyOnWriteArrayList<>();
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private volatile Optional<ActiveBroker> active = Optional.empty();

        @Override
        public Optional<ActiveBroker> active() {
            looks.incrementAndGet();
            return active;
        }

        @Override
        public void remove(ActiveBroker broker) throws ExecutionException {
            if (failures.getAndDecrement() > 0) {
                throw new ExecutionException(new IOException("no coordinator"));
            }
            removed.add(broker);
            active = Optional.empty();
        }
    }
}
