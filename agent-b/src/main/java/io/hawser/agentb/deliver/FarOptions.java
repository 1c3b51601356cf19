package io.hawser.agentb.deliver;

import io.hawser.core.ftp.AddressRanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How agent-b connects to a far server.
 *
 * @param password the argument of PASS; an anonymous account takes any
 * @param parallelism how much goes on at once
 * @param timeouts when the server counts as dead
 * @param tls for {@code ftps://}
 * @param listening where a GridFTP server that is read from dials to
 * @param grid the login by GSI; present for {@code gsiftp://}
 * @param dataHosts hosts besides the server's own that it may name for data connections
 */
public record FarOptions(
        Secret password,
        Parallelism parallelism,
        Timeouts timeouts,
        Tls tls,
        ListenOptions listening,
        Optional<GridOptions> grid,
        AddressRanges dataHosts) {

    /**
     * How much goes on at once.
     *
     * @param connections control connections; each carries one upload or download
     * @param earlyUploads uploads, besides, of objects that are still arriving; 0 for none
     * @param streams data connections of one GridFTP upload or download; a download with 0 uses stream mode
     */
    public record Parallelism(int connections, int earlyUploads, int streams) {
        public static final Parallelism DEFAULT = new Parallelism(4, 2, 4);
    }

    /**
     * When the server counts as dead.
     *
     * @param connect the longest that a connection may take to be established
     * @param silence the longest that the server may neither send nor take anything
     */
    public record Timeouts(Duration connect, Duration silence) {
        public static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(15), Duration.ofSeconds(60));

        /** The same connect timeout with another limit of silence. */
        public Timeouts withSilence(Duration other) {
            return new Timeouts(connect, other);
        }
    }

    /**
     * TLS to an FTPS server.
     *
     * @param implicit TLS from the first byte, whatever the port
     * @param authorities a PEM file of the only CAs that are trusted; empty for those of the JVM
     * @param insecure the server's certificate is not checked
     */
    public record Tls(boolean implicit, Optional<Path> authorities, boolean insecure) {
        public static final Tls DEFAULT = new Tls(false, Optional.empty(), false);
    }

    public static FarOptions with(Secret password) {
        return new FarOptions(
                password,
                Parallelism.DEFAULT,
                Timeouts.DEFAULT,
                Tls.DEFAULT,
                ListenOptions.ANYWHERE,
                Optional.empty(),
                AddressRanges.NONE);
    }

    public FarOptions withParallelism(Parallelism other) {
        return new FarOptions(password, other, timeouts, tls, listening, grid, dataHosts);
    }

    public FarOptions withTimeouts(Timeouts other) {
        return new FarOptions(password, parallelism, other, tls, listening, grid, dataHosts);
    }

    public FarOptions withTls(Tls other) {
        return new FarOptions(password, parallelism, timeouts, other, listening, grid, dataHosts);
    }

    public FarOptions withListening(ListenOptions other) {
        return new FarOptions(password, parallelism, timeouts, tls, other, grid, dataHosts);
    }

    public FarOptions withGrid(GridOptions other) {
        return new FarOptions(password, parallelism, timeouts, tls, listening, Optional.of(other), dataHosts);
    }

    public FarOptions withDataHosts(AddressRanges other) {
        return new FarOptions(password, parallelism, timeouts, tls, listening, grid, other);
    }
}
