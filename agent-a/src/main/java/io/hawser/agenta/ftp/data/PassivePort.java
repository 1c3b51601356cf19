package io.hawser.agenta.ftp.data;

import io.hawser.core.ftp.PortRange;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The port that a PASV or EPSV announced. It takes one connection, and only from an address that the rules allow, usually the peer of the
 * control connection (RFC 2577 section 3); others are closed at once. A port that is not used in time closes.
 *
 * <p>Thread: the loop.
 */
public final class PassivePort implements PendingDataConnection {
    private final EventLoop loop;
    private @Nullable ModeEListener listener;
    private ScheduledFuture<?> timeout;
    private @Nullable DataConnection connected;
    private @Nullable Consumer<DataConnection> taker;
    private @Nullable Consumer<Throwable> failed;
    private boolean closed;

    private PassivePort(EventLoop loop, Duration unused) {
        this.loop = loop;
        this.timeout = loop.schedule(this::close, unused.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * @param local the address to listen on: the one that the client reached
     * @param ports the port numbers to choose from
     * @param allowed the addresses that may connect
     * @param unused how long the port stays open when no transfer asks for it
     * @param opened gets the port, or the cause of a failure
     */
    public static void open(
            EventLoop loop,
            InetAddress local,
            PortRange ports,
            Predicate<InetSocketAddress> allowed,
            Duration unused,
            BiConsumer<@Nullable PassivePort, @Nullable Throwable> opened) {
        PassivePort port = new PassivePort(loop, unused);
        ModeEListener.open(loop, local, ports, allowed, port::accepted, (listener, cause) -> {
            port.listener = listener;
            if (listener == null) {
                port.close();
            }
            opened.accept(listener == null ? null : port, cause);
        });
    }

    private void accepted(DataConnection channel) {
        if (connected != null || closed) {
            channel.close();
            return;
        }
        connected = channel;
        closeListener();
        deliver();
    }

    private void closeListener() {
        if (listener != null) {
            listener.close();
        }
    }

    public int number() {
        return Objects.requireNonNull(listener).number();
    }

    @Override
    public void take(Duration wait, Consumer<DataConnection> onConnected, Consumer<Throwable> onFailed) {
        assert loop.inEventLoop();
        taker = onConnected;
        failed = onFailed;
        timeout.cancel(false);
        timeout = loop.schedule(this::close, wait.toMillis(), TimeUnit.MILLISECONDS);
        loop.execute(this::deliver);
    }

    private void deliver() {
        Consumer<DataConnection> target = taker;
        if (target == null) {
            return;
        }
        if (connected != null) {
            DataConnection data = connected;
            settle();
            target.accept(data);
        } else if (closed) {
            Consumer<Throwable> onFailed = failed;
            settle();
            if (onFailed != null) {
                onFailed.accept(new IOException("no data connection was opened in time"));
            }
        }
    }

    private void settle() {
        closed = true;
        taker = null;
        failed = null;
        connected = null;
        timeout.cancel(false);
    }

    @Override
    public void close() {
        assert loop.inEventLoop();
        if (closed) {
            return;
        }
        closed = true;
        timeout.cancel(false);
        closeListener();
        if (connected != null) {
            connected.close();
            connected = null;
        }
        deliver();
    }
}
