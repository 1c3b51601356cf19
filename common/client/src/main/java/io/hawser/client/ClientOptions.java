package io.hawser.client;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.Manifest;
import io.hawser.ptcp.PtcpOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects and where it keeps its journal.
 *
 * @param brokers where the broker listens; tried in turn
 * @param state the directory of the journal: what was accepted for sending goes on after a restart with the same directory and
 *     brokers. Several clients can use it at once ({@link StateDirectory}); which one goes on with what an earlier one has left is
 *     then a matter of chance, so a program that must find its own again has a directory of its own
 * @param tls a directory of keys as {@code hawser keys init} makes it, or null for clear text
 * @param streams data channels per session, 1 to 64, or 0 for as many as measurement finds
 * @param fragmentSizeBytes fragment size of what is sent, a power of two from 4096
 * @param buffers fragments in memory at once, for each direction
 * @param maxPending transfers that may wait for the broker at once; a further send blocks
 * @param sessionSilence a broker that says nothing for so long is given up, and all goes on in the next session
 */
public record ClientOptions(
        List<HostPort> brokers,
        Path state,
        @Nullable Path tls,
        int streams,
        int fragmentSizeBytes,
        int buffers,
        int maxPending,
        Duration sessionSilence) {
    /** As many as measurement finds. */
    private static final int DEFAULT_STREAMS = 0;

    private static final int DEFAULT_BUFFERS = 16;
    private static final int DEFAULT_MAX_PENDING = 4096;

    public ClientOptions {
        brokers = List.copyOf(brokers);
    }

    /** The defaults for a broker at {@code host:port}. */
    public static ClientOptions of(String broker) {
        return of(HostPort.parse(broker));
    }

    /** The defaults for that broker. */
    public static ClientOptions of(HostPort broker) {
        return new ClientOptions(
                List.of(broker),
                defaultState(),
                null,
                DEFAULT_STREAMS,
                Manifest.DEFAULT_FRAGMENT_SIZE_BYTES,
                DEFAULT_BUFFERS,
                DEFAULT_MAX_PENDING,
                PtcpOptions.DEFAULT.heartbeatTimeout());
    }

    /** {@code $XDG_STATE_HOME/hawser}, or {@code ~/.local/state/hawser}. */
    public static Path defaultState() {
        String home = System.getenv("XDG_STATE_HOME");
        return home == null || home.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state", "hawser")
                : Path.of(home, "hawser");
    }

    /** The same with another journal. */
    public ClientOptions withState(Path directory) {
        return new ClientOptions(
                brokers, directory, tls, streams, fragmentSizeBytes, buffers, maxPending, sessionSilence);
    }

    /** The same for several brokers over one store, of which the one that serves is found. */
    public ClientOptions withBrokers(List<HostPort> all) {
        return new ClientOptions(all, state, tls, streams, fragmentSizeBytes, buffers, maxPending, sessionSilence);
    }

    /** The same with TLS. */
    public ClientOptions withTls(@Nullable Path keys) {
        return new ClientOptions(brokers, state, keys, streams, fragmentSizeBytes, buffers, maxPending, sessionSilence);
    }

    /** The same with another number of data channels. */
    public ClientOptions withStreams(int count) {
        return new ClientOptions(brokers, state, tls, count, fragmentSizeBytes, buffers, maxPending, sessionSilence);
    }

    /** The same with another bound on waiting transfers. */
    public ClientOptions withMaxPending(int transfers) {
        return new ClientOptions(brokers, state, tls, streams, fragmentSizeBytes, buffers, transfers, sessionSilence);
    }

    /** The same with another limit for a broker's silence. */
    public ClientOptions withSessionSilence(Duration limit) {
        return new ClientOptions(brokers, state, tls, streams, fragmentSizeBytes, buffers, maxPending, limit);
    }
}
