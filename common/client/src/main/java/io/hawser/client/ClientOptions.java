package io.hawser.client;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.Manifest;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpTuning;
import io.hawser.store.spool.UploadRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects, where it keeps its journal, and its bounds. Immutable; no method blocks, and none looks a host name up.
 *
 * @param brokers addresses of one broker, or of several over one store: {@code host:port}, an IPv6 address in brackets. The client
 *     tries them in turn
 * @param state the directory of the journal. A client with the same directory and brokers resumes what an earlier one accepted. Up to 32
 *     clients can share it; which of them resumes a given transfer is then undefined, so a program that must find its own transfers
 *     needs its own directory
 * @param tls a directory of keys as {@code hawser keys} makes it, or null for clear text
 * @param streams data connections of a session, 1 to 64, or 0 for as many as measurement finds best
 * @param sessionSilence the client closes a session from which it received nothing for this long, at least 1 ms, and dials again
 * @param limits bounds of memory and of unconfirmed transfers
 * @param rateBytesPerSecond the most that the client sends in its session, over all streams; 0 for no limit
 */
public record ClientOptions(
        List<String> brokers,
        Path state,
        @Nullable Path tls,
        int streams,
        Duration sessionSilence,
        Limits limits,
        long rateBytesPerSecond) {
    /** {@link #streams} for as many as measurement finds best. */
    private static final int MEASURED_STREAMS = 0;

    /**
     * Bounds of a client.
     *
     * @param fragmentSizeBytes size of the fragments into which a transfer is divided: a power of two from 4096 to 64 MiB
     * @param buffers fragments in memory at once, in each direction; at least 1
     * @param maxPending transfers that may wait for the broker at once, at least 1; a further send blocks
     */
    public record Limits(int fragmentSizeBytes, int buffers, int maxPending) {
        /** Fragments of 1 MiB, 16 buffers, 4096 transfers. */
        public static final Limits DEFAULT = new Limits(Manifest.DEFAULT_FRAGMENT_SIZE_BYTES, 16, 4096);

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a number is outside its range
         */
        public Limits {
            if (fragmentSizeBytes < UploadRequest.MIN_FRAGMENT_SIZE_BYTES
                    || fragmentSizeBytes > Manifest.MAX_FRAGMENT_SIZE_BYTES
                    || Integer.bitCount(fragmentSizeBytes) != 1) {
                throw new IllegalArgumentException(
                        "the fragment size is a power of two from 4096 bytes to 64 MiB, not " + fragmentSizeBytes);
            }
            if (buffers < 1 || maxPending < 1) {
                throw new IllegalArgumentException("buffers and maxPending are at least 1");
            }
        }
    }

    /**
     * Checks the values and copies the list.
     *
     * @throws IllegalArgumentException if there is no broker, one is not {@code host:port}, or a number is outside its range
     */
    public ClientOptions {
        if (brokers.isEmpty()) {
            throw new IllegalArgumentException("the address of a broker is missing");
        }
        if (streams < MEASURED_STREAMS || streams > PtcpOptions.MAX_STREAMS) {
            throw new IllegalArgumentException("streams are 0 to " + PtcpOptions.MAX_STREAMS + ", not " + streams);
        }
        if (sessionSilence.toMillis() < 1) {
            throw new IllegalArgumentException("sessionSilence is at least 1 ms, not " + sessionSilence);
        }
        if (rateBytesPerSecond < 0) {
            throw new IllegalArgumentException("a rate is 0 bytes per second or more, not " + rateBytesPerSecond);
        }
        brokers = brokers.stream()
                .map(broker -> HostPort.parse(broker).toString())
                .toList();
    }

    /**
     * The defaults for the broker at {@code host:port}.
     *
     * @throws IllegalArgumentException if {@code broker} is not {@code host:port}
     */
    public static ClientOptions of(String broker) {
        return new ClientOptions(
                List.of(broker),
                defaultState(),
                null,
                MEASURED_STREAMS,
                PtcpOptions.DEFAULT.heartbeatTimeout(),
                Limits.DEFAULT,
                0);
    }

    /** {@code $XDG_STATE_HOME/hawser}, or {@code ~/.local/state/hawser}. */
    public static Path defaultState() {
        String home = System.getenv("XDG_STATE_HOME");
        return home == null || home.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state", "hawser")
                : Path.of(home, "hawser");
    }

    /** These options with another {@link #state}. */
    public ClientOptions withState(Path directory) {
        return new ClientOptions(brokers, directory, tls, streams, sessionSilence, limits, rateBytesPerSecond);
    }

    /**
     * These options with other {@link #brokers}.
     *
     * @throws IllegalArgumentException if there is none, or one is not {@code host:port}
     */
    public ClientOptions withBrokers(List<String> addresses) {
        return new ClientOptions(addresses, state, tls, streams, sessionSilence, limits, rateBytesPerSecond);
    }

    /** These options with {@link #tls}; null for clear text. */
    public ClientOptions withTls(@Nullable Path keys) {
        return new ClientOptions(brokers, state, keys, streams, sessionSilence, limits, rateBytesPerSecond);
    }

    /**
     * These options with other {@link #streams}.
     *
     * @throws IllegalArgumentException if {@code count} is not 0 to 64
     */
    public ClientOptions withStreams(int count) {
        return new ClientOptions(brokers, state, tls, count, sessionSilence, limits, rateBytesPerSecond);
    }

    /**
     * These options with another {@link #sessionSilence}.
     *
     * @throws IllegalArgumentException if {@code limit} is shorter than 1 ms
     */
    public ClientOptions withSessionSilence(Duration limit) {
        return new ClientOptions(brokers, state, tls, streams, limit, limits, rateBytesPerSecond);
    }

    /** These options with other {@link #limits}. */
    public ClientOptions withLimits(Limits other) {
        return new ClientOptions(brokers, state, tls, streams, sessionSilence, other, rateBytesPerSecond);
    }

    /**
     * These options with another {@link #rateBytesPerSecond}; 0 for no limit.
     *
     * @throws IllegalArgumentException if {@code bytesPerSecond} is negative
     */
    public ClientOptions withRate(long bytesPerSecond) {
        return new ClientOptions(brokers, state, tls, streams, sessionSilence, limits, bytesPerSecond);
    }

    List<HostPort> brokerAddresses() {
        return brokers.stream().map(HostPort::parse).toList();
    }

    PtcpOptions sessionOptions() {
        return PtcpOptions.DEFAULT
                .withStreams(streams == MEASURED_STREAMS ? PtcpOptions.MAX_STREAMS : streams)
                .withTuning(new PtcpTuning(streams == MEASURED_STREAMS, rateBytesPerSecond, false, PtcpTuning.BEST))
                .withSilence(sessionSilence);
    }
}
