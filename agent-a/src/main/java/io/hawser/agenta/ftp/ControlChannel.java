package io.hawser.agenta.ftp;

import io.hawser.agenta.data.RenegotiationGuard;
import io.hawser.agenta.data.TlsFailure;
import io.hawser.core.ftp.CommandLineParser;
import io.hawser.gsi.GsiException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One control connection: bytes to commands, replies to bytes, and the idle clock.
 *
 * <p>It is always read, also while a transfer runs: that it ended must be seen at once, since it decides whether an upload is
 * complete. What a client sends ahead is bounded by the session.
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
final class ControlChannel extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ControlChannel.class);

    /** What real programs send are some kilobytes; attributes of a virtual organisation make some ten. */
    private static final int MAX_TOKEN_LINE_BYTES = 64 << 10;

    /** With this byte TLS begins; no command does. */
    private static final int TLS_HANDSHAKE_RECORD = 0x16;

    private final FtpServer server;
    private final Channel channel;
    private final CommandLineParser parser;
    private final FtpSession session;
    private final InetSocketAddress peer;
    private final InetSocketAddress local;
    private final RoundTrip roundTrip;
    private @Nullable ScheduledFuture<?> idleTimer;
    private @Nullable ByteBuf reading;
    private @Nullable SslHandler tls;
    private boolean hasHeard;
    private long heardNanos;

    ControlChannel(FtpServer server, Channel channel, FtpDoor door) {
        this.server = server;
        this.channel = channel;
        this.parser = new CommandLineParser(maxLineBytes(server, door));
        this.peer = (InetSocketAddress) channel.remoteAddress();
        this.local = (InetSocketAddress) channel.localAddress();
        this.roundTrip = new RoundTrip(channel);
        this.session = new FtpSession(server, this, door);
    }

    /** Tokens come in lines, and a chain of certificates is long. */
    private static int maxLineBytes(FtpServer server, FtpDoor door) {
        int usual = server.limits().maxLineBytes();
        return door == FtpDoor.GRIDFTP && server.gate() != null ? Math.max(usual, MAX_TOKEN_LINE_BYTES) : usual;
    }

    FtpSession session() {
        return session;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        LOG.atInfo().addKeyValue("session", id()).addKeyValue("peer", peer).log("session begins");
        session.dialogue().greet();
        heardNanos = System.nanoTime();
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
                    session.dialogue().refuseTlsInClear();
                    return;
                }
            }
            CommandLineParser.Parsed parsed;
            while ((parsed = parser.next(bytes)) != null) {
                session.gsi().opened(parsed).ifPresent(session.dialogue()::received);
            }
            heardNanos = System.nanoTime();
        } finally {
            reading = null;
            bytes.release();
        }
    }

    /** Somebody logged in, or no longer is: another time to be quiet is allowed now. */
    void loginChanged() {
        if (channel.isOpen()) {
            watch();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        session.dialogue().pump();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idleTimer != null) {
            idleTimer.cancel(false);
        }
        session.dialogue().controlClosed();
        server.sessions().ended(this);
        LOG.atInfo().addKeyValue("session", id()).log("session ended");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Optional<String> tlsFailure = TlsFailure.reason(cause);
        if (tlsFailure.isPresent()) {
            LOG.atInfo()
                    .addKeyValue("session", id())
                    .addKeyValue("reason", tlsFailure.get())
                    .log("TLS failed");
        } else if (!(cause instanceof IOException)) {
            LOG.atError().addKeyValue("session", id()).setCause(cause).log("session failed");
        }
        ctx.close();
    }

    /** The time to log in is one for all; the time to say something begins anew with each command. */
    private void watch() {
        if (idleTimer != null) {
            idleTimer.cancel(false);
        }
        FtpLimits limits = server.limits();
        Duration allowed = session.isLoggedIn() ? limits.idleTime() : limits.loginTime();
        long quietNanos = session.isLoggedIn() ? System.nanoTime() - heardNanos : 0;
        idleTimer = channel.eventLoop()
                .schedule(this::look, Math.max(0, allowed.toNanos() - quietNanos), TimeUnit.NANOSECONDS);
    }

    private void look() {
        boolean quiet =
                System.nanoTime() - heardNanos >= server.limits().idleTime().toNanos();
        if (quiet || !session.isLoggedIn()) {
            heardNanos = System.nanoTime();
            session.dialogue().idle();
        }
        if (channel.isOpen()) {
            watch();
        }
    }

    void send(FtpReply reply) {
        if (channel.isOpen()) {
            LOG.atDebug()
                    .addKeyValue("session", id())
                    .addKeyValue("code", reply.code().code())
                    .log("reply");
            roundTrip.replied(System.nanoTime());
            try {
                channel.writeAndFlush(Unpooled.wrappedBuffer(session.gsi().sealed(reply.encode())));
            } catch (GsiException e) {
                LOG.atWarn()
                        .addKeyValue("session", id())
                        .addKeyValue("reason", e.why())
                        .log("a reply cannot be wrapped");
                channel.close();
            }
        }
    }

    /** Whether the client has sent nothing behind the command that runs. */
    boolean isQuiet() {
        ByteBuf bytes = reading;
        return (bytes == null || !bytes.isReadable()) && parser.isBetweenLines();
    }

    /** Puts TLS below everything: what follows in both directions is within it. */
    SSLEngine protect(SslContext context) {
        SslHandler begun = context.newHandler(channel.alloc());
        tls = begun;
        RenegotiationGuard.addFirst(channel.pipeline(), begun);
        return begun.engine();
    }

    /** Sends the reply and the end of TLS; what follows is clear. */
    void stopTls(FtpReply reply) {
        SslHandler ending = tls;
        tls = null;
        send(reply);
        if (ending != null) {
            ending.closeOutbound().addListener(sent -> {
                RenegotiationGuard.removeFrom(channel.pipeline());
                channel.pipeline().replace(ending, "tls-remnant", new TlsRemnant());
            });
        }
    }

    /** Closes behind the replies, or without them when the client has not read them in time. */
    void closeAfterReplies() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        if (channel.isOpen()) {
            long nanos = server.limits().dataConnectTime().toNanos();
            var unread = later(nanos, channel::close);
            channel.closeFuture().addListener(closed -> unread.cancel(false));
        }
    }

    ScheduledFuture<?> later(long delayNanos, Runnable task) {
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

    boolean isOpen() {
        return channel.isActive();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    void close() {
        channel.close();
    }

    long roundTripNanos() {
        return roundTrip.nanos();
    }

    InetSocketAddress peer() {
        return peer;
    }

    InetSocketAddress local() {
        return local;
    }

    String id() {
        return channel.id().asShortText();
    }
}
