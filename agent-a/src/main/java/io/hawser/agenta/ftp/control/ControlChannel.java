package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.CommandLineParser;
import io.hawser.core.ftp.CommandLineParser.Parsed;
import io.hawser.gsi.GsiException;
import io.hawser.ptcp.RefusedDialLogThrottle;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One control connection: bytes to commands, replies to bytes, and the idle clock.
 *
 * <p>It is always read, also while a transfer runs: that it ended must be seen at once, since it decides whether an upload is
 * complete. What a client sends ahead is bounded by the session.
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
public final class ControlChannel extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ControlChannel.class);
    private static final String TLS_FAILED = "TLS failed";

    /** With this byte TLS begins; no command does. */
    private static final int TLS_HANDSHAKE_RECORD = 0x16;

    /** A client whose time is over, while a command of it runs, is looked at again after this. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Channel channel;
    private final CommandLineParser parser;
    private final FtpLimits limits;
    private final Owner owner;
    private final CommandPipeline pipeline;
    private final InetSocketAddress peer;
    private final InetSocketAddress local;
    private final RefusedDialLogThrottle refusals;
    private final RoundTrip roundTrip;
    private @Nullable ScheduledFuture<?> idleTimer;
    private @Nullable ByteBuf reading;
    private @Nullable SslHandler tls;
    private boolean hasHeard;
    private long heardNanos;
    private boolean wasLoggedIn;
    /** Since when nobody is logged in. */
    private long loggedOutNanos;

    /** The session that the connection belongs to. */
    public interface Owner extends CommandPipeline.Session {
        /** What a line holds that has come; empty if it must not come so, and then the session has been ended. */
        Optional<Parsed> opened(Parsed line);

        /** How long a command line may be now. */
        int maxLineBytes();

        /** The bytes of a reply as they are sent. */
        byte[] sealed(byte[] reply) throws GsiException;
    }

    /** A control connection; it begins when it is added to the pipeline of {@code channel}. */
    public ControlChannel(Channel channel, FtpLimits limits, RefusedDialLogThrottle refusals, Owner owner) {
        this.refusals = refusals;
        this.channel = channel;
        this.limits = limits;
        this.owner = owner;
        this.parser = new CommandLineParser(owner::maxLineBytes);
        this.peer = (InetSocketAddress) channel.remoteAddress();
        this.local = (InetSocketAddress) channel.localAddress();
        this.roundTrip = new RoundTrip(channel);
        this.pipeline = new CommandPipeline(this, limits, owner);
    }

    public CommandPipeline pipeline() {
        return pipeline;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        LOG.atDebug().addKeyValue("session", id()).addKeyValue("peer", peer).log("session begins");
        pipeline.greet();
        heardNanos = System.nanoTime();
        loggedOutNanos = heardNanos;
        watch();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        reading = bytes;
        try {
            roundTrip.heard(System.nanoTime());
            if (!hasHeard && bytes.isReadable()) {
                hasHeard = true;
                if (tls == null && bytes.getUnsignedByte(bytes.readerIndex()) == TLS_HANDSHAKE_RECORD) {
                    pipeline.refuseTlsInClear();
                    return;
                }
            }
            Parsed parsed;
            while ((parsed = parser.next(bytes)) != null) {
                owner.opened(parsed).ifPresent(pipeline::received);
            }
            heardNanos = System.nanoTime();
        } finally {
            reading = null;
            bytes.release();
        }
    }

    /** The session has logged in or out: another time to be quiet is allowed now. */
    public void loginChanged() {
        boolean isLoggedIn = owner.isLoggedIn();
        if (wasLoggedIn && !isLoggedIn) {
            loggedOutNanos = System.nanoTime();
        }
        wasLoggedIn = isLoggedIn;
        if (channel.isOpen()) {
            watch();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        pipeline.pump();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idleTimer != null) {
            idleTimer.cancel(false);
        }
        pipeline.controlClosed();
        LOG.atLevel(wasLoggedIn ? Level.INFO : Level.DEBUG)
                .addKeyValue("session", id())
                .log("session ended");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Optional<String> tlsFailure = TlsFailure.reason(cause);
        if (tlsFailure.isPresent()) {
            if (isNews(TLS_FAILED)) {
                LOG.atInfo()
                        .addKeyValue("session", id())
                        .addKeyValue("peer", peer)
                        .addKeyValue("reason", tlsFailure.get())
                        .log(TLS_FAILED);
            }
        } else if (!(cause instanceof IOException)) {
            LOG.atError().addKeyValue("session", id()).setCause(cause).log("session failed");
        }
        ctx.close();
    }

    /**
     * The time to log in is one for all that comes before a login, however often a login begins; the time to say something begins anew with each
     * command.
     */
    private void watch() {
        watch(0);
    }

    private void watch(long leastNanos) {
        if (idleTimer != null) {
            idleTimer.cancel(false);
        }
        Duration allowed =
                owner.isLoggedIn() ? limits.times().idle() : limits.login().time();
        long sinceNanos = owner.isLoggedIn() ? heardNanos : loggedOutNanos;
        long leftNanos = allowed.toNanos() - (System.nanoTime() - sinceNanos);
        idleTimer = channel.eventLoop().schedule(this::look, Math.max(leastNanos, leftNanos), TimeUnit.NANOSECONDS);
    }

    private void look() {
        boolean quiet = System.nanoTime() - heardNanos >= limits.times().idle().toNanos();
        if (quiet || !owner.isLoggedIn()) {
            heardNanos = System.nanoTime();
            pipeline.idle();
        }
        if (channel.isOpen() && !pipeline.isClosing()) {
            watch(LOOK_AGAIN_NANOS);
        }
    }

    /** Sends a reply past the {@link CommandPipeline}. */
    public void send(FtpReply reply) {
        if (channel.isOpen()) {
            LOG.atDebug()
                    .addKeyValue("session", id())
                    .addKeyValue("code", reply.code().code())
                    .log("reply");
            roundTrip.replied(System.nanoTime());
            try {
                channel.writeAndFlush(Unpooled.wrappedBuffer(owner.sealed(reply.encode())));
            } catch (GsiException e) {
                LOG.atWarn()
                        .addKeyValue("session", id())
                        .addKeyValue("reason", e.why())
                        .log("a reply cannot be wrapped");
                channel.close();
            }
        }
    }

    /** Whether the log has not heard of that lately from this client's network: strangers could fill it. {@code what} holds nothing of theirs. */
    boolean isNews(String what) {
        return refusals.refused(peer, what, System.nanoTime()) >= 0;
    }

    /** Whether the client has sent nothing after the command that runs. */
    boolean isQuiet() {
        ByteBuf bytes = reading;
        return (bytes == null || !bytes.isReadable()) && parser.isBetweenLines();
    }

    /** Starts TLS: what follows in both directions is within it. */
    public SSLEngine protect(SslContext context, Executor handshakes) {
        SslHandler begun = context.newHandler(channel.alloc(), handshakes);
        tls = begun;
        RenegotiationGuard.addFirst(channel.pipeline(), begun, this::isNews);
        return begun.engine();
    }

    /** Sends the reply and the end of TLS; what follows is clear. */
    public void stopTls(FtpReply reply) {
        SslHandler ending = tls;
        tls = null;
        send(reply);
        if (ending != null) {
            ending.closeOutbound().addListener(sent -> {
                RenegotiationGuard.removeFrom(channel.pipeline());
                channel.pipeline().replace(ending, "tls-remnant", new CloseNotifySkipper());
            });
        }
    }

    /** Closes after the replies, or without them when the client has not read them in time. */
    void closeAfterReplies() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        if (channel.isOpen()) {
            long nanos = limits.times().dataConnect().toNanos();
            var unread = later(nanos, channel::close);
            channel.closeFuture().addListener(closed -> unread.cancel(false));
        }
    }

    /** Runs {@code task} after a while, if there still is a client then. */
    public ScheduledFuture<?> later(long delayNanos, Runnable task) {
        return channel.eventLoop()
                .schedule(
                        () -> {
                            if (channel.isOpen()) {
                                task.run();
                            }
                        },
                        delayNanos,
                        TimeUnit.NANOSECONDS);
    }

    public boolean isOpen() {
        return channel.isActive();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    public void close() {
        channel.close();
    }

    /** The round-trip time, 0 if it is not known. */
    public long roundTripNanos() {
        return roundTrip.nanos();
    }

    /** The client's address. */
    public InetSocketAddress peer() {
        return peer;
    }

    /** The address that the client reached. */
    public InetSocketAddress local() {
        return local;
    }

    public String id() {
        return channel.id().asShortText();
    }

    public EventLoop loop() {
        return channel.eventLoop();
    }

    public FtpLimits limits() {
        return limits;
    }
}
