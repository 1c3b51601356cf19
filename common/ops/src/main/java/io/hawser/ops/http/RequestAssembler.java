package io.hawser.ops.http;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.io.ByteArrayOutputStream;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a request from the decoder's parts, and refuses malformed and too long ones.
 *
 * <p>Thread: the server's loop.
 */
final class RequestAssembler {
    private final HttpLimits limits;
    private @Nullable HttpRequest head;
    private ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private boolean complete;
    private boolean continueExpected;

    RequestAssembler(HttpLimits limits) {
        this.limits = limits;
    }

    /** Takes the next part. Returns null, or a refusal, after which the rest of the input cannot be parsed. */
    @Nullable
    Response take(HttpObject part) {
        if (part.decoderResult().isFailure()) {
            return malformed(part.decoderResult().cause());
        }
        if (part instanceof HttpRequest begun) {
            return begin(begun);
        }
        if (part instanceof HttpContent content) {
            int length = content.content().readableBytes();
            if (body.size() + length > limits.sizes().body()) {
                return tooLong();
            }
            byte[] bytes = new byte[length];
            content.content().readBytes(bytes);
            body.writeBytes(bytes);
            complete = part instanceof LastHttpContent;
        }
        return null;
    }

    private @Nullable Response begin(HttpRequest begun) {
        head = begun;
        body = new ByteArrayOutputStream(0);
        complete = false;
        continueExpected = false;
        if (begun.protocolVersion().majorVersion() != 1) {
            return Response.text(505, "this server speaks HTTP/1.1\n");
        }
        if (HttpUtil.getContentLength(begun, 0L) > limits.sizes().body()) {
            return tooLong();
        }
        String coding = begun.headers().get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding != null && !coding.equalsIgnoreCase(HttpHeaderValues.CHUNKED.toString())) {
            // RFC 9112 section 6.1
            return Response.text(501, "the only Transfer-Encoding that this server takes is chunked\n");
        }
        String expected = begun.headers().get(HttpHeaderNames.EXPECT);
        if (expected != null && isHttp11()) {
            if (!HttpUtil.is100ContinueExpected(begun)) {
                return Response.text(417, "the only Expect that this server supports is 100-continue\n");
            }
            continueExpected = true;
        }
        return null;
    }

    private Response tooLong() {
        return Response.text(413, "the body is longer than " + limits.sizes().body() + " bytes\n");
    }

    private Response malformed(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Response.text(
                    414, "the request line is longer than " + limits.sizes().line() + " bytes\n");
        } else if (cause instanceof TooLongHttpHeaderException) {
            return Response.text(
                    431, "the headers are longer than " + limits.sizes().header() + " bytes\n");
        } else if (cause instanceof TooLongFrameException) {
            return Response.text(400, "a part of the request is too long\n");
        }
        return Response.text(400, "this is not an HTTP request\n");
    }

    /** Whether the peer waits for 100 (Continue); true once a request. */
    boolean takeContinueExpected() {
        boolean expected = continueExpected && !complete;
        continueExpected = false;
        return expected;
    }

    boolean isComplete() {
        return complete;
    }

    boolean isHead() {
        return head != null && head.method().name().equals("HEAD");
    }

    boolean isHttp11() {
        return head == null || head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
    }

    /** Whether the peer wants to send another request on the same connection. */
    boolean isKeptAlive() {
        return head != null && HttpUtil.isKeepAlive(head);
    }

    /** The complete request. Throws {@link URISyntaxException} if its target is malformed. */
    Request request(Request.Peer peer) throws URISyntaxException {
        HttpRequest begun = head;
        if (begun == null || !complete) {
            throw new IllegalStateException("the request is not complete");
        }
        return new Request(begun.method().name(), begun.uri(), headers(begun), body.toByteArray(), peer);
    }

    private static Map<String, List<String>> headers(HttpRequest begun) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        begun.headers().forEach(header -> headers.computeIfAbsent(header.getKey(), unused -> new ArrayList<>(1))
                .add(header.getValue()));
        return headers;
    }
}
