package io.hawser.ops.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one connection: reads a request, has a lane answer it, sends the response, and only then reads the next request. So responses keep the order
 * of pipelined requests, which wait in the socket. One deadline runs at any time.
 *
 * <p>Thread: the server's loop, except {@link #work} (the lane) and what follows it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> implements InputGate.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    /** RFC 9110 section 5.6.7. */
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);

    private final Channel channel;
    private final HttpHandler handler;
    private final HttpLimits limits;
    private final OpenConnections connections;
    private final BodyMemory memory;
    private final InputGate input = new InputGate(this);

    private RequestAssembler assembler;
    private State state = State.IDLE;
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable ResponseWriter writer;
    private long reservedBytes;
    private boolean streams;
    /** Another request may follow the current one. */
    private boolean keepAlive;
    /** The rest of the input cannot be parsed. */
    private boolean refused;

    private boolean inputEnded;
    private boolean advancing;
    /** The decoder has delivered a part. */
    private boolean decoded;

    private enum State {
        /** No part of a request has arrived. */
        IDLE,
        /** A part of a request has arrived. */
        ARRIVING,
        /** A lane has the request. */
        WORKING,
        /** The response is being sent. */
        ANSWERING,
        /** The last response was sent; input is discarded. */
        LINGERING
    }

    HttpConnection(
            Channel channel, HttpHandler handler, HttpLimits limits, OpenConnections connections, BodyMemory memory) {
        this.channel = channel;
        this.handler = handler;
        this.limits = limits;
        this.connections = connections;
        this.memory = memory;
        assembler = new RequestAssembler(limits);
    }

    /** The handler to put before the decoder. */
    InputGate input() {
        return input;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        closeAfter(limits.times().request());
        advance();
    }

    @Override
    public void onBytes() {
        if (state == State.IDLE) {
            state = State.ARRIVING;
            after(limits.times().request(), this::onRequestTimeout);
        }
    }

    private void onRequestTimeout() {
        refuse(Response.text(
                408,
                "the request did not come within " + limits.times().request().toSeconds() + " s\n"));
    }

    @Override
    public void onRead() {
        advance();
    }

    @Override
    public void onInputEnd() {
        inputEnded = true;
        if (state == State.LINGERING) {
            channel.close();
        } else {
            advance();
        }
    }

    private boolean wantsInput() {
        return channel.isActive() && (state == State.IDLE || state == State.ARRIVING);
    }

    /** Decodes parts until a request is complete or no bytes are left; then reads. */
    private void advance() {
        if (advancing) {
            return;
        }
        advancing = true;
        while (wantsInput()) {
            decoded = false;
            input.decodeRest();
            if (!decoded && !input.decodeMore()) {
                if (inputEnded) {
                    channel.close();
                } else {
                    channel.read();
                }
                break;
            }
        }
        advancing = false;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
        decoded = true;
        if (!wantsInput()) {
            return; // the connection has ended meanwhile
        }
        onBytes(); // the bytes of a pipelined request arrived earlier
        Response refusal = assembler.take(part);
        if (refusal != null) {
            refuse(refusal);
        } else if (assembler.isComplete()) {
            onRequest();
        } else if (assembler.takeContinueExpected()) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private void onRequest() {
        Request request;
        try {
            request = assembler.request(peer());
        } catch (URISyntaxException e) {
            refuse(Response.text(400, "the request target is not a path: " + e.getMessage() + "\n"));
            return;
        }
        state = State.WORKING;
        keepAlive = assembler.isKeptAlive();
        connections.waitsForServer(channel);
        closeAfter(limits.times().response());
        if (!handler.lane(request).offer(() -> work(request))) {
            respond(Response.busy());
        }
    }

    private Request.Peer peer() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        InetSocketAddress address = (InetSocketAddress) channel.remoteAddress();
        return new Request.Peer(address, tls != null, tls == null ? null : certificate(tls));
    }

    private static @Nullable X509Certificate certificate(SslHandler tls) {
        try {
            return tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate shown ? shown : null;
        } catch (SSLPeerUnverifiedException e) {
            return null; // the peer has sent none
        }
    }

    /** Thread: the lane. */
    private void work(Request request) {
        if (request.isSafe() && !channel.isActive()) {
            return; // the peer is gone
        }
        answer(request)
                .thenApply(response -> Gzip.apply(request, response))
                .exceptionally(failure -> failed(request, failure))
                .thenAccept(this::respondOnLoop);
    }

    private CompletionStage<Response> answer(Request request) {
        try {
            return handler.answer(request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Response failed(Request request, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        LOG.atWarn().setCause(cause).addKeyValue("path", request.path()).log("an HTTP request failed");
        return Response.text(500, "the request failed: " + cause.getMessage() + "\n");
    }

    /** Thread: the lane, or where the response was made. */
    private void respondOnLoop(Response response) {
        try {
            channel.eventLoop().execute(() -> respond(response));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().setCause(e).log("the server has ended; a response is dropped");
        }
    }

    /** Refuses the request, and everything that follows it. */
    private void refuse(Response refusal) {
        refused = true;
        keepAlive = false;
        respond(refusal);
    }

    private void respond(Response made) {
        assert channel.eventLoop().inEventLoop();
        if (!channel.isActive()) {
            made.body().close();
            return;
        }
        Response response = made;
        long bytes = BodyMemory.cost(made.body().lengthBytes());
        if (!memory.reserve(bytes)) {
            made.body().close();
            response = Response.busy();
            bytes = 0;
        }
        reservedBytes = bytes;
        state = State.ANSWERING;
        streams = response.body().lengthBytes() == ResponseBody.UNKNOWN;
        closeAfter(limits.times().response());
        HttpResponse head = head(response);
        writer = new ResponseWriter(channel, response.body(), this);
        writer.begin(head, !assembler.isHead());
    }

    private HttpResponse head(Response response) {
        HttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()));
        head.headers().set(HttpHeaderNames.DATE, DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
        response.headers().forEach(head.headers()::set);
        if (!streams) {
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.body().lengthBytes());
        } else if (assembler.isHead()) {
            keepAlive &= assembler.isHttp11();
        } else if (assembler.isHttp11()) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else {
            keepAlive = false; // the body ends with the connection
        }
        if (!keepAlive) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (!assembler.isHttp11()) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return head;
    }

    /** The writer waits: for the peer to read, or for the next piece of the body. */
    void onPause(boolean waitsForPeer) {
        if (!channel.isActive()) {
            return;
        }
        if (waitsForPeer) {
            connections.waitsForPeer(channel);
        } else {
            connections.waitsForServer(channel);
        }
        if (streams && waitsForPeer) {
            closeAfter(limits.times().response());
        } else if (streams) {
            cancelDeadline();
        }
    }

    /** The kernel has the last byte of the response. */
    void onWritten() {
        release();
        if (keepAlive) {
            state = State.IDLE;
            assembler = new RequestAssembler(limits);
            connections.waitsForPeer(channel);
            closeAfter(limits.times().idle());
            advance();
        } else if (refused) {
            linger();
        } else {
            channel.close();
        }
    }

    private void release() {
        memory.release(reservedBytes);
        reservedBytes = 0;
        writer = null;
    }

    /** Reads on before closing: closing with unread input would reset the connection, and the peer might not get the response. */
    private void linger() {
        state = State.LINGERING;
        connections.waitsForPeer(channel);
        closeAfter(limits.times().linger());
        input.discard();
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            shutdownOutput();
        } else {
            tls.closeOutbound().addListener(sent -> shutdownOutput());
        }
        channel.read();
    }

    private void shutdownOutput() {
        if (inputEnded) {
            channel.close();
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    private void closeAfter(Duration time) {
        after(time, channel::close);
    }

    private void after(Duration time, Runnable task) {
        cancelDeadline();
        deadline = channel.eventLoop().schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (writer != null) {
            writer.pump();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelDeadline();
        connections.closed(channel);
        if (writer != null) {
            writer.close();
            release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.atDebug()
                .setCause(cause)
                .addKeyValue("remote", channel.remoteAddress())
                .log("closing an HTTP connection that failed");
        ctx.close();
    }
}
