package io.hawser.ptcp;

import io.hawser.ptcp.netty.ChannelEvents;
import io.hawser.ptcp.netty.ExactAllocator;
import io.hawser.ptcp.netty.ExactReader;
import io.hawser.ptcp.netty.FrameReader;
import io.hawser.ptcp.netty.ReadTarget;
import io.hawser.ptcp.netty.TlsGate;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection, from its first byte: control frames until it has joined as a data channel. Whom its events go to
 * changes as it becomes something.
 *
 * <p>Thread: the channel's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class Connection implements ChannelEvents {
    private static final long LINGER_MILLIS = 1000;
    /** A longer message goes by itself, without being copied. */
    private static final int COPIED_BYTES = 2 << 10;

    private static final int FIRST_TOGETHER_BYTES = 1 << 10;
    private static final int TOGETHER_BYTES = 16 << 10;

    /** Whom a connection's events go to. */
    interface Owner {
        /** The connection can be used. */
        default void onReady(Connection connection) {}

        void onFrame(Connection connection, ControlFrame frame);

        /** The peer broke the format, TLS failed or the connection was reset; the owner closes it. */
        void onFailure(Connection connection, Throwable cause);

        /** Messages of so many bytes together have left, or never will. May come behind {@link #onInactive}. */
        default void onSent(Connection connection, int bytes, boolean success) {}

        /** It is closed. The last call of an event. */
        void onInactive(Connection connection);
    }

    private final Channel channel;
    private final ExactReader reader;
    private final FrameReader frames;
    private Owner owner;
    private boolean flushDue;
    /** Messages of this turn of the loop, with their headers. */
    private @Nullable ByteBuf together;

    private int togetherBytes;
    private boolean hangingUp;

    private Connection(Channel channel, Owner owner, boolean tls) {
        this.channel = channel;
        this.owner = owner;
        reader = new ExactReader(this, tls);
        frames = new FrameReader(channel.alloc(), frame -> this.owner.onFrame(this, frame));
        reader.target(frames);
        channel.config().setRecvByteBufAllocator(new ExactAllocator(reader, tls));
    }

    /** Makes an accepted channel a connection. */
    static Connection accept(Channel channel, Owner owner, PtcpOptions options) {
        SslContext ssl = options.ssl();
        Connection connection = new Connection(channel, owner, ssl != null);
        if (ssl != null) {
            channel.pipeline().addLast(new TlsGate(ssl, options.connectTimeout().toMillis()));
        }
        channel.pipeline().addLast(connection.reader);
        return connection;
    }

    /** Makes a channel that was dialled a connection. */
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

    /** Who the events go to from here on. */
    void owner(Owner next) {
        owner = next;
    }

    /** The peer is accepted as a communication channel: frames may be long, and are read many at a time. */
    void becomeCommunicationChannel(Owner next) {
        owner = next;
        frames.peerIsKnown();
        reader.copyFromLargeReads();
    }

    /** The connection carries packets from here on. Reading goes on with the next {@link #resume()}. */
    void becomeDataChannel(Owner next, ReadTarget packets) {
        owner = next;
        reader.target(packets);
    }

    /** Reads no further frame from the peer, or goes on. */
    void pauseFrames(boolean on) {
        frames.pause(on);
        if (!on) {
            reader.resume();
        }
    }

    /** Reads on, if reading was put off. */
    void resume() {
        reader.resume();
    }

    boolean isPutOff() {
        return reader.isPutOff();
    }

    /** Sends a frame at once, behind the messages of this turn. */
    ChannelFuture send(ControlFrame frame) {
        writeTogether();
        return channel.writeAndFlush(ControlFrameCodec.encode(frame, channel.alloc()));
    }

    /**
     * Sends a user's message with the others of this turn of the loop; short ones as one piece of memory, which costs the socket and the
     * memory's allocator as much as one of them would. The owner is told when they are gone. Takes ownership.
     */
    void sendMessage(ByteBuf message) {
        if (!flushDue) {
            flushDue = true;
            channel.eventLoop().execute(() -> {
                flushDue = false;
                writeTogether();
                channel.flush();
            });
        }
        int length = message.readableBytes();
        if (length > COPIED_BYTES) {
            writeTogether();
            channel.write(ControlFrameCodec.encodeMessageHeader(message, channel.alloc()), channel.voidPromise());
            write(message, length);
            return;
        }
        ByteBuf piece = together;
        if (piece == null || piece.maxWritableBytes() < ControlFrameCodec.HEADER_BYTES + length) {
            writeTogether();
            piece = channel.alloc().directBuffer(FIRST_TOGETHER_BYTES, TOGETHER_BYTES);
            together = piece;
        }
        ControlFrameCodec.appendMessage(piece, message);
        togetherBytes += length;
        message.release();
    }

    private void writeTogether() {
        ByteBuf piece = together;
        if (piece != null) {
            int bytes = togetherBytes;
            together = null;
            togetherBytes = 0;
            write(piece, bytes);
        }
    }

    private void write(ByteBuf bytes, int messageBytes) {
        channel.write(bytes).addListener(sent -> owner.onSent(this, messageBytes, sent.isSuccess()));
    }

    /**
     * Sends a last frame and closes. What the peer still sends is read and thrown away for a moment: a connection that is
     * closed with unread bytes is reset, and the peer might not see the frame.
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

    /** Whether a last frame is on its way, behind which the connection closes by itself. */
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
