package io.hawser.agenta.ftp.modee;

import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.ftp.data.DataConnectionInitializer;
import io.hawser.agenta.ftp.data.ModeEListener;
import io.hawser.core.ftp.PortRange;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A session's data connections in MODE E: the port that takes them, and those that wait for the next transfer. They outlive
 * transfers (data channel caching, GFD.20 section 3.2) and end with a new PASV or PORT, a change of MODE, or the session.
 *
 * <p>Thread: the loop.
 */
public final class ModeEAcceptedConnections {
    /** More at a time are closed as they come. */
    public static final int MAX_CONNECTIONS = 256;

    static final String TOO_MANY = "the sessions of this account have too many data connections";

    private final EventLoop loop;
    private final Set<DataConnection> open = new HashSet<>();
    private final Set<DataConnection> resting = new LinkedHashSet<>();
    private final Set<DataConnection> used = new HashSet<>();
    private final Set<DataConnection> prepared = new HashSet<>();
    private final DataConnectionInitializer initializer;
    private final IntPredicate mayTakeMore;
    private @Nullable ModeEListener listener;
    private @Nullable Consumer<DataConnection> taker;
    private Consumer<Throwable> refused = cause -> {};
    /** Tells connections to a port that is no longer wanted from others. */
    private int generation;

    /**
     * None yet. Each connection is prepared once, when its first transfer begins; several at a time, if that takes a while.
     *
     * @param mayTakeMore whether the client may have that many more
     */
    public ModeEAcceptedConnections(EventLoop loop, DataConnectionInitializer initializer, IntPredicate mayTakeMore) {
        this.loop = loop;
        this.initializer = initializer;
        this.mayTakeMore = mayTakeMore;
    }

    /**
     * Opens a port in place of all that was there.
     *
     * @param opened gets its number, or -1 if none could be opened; not called if something else was wanted meanwhile
     */
    public void listen(
            InetAddress local, PortRange ports, Predicate<InetSocketAddress> allowed, Consumer<Integer> opened) {
        close();
        int mine = generation;
        ModeEListener.open(loop, local, ports, allowed, channel -> connected(channel, mine), (newPort, cause) -> {
            if (mine != generation) {
                if (newPort != null) {
                    newPort.close();
                }
                return;
            }
            listener = newPort;
            opened.accept(newPort == null ? -1 : newPort.number());
        });
    }

    private void connected(DataConnection channel, int whose) {
        open.removeIf(known -> !known.isOpen());
        used.retainAll(open);
        prepared.retainAll(open);
        if (whose != generation || open.size() >= MAX_CONNECTIONS) {
            channel.close();
            return;
        }
        if (!mayTakeMore.test(1)) {
            channel.close();
            if (taker != null) {
                refused.accept(new IOException(TOO_MANY));
            }
            return;
        }
        open.add(channel);
        Consumer<DataConnection> target = taker;
        if (target == null) {
            resting.add(channel);
        } else {
            // In the next round of the loop: the channel is not registered yet.
            loop.execute(() -> hand(channel, target));
        }
    }

    private void hand(DataConnection channel, Consumer<DataConnection> to) {
        if (!open.contains(channel)) {
            return;
        }
        if (to != taker) {
            resting.add(channel);
        } else if (prepared.add(channel)) {
            initializer.prepare(channel, () -> ready(channel), cause -> refused(channel, cause));
        } else {
            to.accept(channel);
        }
    }

    private void ready(DataConnection channel) {
        Consumer<DataConnection> target = taker;
        if (!open.contains(channel)) {
            channel.close();
        } else if (target == null) {
            resting.add(channel);
        } else {
            target.accept(channel);
        }
    }

    private void refused(DataConnection channel, Throwable cause) {
        boolean known = open.contains(channel);
        forget(channel);
        if (known && taker != null) {
            refused.accept(cause);
        }
    }

    /** Those that are open. */
    public int count() {
        return (int) open.stream().filter(DataConnection::isOpen).count();
    }

    /** Whether there is a port to connect to, or a connection. */
    public boolean isOpen() {
        return listener != null || !resting.isEmpty();
    }

    /** Whether a connection of an earlier transfer can be used. */
    public boolean isCached() {
        return resting.stream().anyMatch(channel -> used.contains(channel) && channel.isOpen());
    }

    /**
     * Gives the connections that are there, and those that come, to {@code transfer} until {@link #pause}.
     *
     * @param unfit gets the reason when one cannot be prepared; it is closed
     */
    void serve(Consumer<DataConnection> transfer, Consumer<Throwable> unfit) {
        taker = transfer;
        refused = unfit;
        List<DataConnection> ready = List.copyOf(resting);
        resting.clear();
        for (DataConnection channel : ready) {
            if (channel.isOpen()) {
                loop.execute(() -> hand(channel, transfer));
            } else {
                forget(channel);
            }
        }
    }

    /** The transfer wants no more connections; they wait for the next. */
    void pause() {
        taker = null;
    }

    /** The transfer is done with a connection; it waits for the next one, unless its peer closes it. */
    void rest(DataConnection channel, boolean closing) {
        channel.rest();
        if (closing) {
            forget(channel);
        } else if (open.contains(channel)) {
            used.add(channel);
            resting.add(channel);
        }
    }

    /** Closes a connection. Returns whether it had served an earlier transfer. */
    boolean forget(DataConnection channel) {
        open.remove(channel);
        resting.remove(channel);
        prepared.remove(channel);
        channel.close();
        return used.remove(channel);
    }

    public void close() {
        generation++;
        taker = null;
        if (listener != null) {
            listener.close();
            listener = null;
        }
        List.copyOf(open).forEach(DataConnection::close);
        open.clear();
        resting.clear();
        used.clear();
        prepared.clear();
    }
}
