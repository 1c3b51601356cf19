package io.hawser.agenta.ftp.data;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A way to one data connection that a client has asked for and no transfer has taken yet: a port that listens, or an address to
 * connect to.
 *
 * <p>Thread: the loop.
 */
public interface DataOpening {
    /**
     * Asks for the connection. Once. One of the two is called, not inside this call; after {@link #close} that is
     * {@code onFailed}.
     *
     * @param patience how long to wait for the connection
     */
    void take(Duration patience, Consumer<DataConnection> onConnected, Consumer<Throwable> onFailed);

    /** Closes it, with a connection that no transfer has taken. */
    void close();
}
