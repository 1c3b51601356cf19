package io.hawser.ops.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one response, and a piece of its body whenever the peer has read most of what was written.
 *
 * <p>Thread: the server's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of Channel.close
final class ResponseWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseWriter.class);

    private final Channel channel;
    private final ResponseBody body;
    private final HttpConnection connection;
    private boolean awaitsPiece;
    /** The channel is being written to; it may say meanwhile that it can take more, or no more. */
    private boolean pumping;

    private boolean bodyEnded;
    private boolean closed;

    ResponseWriter(Channel channel, ResponseBody body, HttpConnection connection) {
        this.channel = channel;
        this.body = body;
        this.connection = connection;
    }

    /** @param withBody whether to send the body, too */
    void begin(HttpResponse head, boolean withBody) {
        write(head);
        if (!withBody) {
            end();
        }
        pump();
    }

    /** Writes more if possible. Called when the channel can take more. */
    void pump() {
        assert channel.eventLoop().inEventLoop();
        if (pumping || closed) {
            return;
        }
        pumping = true;
        while (!bodyEnded && !awaitsPiece && channel.isWritable()) {
            awaitsPiece = true;
            body.next().whenComplete(this::onPiece);
        }
        pumping = false;
        channel.flush();
        if (!closed) {
            connection.onPause(!awaitsPiece);
        }
    }

    private void onPiece(Optional<ByteBuffer> piece, @Nullable Throwable failure) {
        if (!channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(() -> onPiece(piece, failure));
            return;
        }
        awaitsPiece = false;
        if (closed || bodyEnded) {
            return;
        }
        if (failure != null) {
            LOG.atWarn()
                    .setCause(failure)
                    .addKeyValue("remote", channel.remoteAddress())
                    .log("the body of an HTTP response failed; closing its connection");
            channel.close();
        } else if (piece.isPresent()) {
            write(new DefaultHttpContent(Unpooled.wrappedBuffer(piece.get())));
            pump();
        } else {
            end();
            pump();
        }
    }

    private void end() {
        bodyEnded = true;
        write(LastHttpContent.EMPTY_LAST_CONTENT).addListener(written -> {
            if (!closed && written.isSuccess()) {
                close();
                connection.onWritten();
            }
        });
    }

    /** The encoder makes several buffers of a part: none may be written, nor flushed, between them. */
    private ChannelFuture write(HttpObject part) {
        boolean wasPumping = pumping;
        pumping = true;
        ChannelFuture written = channel.write(part);
        pumping = wasPumping;
        return written.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    /** Requests no more pieces. */
    void close() {
        if (!closed) {
            closed = true;
            body.close();
        }
    }
}
