package io.hawser.ops.http;

import java.time.Duration;

/**
 * The bounds of an HTTP server.
 *
 * @param connections connections that wait for their peer; with those whose request is being answered, all that are open
 * @param connectionsOfAddress connections that wait for a peer at one address (of IPv6 one /64)
 * @param sizes bounds in bytes
 * @param times bounds in time
 */
public record HttpLimits(int connections, int connectionsOfAddress, Sizes sizes, Times times) {
    public static final HttpLimits DEFAULT = new HttpLimits(
            256,
            128,
            new Sizes(8 << 10, 16 << 10, 64 << 10, 32L << 20),
            new Times(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(1)));

    /**
     * Bounds in bytes.
     *
     * @param line the longest request line
     * @param header all header lines of a request together
     * @param body the longest body of a request
     * @param unreadResponses bodies of all answers that peers have not read yet; one answer alone may be longer
     */
    public record Sizes(int line, int header, int body, long unreadResponses) {}

    /**
     * Bounds in time.
     *
     * @param request from the connection (with the TLS handshake) to the first byte of a request, and from there to its last byte
     * @param idle how long a connection may be kept alive without a request
     * @param response from a request to the last byte of its answer; of an answer of unknown length, to the peer's reading of each piece
     * @param linger how long the server reads the rest of a refused request, so that the peer sees the refusal and not a reset
     */
    public record Times(Duration request, Duration idle, Duration response, Duration linger) {}
}
