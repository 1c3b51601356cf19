package io.hawser.agenta.ftp.data;

import java.util.function.Consumer;

/**
 * Makes a data connection what its client has asked for: its buffers, TLS, authentication of the peer.
 *
 * <p>Thread: the loop.
 */
@FunctionalInterface
public interface DataConnectionInitializer {
    /** Prepares a connection, once. One of the two is called, in this call or later; after a failure it is closed. */
    void prepare(DataConnection channel, Runnable ready, Consumer<Throwable> failed);
}
