package io.hawser.ops.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one answer, a piece of its body whenever the peer has read most of what was written.
 *
 * <p>Thread: the server's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
final class ResponseWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseWriter.class);

    private final Channel channel;
    private final ResponseBody body;
    private final Listener listener;
    private boolean askedBody;
    private boolean pumping;
    private boolean bodyEnded;
    private boolean over;

    /** Who is told how far it is. */
    interface Listener {
        /** All that can be done now is done: either the peer has to read, or the body has to bring its next piece. */
        void onPause(boolean waitsForPeer);

        /** The last byte is with the kernel. Nothing else is called after it. */
        void onWritten();
    }

    ResponseWriter(Channel channel, ResponseBody body, Listener listener) {
        this.channel = channel;
        this.body = body;
        this.listener = listener;
    }

    /** @param withBody whether the body is sent, too */
    void begin(HttpResponse head, boolean withBody) {
        channel.write(head);
        if (!withBody) {
            end();
        }
        pump();
    }

    /** Goes on if it can. Called when the channel takes more. */
    void pump() {
        if (pumping || over) {
            return;
        }
        pumping = true;
        while (!bodyEnded && !askedBody && channel.isWritable()) {
            askedBody = true;
            body.next().whenComplete(this::onPiece);
        }
        pumping = false;
        channel.flush();
        if (!over) {
            listener.onPause(!askedBody);
        }
    }

    private void onPiece(Optional<ByteBuffer> piece, @Nullable Throwable failure) {
        if (!channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(() -> onPiece(piece, failure));
            return;
        }
        askedBody = false;
        if (over || bodyEnded) {
            return;
        }
        if (failure != null) {
            LOG.atWarn()
                    .setCause(failure)
                    .addKeyValue("remote", channel.remoteAddress())
                    .log("the body of an HTTP answer failed; its connection is closed");
            channel.close();
        } else if (piece.isPresent()) {
            channel.write(new DefaultHttpContent(Unpooled.wrappedBuffer(piece.get())));
            pump();
        } else {
            end();
            pump();
        }
    }

    private void end() {
        bodyEnded = true;
        channel.write(LastHttpContent.EMPTY_LAST_CONTENT).addListener(written -> {
            if (over) {
                return;
            }
            if (written.isSuccess()) {
                close();
                listener.onWritten();
            } else {
                channel.close();
            }
        });
    }

    /** Asks for nothing any more. */
    void close() {
        if (!over) {
            over = true;
            body.close();
        }
    }
}
