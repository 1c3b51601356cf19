package io.hawser.ops.http;

/**
 * Answers the requests of an {@link ExchangeServer}.
 *
 * <p>Thread: the server's loop.
 */
@FunctionalInterface
public interface ExchangeHandler {
    /** A request has begun; its body has not been read. The handler responds inside the call or later. */
    void begin(Exchange exchange);
}
