package io.hawser.ops.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The head of one request, as far as it concerns how the message is framed.
 *
 * <p>Thread: the server's loop.
 */
final class RequestReader {
    /** In place of a request that could not be parsed. */
    static final RequestReader NONE =
            new RequestReader(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));

    private final HttpRequest request;
    private boolean continueExpected;

    /** Why a request is not read. */
    record Refusal(int status, String sentence) {}

    RequestReader(HttpRequest request) {
        this.request = request;
        this.continueExpected = isHttp11() && HttpUtil.is100ContinueExpected(request);
    }

    static Refusal malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new Refusal(414, "the request line is too long");
        } else if (cause instanceof TooLongHttpHeaderException) {
            return new Refusal(431, "the headers are too long");
        }
        return new Refusal(400, "this is not an HTTP request");
    }

    /** Why its end cannot be known, or null. */
    @Nullable
    Refusal refusal() {
        if (request.protocolVersion().majorVersion() != 1) {
            return new Refusal(505, "this server speaks HTTP/1.1");
        }
        List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!codings.isEmpty() && !isHttp11()) {
            return new Refusal(400, "HTTP/1.0 has no Transfer-Encoding"); // RFC 9112 section 6.1
        }
        if (codings.size() > 1
                || (codings.size() == 1 && !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0)))) {
            return new Refusal(501, "the only Transfer-Encoding that this server takes is chunked");
        }
        String expected = request.headers().get(HttpHeaderNames.EXPECT);
        if (expected != null && isHttp11() && !continueExpected) {
            return new Refusal(417, "the only Expect that this server supports is 100-continue");
        }
        if (isHttp11() && request.headers().getAll(HttpHeaderNames.HOST).size() != 1) {
            return new Refusal(400, "a request has one Host header"); // RFC 9112 section 3.2
        }
        return null;
    }

    boolean hasBody() {
        return bodyBytes() != 0;
    }

    private long bodyBytes() {
        return HttpUtil.isTransferEncodingChunked(request)
                ? RequestHead.CHUNKED
                : HttpUtil.getContentLength(request, 0L);
    }

    boolean isHead() {
        return request.method().equals(HttpMethod.HEAD);
    }

    boolean isHttp11() {
        return request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
    }

    boolean isKeptAlive() {
        return HttpUtil.isKeepAlive(request);
    }

    /** Whether the client waits for 100 (Continue); true once. */
    boolean takeContinueExpected() {
        boolean expected = continueExpected;
        continueExpected = false;
        return expected;
    }

    RequestHead head(Channel channel) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        request.headers().forEach(header -> headers.computeIfAbsent(header.getKey(), unused -> new ArrayList<>(1))
                .add(header.getValue()));
        return new RequestHead(
                request.method().name(),
                request.uri(),
                headers,
                bodyBytes(),
                (InetSocketAddress) channel.remoteAddress(),
                channel.pipeline().get(SslHandler.class) != null);
    }
}
