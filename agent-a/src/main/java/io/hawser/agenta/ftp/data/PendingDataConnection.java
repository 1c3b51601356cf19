package io.hawser.agenta.ftp.data;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A listening port or a target address from which the next transfer takes its data connection.
 *
 * <p>Thread: the loop.
 */
public interface PendingDataConnection {
    /**
     * Asks for the connection. Once. One of the two is called, not inside this call; after {@link #close} that is
     * {@code onFailed}.
     *
     * @param timeout how long to wait for the connection
     */
    void take(Duration timeout, Consumer<DataConnection> onConnected, Consumer<Throwable> onFailed);

    /** Closes it, with a connection that no transfer has taken. */
    void close();
}
