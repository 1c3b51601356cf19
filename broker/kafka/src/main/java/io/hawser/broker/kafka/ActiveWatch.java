package io.hawser.broker.kafka;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the active broker's process has ended before Kafka's session timeout does. A standby broker keeps a connection to the
 * active broker's port, which the kernel ends with the process. If the port refuses connections from then on for {@value
 * #REFUSED_MILLIS} ms, the standby has Kafka remove that run of that broker from the group, and the group elects the next one.
 *
 * <p>A port that never took a connection proves nothing: a broker that opens the store does not listen yet, or a firewall is between. Nor
 * does silence. Then the session timeout decides. A removed broker that lives after all is fenced by the journal's transactions, as ever.
 *
 * <p>Thread: {@code hawser-kafka-watch}; {@link #close} any.
 */
final class ActiveWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveWatch.class);
    private static final int REFUSED_MILLIS = 1_000;
    private static final Duration REFUSED_PAUSE = Duration.ofMillis(50);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int CONNECT_MILLIS = 1_500;
    /** Longer than a broker lets a connection be that says nothing. */
    private static final int SILENCE_MILLIS = 15_000;

    interface Group {
        /** The other broker that has the store, if there is one and its name says where it listens. */
        Optional<ActiveBroker> active() throws ExecutionException, TimeoutException, InterruptedException;

        /** Removes a run of a broker from the group. */
        void remove(ActiveBroker broker) throws ExecutionException, TimeoutException, InterruptedException;
    }

    private enum Port {
        OPEN,
        REFUSES,
        SILENT
    }

    private final Group group;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "hawser-kafka-watch");
    private @Nullable Socket held;
    private @Nullable ActiveBroker watched;
    private @Nullable ActiveBroker ended;
    private String told = "";

    ActiveWatch(Group group) {
        this.group = group;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            do {
                look();
            } while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        try {
            ActiveBroker active = group.active().orElse(null);
            if (active == null) {
                return;
            }
            if (!active.equals(ended) && hasEnded(active)) {
                ended = active;
                LOG.atWarn()
                        .addKeyValue("broker", active.address())
                        .log("The active broker's process has ended; Kafka is asked to give the store to the next one");
            }
            if (active.equals(ended)) {
                group.remove(active);
            }
        } catch (ExecutionException | TimeoutException e) {
            tell(String.valueOf(
                    e.getCause() == null
                            ? "Kafka does not answer"
                            : e.getCause().getMessage()));
        }
    }

    /** Without an answer the session timeout decides, as it does without this watch: worth one line for each reason. */
    private void tell(String reason) {
        if (!reason.equals(told) && closed.getCount() > 0) {
            told = reason;
            LOG.atInfo()
                    .addKeyValue("reason", reason)
                    .log("The active broker cannot be watched; a failover waits for Kafka's session timeout");
        }
    }

    private void tellOfWatch(ActiveBroker broker) {
        if (!broker.equals(watched)) {
            watched = broker;
            LOG.atInfo().addKeyValue("broker", broker.address()).log("Watches the active broker");
        }
    }

    /** Whether its port took a connection and refuses all since; blocks while it takes them. */
    private boolean hasEnded(ActiveBroker broker) throws InterruptedException {
        Port port = holdConnection(broker);
        if (port != Port.OPEN) {
            return false;
        }
        long lastOpenNanos = System.nanoTime();
        while (!closed.await(REFUSED_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
            port = holdConnection(broker);
            if (port == Port.SILENT) {
                return false;
            } else if (port == Port.OPEN) {
                lastOpenNanos = System.nanoTime();
            } else if (System.nanoTime() - lastOpenNanos >= TimeUnit.MILLISECONDS.toNanos(REFUSED_MILLIS)) {
                return true;
            }
        }
        return false;
    }

    /** Connects, says nothing, and waits until the connection ends. */
    private Port holdConnection(ActiveBroker broker) {
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            if (!hold(socket)) {
                return Port.SILENT;
            }
            socket.connect(
                    new InetSocketAddress(
                            broker.address().host(), broker.address().port()),
                    CONNECT_MILLIS);
            tellOfWatch(broker);
            return untilItEnds(socket);
        } catch (ConnectException e) {
            return String.valueOf(e.getMessage()).contains("refused") ? Port.REFUSES : Port.SILENT;
        } catch (IOException e) {
            return Port.SILENT;
        }
    }

    private static Port untilItEnds(Socket socket) {
        try {
            socket.setSoTimeout(SILENCE_MILLIS);
            int unused = socket.getInputStream().read();
            return Port.OPEN;
        } catch (SocketTimeoutException e) {
            return Port.SILENT;
        } catch (IOException e) { // reset: by the broker, or by the end of its process
            return Port.OPEN;
        }
    }

    /** False if this watch is closed. */
    private synchronized boolean hold(Socket socket) {
        held = socket;
        return closed.getCount() > 0;
    }

    /** Ends the watch. Does not wait for Kafka. */
    @Override
    public void close() {
        closed.countDown();
        Socket socket;
        synchronized (this) {
            socket = held;
        }
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("The watch's connection did not close");
            }
        }
    }

    /** Waits until its thread has ended, after {@link #close}. */
    void awaitEnd() {
        UninterruptibleJoin.await(thread);
    }
}
