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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: takes a request, has it answered, sends the answer, and only then looks at the next one, so that pipelined requests are
 * answered in their order and wait in the socket. At each moment one deadline runs.
 *
 * <p>Thread: the server's loop, but for what runs in a lane.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject>
        implements ResponseWriter.Listener, InputGate.Listener {
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

    private RequestIntake intake;
    private State state = State.IDLE;
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable ResponseWriter writer;
    private long reservedBytes;
    private boolean streams;
    /** Another request may follow the one that is being answered. */
    private boolean goesOn;
    /** What follows in the input cannot be understood. */
    private boolean refused;

    private boolean inputEnded;
    private boolean advancing;
    /** The decoder has brought a part. */
    private boolean decoded;

    private enum State {
        /** Nothing of a request is there. */
        IDLE,
        /** A part of a request is there. */
        ARRIVING,
        /** A lane has the request. */
        WORKING,
        /** The answer is being sent. */
        ANSWERING,
        /** The last answer was sent; what still comes is thrown away. */
        LINGERING
    }

    HttpConnection(
            Channel channel, HttpHandler handler, HttpLimits limits, OpenConnections connections, BodyMemory memory) {
        this.channel = channel;
        this.handler = handler;
        this.limits = limits;
        this.connections = connections;
        this.memory = memory;
        intake = new RequestIntake(limits);
    }

    /** The handler that belongs before the decoder. */
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

    /** Has parts decoded until a request is whole, or there is nothing left; then it reads. */
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
            return; // of a connection that has ended meanwhile
        }
        onBytes(); // of a pipelined request they came long ago
        Response refusal = intake.take(part);
        if (refusal != null) {
            refuse(refusal);
        } else if (intake.isWhole()) {
            onRequest();
        } else if (intake.takeContinueExpected()) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private void onRequest() {
        Request request;
        try {
            request = intake.request(peer());
        } catch (URISyntaxException e) {
            refuse(Response.text(400, "the request asks for what is no path: " + e.getMessage() + "\n"));
            return;
        }
        state = State.WORKING;
        goesOn = intake.isKeptAlive();
        connections.worksFor(channel);
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
            return null; // it was asked for one, and has none
        }
    }

    /** In the lane. */
    private void work(Request request) {
        if (request.isSafe() && !channel.isActive()) {
            return; // nobody waits for it any more
        }
        Response response = answer(request);
        try {
            channel.eventLoop().execute(() -> respond(response));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().setCause(e).log("the server has ended; nobody gets the answer");
        }
    }

    private Response answer(Request request) {
        try {
            return Gzip.applied(request, handler.answer(request));
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("path", request.path()).log("an HTTP request failed");
            return Response.text(500, "the request failed: " + e.getMessage() + "\n");
        }
    }

    /** Refuses what has come, and all that follows it. */
    private void refuse(Response refusal) {
        refused = true;
        goesOn = false;
        respond(refusal);
    }

    private void respond(Response made) {
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
        writer.begin(head, !intake.isHead());
    }

    private HttpResponse head(Response response) {
        HttpResponse head =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(response.status()));
        head.headers().set(HttpHeaderNames.DATE, DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
        response.headers().forEach(head.headers()::set);
        if (!streams) {
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.body().lengthBytes());
        } else if (intake.isHead()) {
            goesOn &= intake.isHttp11();
        } else if (intake.isHttp11()) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else {
            goesOn = false; // the body ends with the connection
        }
        if (!goesOn) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (!intake.isHttp11()) {
            head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return head;
    }

    @Override
    public void onPause(boolean waitsForPeer) {
        if (!channel.isActive()) {
            return;
        }
        if (waitsForPeer) {
            connections.waitsFor(channel);
        } else {
            connections.worksFor(channel);
        }
        if (streams && waitsForPeer) {
            closeAfter(limits.times().response());
        } else if (streams) {
            cancelDeadline();
        }
    }

    @Override
    public void onWritten() {
        release();
        if (goesOn) {
            state = State.IDLE;
            intake = new RequestIntake(limits);
            connections.waitsFor(channel);
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

    /** Closing while there is something to read would reset the connection, and the peer might not see the answer. */
    private void linger() {
        state = State.LINGERING;
        connections.waitsFor(channel);
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
                .log("an HTTP connection failed and is closed");
        ctx.close();
    }
}
