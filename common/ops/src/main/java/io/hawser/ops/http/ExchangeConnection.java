package io.hawser.ops.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Serves one connection of an {@link ExchangeServer}: one exchange after the other. What follows a request waits in the socket until its
 * response is sent.
 *
 * <p>A body ends where its length or its last chunk says so. A connection that ends before that breaks the body.
 *
 * <p>Thread: the server's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
final class ExchangeConnection extends SimpleChannelInboundHandler<HttpObject> implements InputGate.Owner, Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(ExchangeConnection.class);

    private final Channel channel;
    private final ExchangeHandler handler;
    private final HttpLimits limits;
    private final OpenConnections connections;
    private final InputGate input = new InputGate(this);
    private final Deque<HttpContent> pieces = new ArrayDeque<>();

    private State state = State.IDLE;
    private @Nullable RequestReader request;
    private @Nullable RequestHead head;
    private @Nullable ExchangeOutput output;
    private ExchangeListener listener = ExchangeListener.NONE;
    private @Nullable ScheduledFuture<?> deadline;
    private boolean bodyComplete;
    private boolean keepAlive;
    private boolean inputEnded;
    private boolean stopping;
    private boolean advancing;
    /** The decoder has delivered a part. */
    private boolean decoded;

    private enum State {
        /** No part of a request has arrived. */
        IDLE,
        /** A part of a request's head has arrived. */
        ARRIVING,
        /** There is an exchange, and nothing is read for it. */
        HELD,
        /** The next piece of the body is wanted. */
        READING,
        /** The last response was sent; input is discarded. */
        LINGERING
    }

    ExchangeConnection(Channel channel, ExchangeHandler handler, HttpLimits limits, OpenConnections connections) {
        this.channel = channel;
        this.handler = handler;
        this.limits = limits;
        this.connections = connections;
    }

    /** The handler to put before the decoder. */
    InputGate input() {
        return input;
    }

    /** Takes no further request. */
    void stop() {
        stopping = true;
        keepAlive = false;
        if (state == State.IDLE || state == State.ARRIVING || state == State.LINGERING) {
            channel.close();
        } else {
            listener.onStop();
        }
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
            after(
                    limits.times().request(),
                    () -> refuse(
                            408,
                            "the request did not come within "
                                    + limits.times().request().toSeconds() + " s"));
        }
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
        return channel.isActive() && (state == State.IDLE || state == State.ARRIVING || state == State.READING);
    }

    /** Decodes parts while they are wanted; then reads. */
    private void advance() {
        if (advancing) {
            return;
        }
        advancing = true;
        while (wantsInput()) {
            if (deliverPiece()) {
                continue;
            }
            decoded = false;
            input.decodeRest();
            if (!decoded && !input.decodeMore()) {
                if (!inputEnded) {
                    channel.read();
                    break;
                }
                endOfInput();
            }
        }
        advancing = false;
    }

    /** Whether a piece was there, and has been delivered. */
    private boolean deliverPiece() {
        if (state != State.READING || pieces.isEmpty()) {
            return false;
        }
        HttpContent piece = pieces.remove();
        boolean isLast = piece instanceof LastHttpContent;
        if (piece.content().isReadable()) {
            if (isLast) {
                pieces.addFirst(LastHttpContent.EMPTY_LAST_CONTENT);
            }
            state = State.HELD;
            listener.onBody(piece.content()); // its reference too
            return true;
        }
        piece.release();
        if (isLast) {
            bodyComplete = true;
            state = State.HELD;
            listener.onBodyEnd();
        }
        return isLast;
    }

    private void endOfInput() {
        if (state == State.READING) {
            state = State.HELD;
            keepAlive = false;
            listener.onBodyBroken("the connection ended before the body");
        } else {
            channel.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
        decoded = true;
        if (!channel.isActive() || state == State.LINGERING) {
            return; // the connection has ended meanwhile
        }
        RequestReader reading = request;
        if (part.decoderResult().isFailure()) {
            malformed(part.decoderResult().cause());
        } else if (part instanceof HttpRequest head) {
            onBytes(); // the bytes of a pipelined request arrived earlier
            begin(new RequestReader(head));
        } else if (part instanceof HttpContent piece && reading != null && !bodyComplete) {
            if (reading.hasBody()) {
                pieces.add(piece.retain());
            } else if (part instanceof LastHttpContent) {
                bodyComplete = true;
                dispatch(reading);
            }
        }
    }

    private void malformed(Throwable cause) {
        if (state == State.IDLE || state == State.ARRIVING) {
            RequestReader.Refusal refusal = RequestReader.malformed(cause);
            refuse(refusal.status(), refusal.sentence());
        } else {
            state = State.HELD;
            keepAlive = false;
            listener.onBodyBroken("the body is malformed");
        }
    }

    private void begin(RequestReader reading) {
        request = reading;
        bodyComplete = false;
        RequestReader.Refusal refusal = reading.refusal();
        if (refusal != null) {
            refuse(refusal.status(), refusal.sentence());
        } else if (reading.hasBody()) {
            dispatch(reading);
        }
    }

    private void dispatch(RequestReader reading) {
        cancelDeadline();
        state = State.HELD;
        head = reading.head(channel);
        keepAlive = reading.isKeptAlive() && !stopping;
        output = new ExchangeOutput(channel, reading);
        handler.begin(this);
    }

    private void refuse(int status, String sentence) {
        state = State.HELD;
        keepAlive = false;
        listener = ExchangeListener.NONE;
        if (request == null) {
            request = RequestReader.NONE;
        }
        output = new ExchangeOutput(channel, request);
        bodyComplete = false; // what follows cannot be parsed
        respond(
                new ResponseHead(status, Map.of("Content-Type", "text/plain; charset=utf-8")),
                (sentence + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public RequestHead head() {
        RequestHead dispatched = head;
        if (dispatched == null) {
            throw new IllegalStateException("no request");
        }
        return dispatched;
    }

    @Override
    public void listener(ExchangeListener next) {
        listener = next;
    }

    @Override
    public void admit() {
        connections.waitsForServer(channel);
    }

    @Override
    public void readOn() {
        assert channel.eventLoop().inEventLoop();
        if (state != State.HELD || bodyComplete || !channel.isActive()) {
            return;
        }
        state = State.READING;
        RequestReader reading = request;
        if (reading != null && reading.takeContinueExpected() && pieces.isEmpty()) {
            channel.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
        if (!advancing) {
            advance();
        }
    }

    @Override
    public void respond(ResponseHead head, byte[] body) {
        begin(head, body.length);
        closeAfter(limits.times().response());
        if (isHead() || body.length == 0) {
            finish();
        } else {
            write(ByteBuffer.wrap(body));
            finish();
        }
    }

    private boolean isHead() {
        RequestReader reading = request;
        return reading != null && reading.isHead();
    }

    @Override
    public void begin(ResponseHead head, long lengthBytes) {
        assert channel.eventLoop().inEventLoop();
        ExchangeOutput out = output;
        if (out == null || !channel.isActive()) {
            return;
        }
        if (!bodyComplete) {
            keepAlive = false;
            state = State.HELD;
        }
        keepAlive = out.begin(head, lengthBytes, keepAlive);
    }

    @Override
    public boolean isWritable() {
        return output != null && channel.isActive() && channel.isWritable();
    }

    @Override
    public void write(ByteBuffer bytes) {
        ExchangeOutput out = output;
        if (out != null && channel.isActive()) {
            ByteBuf copy = channel.alloc().directBuffer(bytes.remaining()).writeBytes(bytes);
            out.write(copy).addListener(written -> {
                if (written.isSuccess()) {
                    listener.onProgress();
                }
            });
        }
    }

    @Override
    public void finish() {
        ExchangeOutput out = output;
        if (out != null && channel.isActive()) {
            out.finish().addListener(written -> {
                if (written.isSuccess() && output == out) {
                    sent();
                }
            });
        }
    }

    /** The system has the last byte of the response. */
    private void sent() {
        ExchangeListener told = listener;
        listener = ExchangeListener.NONE;
        output = null;
        told.onSent();
        boolean isWhole = bodyComplete;
        releasePieces();
        request = null;
        if (keepAlive && !stopping) {
            state = State.IDLE;
            connections.waitsForPeer(channel);
            closeAfter(limits.times().idle());
            advance();
        } else if (isWhole || inputEnded) {
            channel.close();
        } else {
            linger();
        }
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
            tls.closeOutbound().addListener(closed -> shutdownOutput());
        }
        channel.read();
    }

    private void shutdownOutput() {
        if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    @Override
    public void abort() {
        if (channel.isActive()) {
            try {
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
            } catch (RuntimeException e) {
                LOG.atDebug().setCause(e).log("closed already");
            }
            channel.pipeline().firstContext().close(); // bypasses TLS, whose close_notify would be an orderly end
        }
    }

    @Override
    public void closeAfterwards() {
        keepAlive = false;
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
        if (isWritable()) {
            listener.onWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelDeadline();
        connections.closed(channel);
        releasePieces();
        ExchangeListener told = listener;
        listener = ExchangeListener.NONE;
        output = null;
        told.onGone();
    }

    private void releasePieces() {
        pieces.forEach(HttpContent::release);
        pieces.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // TLS wraps what its peer does wrong.
        boolean isOurs = !(cause instanceof IOException) && !(cause.getCause() instanceof IOException);
        LOG.atLevel(isOurs ? Level.ERROR : Level.DEBUG)
                .setCause(cause)
                .addKeyValue("remote", channel.remoteAddress())
                .log("closing an HTTP connection that failed");
        ctx.close();
    }
}
