package io.hawser.ptcp;

import io.hawser.ptcp.netty.ChannelEvents;
import io.hawser.ptcp.netty.ExactAllocator;
import io.hawser.ptcp.netty.ExactReader;
import io.hawser.ptcp.netty.FrameReader;
import io.hawser.ptcp.netty.PacketReader;
import io.hawser.ptcp.netty.PacketSink;
import io.hawser.ptcp.netty.ReadMemory;
import io.hawser.ptcp.netty.TlsRequiredCheck;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection from its first byte: carries control frames, or packets once it joined as a data channel. Its owner changes with its role.
 *
 * <p>Thread: the channel's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class Connection implements ChannelEvents {
    private static final long LINGER_MILLIS = 1000;
    /** Longer messages are not copied into a batch. */
    private static final int MAX_COPIED_BYTES = 2 << 10;

    private static final int FIRST_BATCH_BYTES = 1 << 10;
    private static final int MAX_BATCH_BYTES = 16 << 10;
    /** More frames that wait than any heartbeat leaves on a link that is only slow. */
    static final int MAX_WAITING_FRAMES = 1024;

    /** Receives the events of a connection. */
    interface Owner {
        /** The connection can be used. */
        default void onReady(Connection connection) {}

        void onFrame(Connection connection, ControlFrame frame);

        /** The peer broke the format, TLS failed or the connection was reset; the owner closes it. */
        void onFailure(Connection connection, Throwable cause);

        /** A batch of messages was written or failed. May come after {@link #onInactive}. */
        default void onSent(Connection connection, int bytes, boolean success) {}

        /** The connection closed. The last event but {@link #onSent}. */
        void onInactive(Connection connection);
    }

    private final Channel channel;
    private final ExactReader reader;
    private final FrameReader frames;
    private Owner owner;
    private boolean flushDue;
    /** Messages of this pass of the loop, with their headers. */
    private @Nullable ByteBuf batch;

    private int batchBytes;
    /** Frames other than messages that wait for the socket. */
    private int waitingFrames;

    private boolean hangingUp;

    private Connection(Channel channel, Owner owner, boolean tls) {
        this.channel = channel;
        this.owner = owner;
        reader = new ExactReader(this, tls);
        frames = new FrameReader(channel.alloc(), frame -> this.owner.onFrame(this, frame));
        reader.target(frames);
        channel.config().setRecvByteBufAllocator(new ExactAllocator(reader, tls));
    }

    /** Wraps an accepted channel. */
    static Connection accept(Channel channel, Owner owner, PtcpOptions options) {
        SslContext ssl = options.ssl();
        Connection connection = new Connection(channel, owner, ssl != null);
        if (ssl != null) {
            channel.pipeline()
                    .addLast(new TlsRequiredCheck(ssl, options.connectTimeout().toMillis()));
        }
        channel.pipeline().addLast(connection.reader);
        return connection;
    }

    /** Wraps a dialled channel. */
    static void dial(Channel channel, Owner owner, PtcpOptions options, InetSocketAddress address) {
        SslContext ssl = options.ssl();
        Connection connection = new Connection(channel, owner, ssl != null);
        if (ssl != null) {
            SslHandler tls = ssl.newHandler(channel.alloc(), address.getHostString(), address.getPort());
            tls.setHandshakeTimeout(options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
            channel.pipeline().addLast(tls);
        }
        channel.pipeline().addLast(connection.reader);
    }

    Channel channel() {
        return channel;
    }

    /** Makes it a communication channel: frames may be long, and one read takes many. */
    void becomeCommunicationChannel(Owner next, ReadMemory longFrames) {
        owner = next;
        frames.allowLongFrames(claimsOf(longFrames));
        reader.copyFromLargeReads();
    }

    /** Makes it a data channel: it carries packets. Reading continues with the next {@link #resume()}. */
    void becomeDataChannel(Owner next, PacketSink sink, ReadMemory longHeaders) {
        owner = next;
        reader.target(new PacketReader(channel.alloc(), sink, claimsOf(longHeaders)));
    }

    /** A peer is the subject of its certificate, or else where it connects from. */
    private IntFunction<ReadMemory.Claim> claimsOf(ReadMemory memory) {
        String principal = principal();
        Object peer = principal.isEmpty() ? PendingConnections.source(channel.remoteAddress()) : principal;
        Runnable given = () -> channel.eventLoop().execute(this::resume);
        return bytes -> memory.claim(peer, bytes, given);
    }

    /** Pauses or resumes the reading of frames. */
    void pauseFrames(boolean on) {
        frames.pause(on);
        if (!on) {
            reader.resume();
        }
    }

    /** Resumes paused reading. */
    void resume() {
        reader.resume();
    }

    boolean isPaused() {
        return reader.isPaused();
    }

    /**
     * Sends a frame at once, after the messages of this pass. Each frame of the peer may be answered by one: if too many wait, because the peer does not
     * read them, the connection fails.
     */
    ChannelFuture send(ControlFrame frame) {
        assert channel.eventLoop().inEventLoop();
        writeBatch();
        ChannelFuture sent = channel.writeAndFlush(ControlFrameCodec.encode(frame, channel.alloc()));
        if (++waitingFrames == MAX_WAITING_FRAMES) {
            channel.eventLoop()
                    .execute(() -> owner.onFailure(this, new IOException("the peer does not read what it is sent")));
        }
        return sent.addListener(written -> waitingFrames--);
    }

    /**
     * Sends a message with the others of this pass of the loop. Short ones share a buffer, so that they cost as much as one. The owner gets {@link Owner#onSent}. Takes ownership.
     */
    void sendMessage(ByteBuf message) {
        assert channel.eventLoop().inEventLoop();
        if (!flushDue) {
            flushDue = true;
            channel.eventLoop().execute(() -> {
                flushDue = false;
                writeBatch();
                channel.flush();
            });
        }
        int length = message.readableBytes();
        if (length > MAX_COPIED_BYTES) {
            writeBatch();
            channel.write(ControlFrameCodec.encodeMessageHeader(message, channel.alloc()), channel.voidPromise());
            write(message, length);
            return;
        }
        ByteBuf piece = batch;
        if (piece == null || piece.maxWritableBytes() < ControlFrameCodec.HEADER_BYTES + length) {
            writeBatch();
            piece = channel.alloc().directBuffer(FIRST_BATCH_BYTES, MAX_BATCH_BYTES);
            batch = piece;
        }
        ControlFrameCodec.appendMessage(piece, message);
        batchBytes += length;
        message.release();
    }

    private void writeBatch() {
        ByteBuf piece = batch;
        if (piece != null) {
            int bytes = batchBytes;
            batch = null;
            batchBytes = 0;
            write(piece, bytes);
        }
    }

    private void write(ByteBuf bytes, int messageBytes) {
        channel.write(bytes).addListener(sent -> owner.onSent(this, messageBytes, sent.isSuccess()));
    }

    /**
     * Sends a last frame and closes. Reads and drops what the peer sends for a moment: closing with unread bytes resets the connection, and the peer may miss the frame.
     */
    void sendAndHangUp(ControlFrame frame) {
        hangingUp = true;
        reader.discard();
        send(frame).addListener((ChannelFutureListener) sent -> {
            if (sent.isSuccess() && channel instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
                channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                channel.close();
            }
        });
    }

    /** Whether the connection closes after its last frame. */
    boolean isHangingUp() {
        return hangingUp;
    }

    /** Closes at once. */
    void close() {
        channel.close();
    }

    /** Subject of the peer's certificate, or an empty string. */
    String principal() {
        X509Certificate certificate = certificate();
        return certificate == null ? "" : certificate.getSubjectX500Principal().getName();
    }

    /** The peer's certificate, or null if it showed none. */
    @Nullable
    X509Certificate certificate() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return null;
        }
        try {
            return tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? certificate
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    @Nullable
    SslHandler tls() {
        return channel.pipeline().get(SslHandler.class);
    }

    @Override
    public void onReady(Channel ready) {
        owner.onReady(this);
    }

    @Override
    public void onFailure(Channel failed, Throwable cause) {
        owner.onFailure(this, cause);
    }

    @Override
    public void onInactive(Channel closed) {
        owner.onInactive(this);
    }
}
