package io.hawser.agenta.ftp.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a connection whose client begins a second TLS handshake within the first one's protection (renegotiation, TLS 1.2 only): it costs this
 * end a private-key operation each time, and has no use in FTP. The JDK refuses it only by a property of the whole process, which must be set
 * before the first use of TLS.
 *
 * <p>A record's type is never encrypted in TLS 1.2. After its ChangeCipherSpec a client sends one handshake record, its Finished; with TLS 1.3
 * at most its second hello follows such a record.
 *
 * <p>Thread: the loop of its one channel, below TLS.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed handshake or close shows as channelInactive
public final class RenegotiationGuard extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(RenegotiationGuard.class);
    private static final String TLS_1_3 = "TLSv1.3";
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int HANDSHAKE = 22;
    /** Type, version, length. */
    private static final int HEADER_BYTES = 5;

    private static final int LENGTH_AT = 3;

    private static final String REFUSED = "TLS renegotiation by a client refused; connection closed";

    /** A client's certificates and tickets need a few KiB. */
    private static final int MAX_BYTES_BEFORE_HANDSHAKE = 128 << 10;

    private final Predicate<String> isNews;
    private long bytesBeforeHandshake;
    private boolean handshakeIsDone;
    private int headerBytes;
    private int type;
    private int bodyBytes;
    private boolean cipherChanged;
    private boolean finished;

    private RenegotiationGuard(Predicate<String> isNews) {
        this.isNews = isNews;
    }

    /** Puts {@code tls} at the beginning of {@code pipeline}, and a guard before it, which leaves when TLS 1.3 is agreed. */
    public static void addFirst(ChannelPipeline pipeline, SslHandler tls, Predicate<String> isNews) {
        RenegotiationGuard guard = new RenegotiationGuard(isNews);
        pipeline.addFirst(guard, tls);
        tls.handshakeFuture().addListener(shaken -> {
            guard.handshakeIsDone = true;
            if (shaken.isSuccess() && tls.engine().getSession().getProtocol().equals(TLS_1_3)) {
                removeFrom(pipeline);
            }
        });
    }

    /** What follows is not TLS, or needs no guard. */
    public static void removeFrom(ChannelPipeline pipeline) {
        if (pipeline.get(RenegotiationGuard.class) != null) {
            pipeline.remove(RenegotiationGuard.class);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        bytesBeforeHandshake += handshakeIsDone ? 0 : bytes.readableBytes();
        if (bytesBeforeHandshake > MAX_BYTES_BEFORE_HANDSHAKE) {
            bytes.release(); // TLS would keep all of it until its computations are done
            ctx.close();
            return;
        }
        if (isSecondHandshakeIn(bytes)) {
            bytes.release();
            if (isNews.test(REFUSED)) {
                LOG.atWarn().addKeyValue("peer", ctx.channel().remoteAddress()).log(REFUSED);
            }
            ctx.close();
            return;
        }
        ctx.fireChannelRead(message);
    }

    /** Looks at the headers of records, however they are cut. */
    private boolean isSecondHandshakeIn(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end) {
            if (headerBytes == HEADER_BYTES && bodyBytes > 0) {
                int skipped = Math.min(bodyBytes, end - at);
                bodyBytes -= skipped;
                at += skipped;
            } else {
                at = header(bytes.getUnsignedByte(at), at);
                if (headerBytes == HEADER_BYTES && isSecondHandshake()) {
                    return true;
                }
            }
            if (headerBytes == HEADER_BYTES && bodyBytes == 0) {
                headerBytes = 0;
            }
        }
        return false;
    }

    private int header(int value, int at) {
        if (headerBytes == 0) {
            type = value;
            bodyBytes = 0;
        } else if (headerBytes >= LENGTH_AT) {
            bodyBytes = bodyBytes << Byte.SIZE | value;
        }
        headerBytes++;
        return at + 1;
    }

    private boolean isSecondHandshake() {
        if (type == CHANGE_CIPHER_SPEC) {
            cipherChanged = true;
        } else if (type == HANDSHAKE && cipherChanged) {
            boolean second = finished;
            finished = true;
            return second;
        }
        return false;
    }
}
