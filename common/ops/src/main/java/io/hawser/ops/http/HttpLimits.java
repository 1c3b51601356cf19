package io.hawser.ops.http;

import java.time.Duration;

/**
 * The bounds of an HTTP server.
 *
 * @param connections in all that the server waits for; with those that it works for, in all that are open
 * @param connectionsOfAddress of those that it waits for, from one address (of IPv6 one /64)
 * @param lineBytes the longest request line
 * @param headerBytes all header lines of a request together
 * @param bodyBytes the longest body of a request
 * @param responseBytes what the bodies of all answers that peers have not read yet may come to; one answer alone may be longer
 * @param requestTime from the connection (with the TLS handshake) to the first byte of a request, and from there to its last byte
 * @param idleTime how long a connection may be kept alive without a request
 * @param responseTime from a request to the last byte of its answer; of an answer of unknown length, to the peer's reading of each piece
 * @param lingerTime how long the rest of a refused request is read, so that the peer sees the refusal and not a reset
 *
 * <p>Thread: immutable.
 */
public record HttpLimits(
        int connections,
        int connectionsOfAddress,
        int lineBytes,
        int headerBytes,
        int bodyBytes,
        long responseBytes,
        Duration requestTime,
        Duration idleTime,
        Duration responseTime,
        Duration lingerTime) {
    /** The defaults. */
    public static final HttpLimits DEFAULT = new HttpLimits(
            256,
            128,
            8 << 10,
            16 << 10,
            64 << 10,
            32L << 20,
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1));

    /** The same with other times for requests and between them. */
    HttpLimits withTimes(Duration request, Duration idle, Duration response) {
        return new HttpLimits(
                connections,
                connectionsOfAddress,
                lineBytes,
                headerBytes,
                bodyBytes,
                responseBytes,
                request,
                idle,
                response,
                lingerTime);
    }

    /** The same with another bound on answers that were not read yet. */
    HttpLimits withResponseBytes(long bytes) {
        return new HttpLimits(
                connections,
                connectionsOfAddress,
                lineBytes,
                headerBytes,
                bodyBytes,
                bytes,
                requestTime,
                idleTime,
                responseTime,
                lingerTime);
    }
}
