package io.hawser.ops.http;

import io.netty.buffer.ByteBuf;

/**
 * Hears what happens to one {@link Exchange}.
 *
 * <p>Thread: the server's loop.
 */
public interface ExchangeListener {
    /** Hears nothing. */
    ExchangeListener NONE = new ExchangeListener() {};

    /** The next bytes of the body, one or more, after {@link Exchange#readOn}. The reference is the listener's. */
    default void onBody(ByteBuf piece) {
        piece.release();
    }

    /** The whole body has come. */
    default void onBodyEnd() {}

    /** The rest of the body will not come, or cannot be parsed; a response may still reach the client. */
    default void onBodyBroken(String why) {}

    /** The response can take bytes again. */
    default void onWritable() {}

    /** The system has taken bytes of the response. */
    default void onProgress() {}

    /** The system has the last byte of the response; nothing follows. */
    default void onSent() {}

    /** The connection is gone before the end of the response; nothing follows. */
    default void onGone() {}

    /** The server stops: the exchange should end soon. */
    default void onStop() {}
}
