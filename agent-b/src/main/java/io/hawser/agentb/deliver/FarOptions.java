package io.hawser.agentb.deliver;

import io.hawser.core.ftp.AddressRanges;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a far server is spoken to.
 *
 * @param password what is given to PASS; of an anonymous account any word
 * @param connections how many objects are uploaded at once, each on a control connection of its own
 * @param earlyUploads how many objects that are still coming in are uploaded at once, besides; 0 for none
 * @param streams data connections of one GridFTP upload or read; of a read 0 is stream mode
 * @param connectTimeout how long a connection may take to come about
 * @param silence how long the server may say nothing and take nothing before it counts as dead
 * @param implicitTls TLS from the first byte also on another port than 990
 * @param authorities certificates (PEM) that are trusted besides none other; empty for those of the JVM
 * @param insecure the server's certificate is not checked
 * @param listening where a GridFTP server that is read from dials to
 * @param grid how a server is logged in to by GSI
 * @param dataHosts hosts besides the server's own that it may name for data connections
 */
public record FarOptions(
        Secret password,
        int connections,
        int earlyUploads,
        int streams,
        Duration connectTimeout,
        Duration silence,
        boolean implicitTls,
        Optional<Path> authorities,
        boolean insecure,
        ListenOptions listening,
        Optional<GridOptions> grid,
        AddressRanges dataHosts) {
    public static final int DEFAULT_CONNECTIONS = 4;
    public static final int DEFAULT_EARLY_UPLOADS = 2;
    public static final int DEFAULT_STREAMS = 4;
    public static final Duration DEFAULT_SILENCE = Duration.ofSeconds(60);
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

    /** Listens on any address and port. */
    public FarOptions(
            Secret password,
            int connections,
            int earlyUploads,
            int streams,
            Duration connectTimeout,
            Duration silence,
            boolean implicitTls,
            Optional<Path> authorities,
            boolean insecure) {
        this(
                password,
                connections,
                earlyUploads,
                streams,
                connectTimeout,
                silence,
                implicitTls,
                authorities,
                insecure,
                ListenOptions.ANYWHERE,
                Optional.empty(),
                AddressRanges.NONE);
    }

    /** The same, listening elsewhere. */
    public FarOptions withListening(ListenOptions other) {
        return with(other, grid, dataHosts);
    }

    /** The same with a login by GSI. */
    public FarOptions withGrid(Optional<GridOptions> other) {
        return with(listening, other, dataHosts);
    }

    /** The same with other hosts for data connections. */
    public FarOptions withDataHosts(AddressRanges other) {
        return with(listening, grid, other);
    }

    private FarOptions with(ListenOptions listensAt, Optional<GridOptions> login, AddressRanges hosts) {
        return new FarOptions(
                password,
                connections,
                earlyUploads,
                streams,
                connectTimeout,
                silence,
                implicitTls,
                authorities,
                insecure,
                listensAt,
                login,
                hosts);
    }

    /** The defaults. */
    public static FarOptions with(Secret password) {
        return new FarOptions(
                password,
                DEFAULT_CONNECTIONS,
                DEFAULT_EARLY_UPLOADS,
                DEFAULT_STREAMS,
                CONNECT_TIMEOUT,
                DEFAULT_SILENCE,
                false,
                Optional.empty(),
                false);
    }
}
