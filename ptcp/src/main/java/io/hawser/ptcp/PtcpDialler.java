package io.hawser.ptcp;

import io.hawser.ptcp.wire.FrameLimits;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dials sessions: the communication channel and all data channels, to one address.
 *
 * <p>Any thread may call any method; none blocks.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
public final class PtcpDialler {
    private static final Logger LOG = LoggerFactory.getLogger(PtcpDialler.class);

    private final @Nullable ChannelDialler channels;
    private final HostLookup hosts;
    private final AddressRotation rotation = new AddressRotation();

    /** Looks names up. It may block. */
    @FunctionalInterface
    interface HostLookup {
        /** All addresses of a name, one at least. */
        InetAddress[] all(String name) throws UnknownHostException;
    }

    /** Creates a dialler that connects as {@link PtcpOptions#channels} says. */
    public PtcpDialler() {
        this(null, InetAddress::getAllByName);
    }

    /** Creates a dialler that connects through {@code channels}, whatever the options say. */
    public PtcpDialler(ChannelDialler channels) {
        this(channels, InetAddress::getAllByName);
    }

    PtcpDialler(@Nullable ChannelDialler channels, HostLookup hosts) {
        this.channels = channels;
        this.hosts = hosts;
    }

    /**
     * Dials a session on one loop of {@code group}.
     *
     * @param address resolved or not. A name is looked up at each dial, on the thread {@code hawser-resolve}; if it has several
     *     addresses, the dial after a failed one takes the next
     * @param greeting for the acceptor, at most 1 KiB
     * @param handler of this session alone
     * @return completes on the session's loop, after {@link PtcpHandler#onOpen}; or fails with a {@link PtcpException}, and then the
     *     handler is never called. Cancelling it on the loop closes what exists of the session. Cancel it before you shut the group
     *     down: Netty does not close a channel that is registered in a loop's last pass
     * @throws IllegalArgumentException if the greeting is too long
     */
    public Future<PtcpSession> connect(
            EventLoopGroup group,
            InetSocketAddress address,
            byte[] greeting,
            PtcpOptions options,
            PtcpHandler handler) {
        if (greeting.length > FrameLimits.GREETING_BYTES) {
            throw new IllegalArgumentException("a greeting of " + greeting.length + " bytes");
        }
        EventLoop loop = group.next();
        ChannelDialler through = channels == null ? options.channels() : channels;
        Promise<PtcpSession> promise = loop.newPromise();
        DialledSession dialled =
                new DialledSession(through, loop, address, greeting.clone(), options, handler, promise);
        if (address.isUnresolved() && !through.takesNames(address)) {
            lookUp(loop, address, dialled, promise);
        } else {
            loop.execute(() -> dialled.start(address));
        }
        return promise;
    }

    /** A look-up blocks, so it has its own thread. */
    private void lookUp(
            EventLoop loop, InetSocketAddress address, DialledSession dialled, Promise<PtcpSession> promise) {
        Thread thread = new Thread(
                () -> {
                    try {
                        String name = address.getHostString();
                        InetAddress host = rotation.next(name, hosts.all(name));
                        promise.addListener(done -> {
                            if (done.isSuccess()) {
                                rotation.worked(name, host);
                            }
                        });
                        InetSocketAddress resolved = new InetSocketAddress(host, address.getPort());
                        startOn(loop, () -> dialled.start(resolved));
                    } catch (UnknownHostException
                            | RuntimeException
                            | Error e) { // an uncaught one would leave the promise open
                        promise.tryFailure(FailureTranslator.ofDialler(ChannelDialler.text(address), e));
                    }
                },
                "hawser-resolve");
        thread.setDaemon(true);
        thread.start();
    }

    /** If the loop ended meanwhile, nothing waits for the session. */
    private static void startOn(EventLoop loop, Runnable start) {
        try {
            loop.execute(start);
        } catch (RejectedExecutionException e) {
            LOG.debug("The loop ended during a name look-up", e);
        }
    }
}
