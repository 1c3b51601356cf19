package io.hawser.ops.http;

import java.nio.ByteBuffer;

/**
 * One request and its response, whose bodies pass in pieces. The body of the request is read only when it is asked for, and the response is
 * written only as fast as the client reads. After the client is gone all calls do nothing.
 *
 * <p>Thread: the server's loop.
 */
public interface Exchange {
    RequestHead head();

    /** {@code listener} hears from now on what happens. */
    void listener(ExchangeListener listener);

    /** The client is known: its connection is not closed for that of another while this exchange lasts. */
    void admit();

    /** Reads the next piece of the body. The first call sends 100 (Continue) if the client waits for it. */
    void readOn();

    /** Sends a whole response. Without the rest of the request's body, if that has not come; the connection ends then. */
    void respond(ResponseHead head, byte[] body);

    /**
     * Begins a response whose body follows.
     *
     * @param lengthBytes its length, or {@link ResponseBody#UNKNOWN}
     */
    void begin(ResponseHead head, long lengthBytes);

    /** Whether the response takes bytes now. */
    boolean isWritable();

    /** Sends a copy of {@code bytes}. */
    void write(ByteBuffer bytes);

    /** The response's body is complete. */
    void finish();

    /** Breaks the connection so that the client sees it: an orderly end might look like the end of the body. */
    void abort();

    /** The connection ends after this response. */
    void closeAfterwards();
}
