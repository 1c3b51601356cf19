package io.hawser.ops.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes the response of one exchange.
 *
 * <p>Thread: the server's loop.
 */
final class ExchangeOutput {
    /** RFC 9110 section 5.6.7. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final Channel channel;
    private final RequestReader request;

    ExchangeOutput(Channel channel, RequestReader request) {
        this.channel = channel;
        this.request = request;
    }

    /**
     * Writes the head.
     *
     * @param isKeptAlive whether another request may follow
     * @return whether it may with this response
     */
    boolean begin(ResponseHead made, long lengthBytes, boolean isKeptAlive) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(made.status()));
        head.headers().set(HttpHeaderNames.DATE, DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
        made.headers().forEach(head.headers()::set);
        boolean keepAlive = isKeptAlive;
        if (lengthBytes != ResponseBody.UNKNOWN) {
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, lengthBytes);
        } else if (!request.isHttp11()) {
            keepAlive = false; // the body ends with the connection
        } else if (!request.isHead()) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        if (!keepAlive) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (!request.isHttp11()) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        channel.write(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return keepAlive;
    }

    /** Writes {@code bytes}, whose reference it takes. */
    ChannelFuture write(ByteBuf bytes) {
        return channel.writeAndFlush(new DefaultHttpContent(bytes)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    ChannelFuture finish() {
        return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
}
