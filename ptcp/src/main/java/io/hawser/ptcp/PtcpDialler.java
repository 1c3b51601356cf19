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
 * Dials sessions. The communication channel and all data channels are dialled by this side, to one address.
 *
 * <p>Thread: any.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
public final class PtcpDialler {
    private static final Logger LOG = LoggerFactory.getLogger(PtcpDialler.class);

    private final @Nullable ChannelDialler channels;
    private final HostLookup hosts;
    private final AddressRotation turns = new AddressRotation();

    /** Creates a dialler whose channels are made as the options say. */
    public PtcpDialler() {
        this(null, HostLookup.SYSTEM);
    }

    /** Creates a dialler whose channels are made by {@code channels}. */
    public PtcpDialler(ChannelDialler channels) {
        this(channels, HostLookup.SYSTEM);
    }

    PtcpDialler(@Nullable ChannelDialler channels, HostLookup hosts) {
        this.channels = channels;
        this.hosts = hosts;
    }

    /**
     * Dials a session on one loop of {@code group}.
     *
     * @param address resolved or not; a name is looked up anew, off the loop; where it has several addresses, an attempt after one in
     *     vain goes to the next
     * @param greeting what this side says of itself, at most 1 KiB
     * @param handler of this session alone
     * @return completes on the session's loop: after {@link PtcpHandler#onOpen}, or with a {@link PtcpException}, in which
     *     case the handler hears nothing at all. Cancelled on the loop, it closes what has been made of the session. Who ends
     *     the group cancels first: Netty does not close a channel that is registered in a loop's last turn
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

    /** Looking up a name blocks, so it has a thread of its own. */
    private void lookUp(
            EventLoop loop, InetSocketAddress address, DialledSession dialled, Promise<PtcpSession> promise) {
        Thread thread = new Thread(
                () -> {
                    try {
                        String name = address.getHostString();
                        InetAddress host = turns.next(name, hosts.all(name));
                        promise.addListener(done -> {
                            if (done.isSuccess()) {
                                turns.worked(name, host);
                            }
                        });
                        InetSocketAddress resolved = new InetSocketAddress(host, address.getPort());
                        startOn(loop, () -> dialled.start(resolved));
                    } catch (UnknownHostException | RuntimeException | Error e) { // else nobody would dial again
                        promise.tryFailure(Failures.ofDialler(ChannelDialler.text(address), e));
                    }
                },
                "hawser-resolve");
        thread.setDaemon(true);
        thread.start();
    }

    /** A loop that has ended meanwhile has nobody who waits for the session. */
    private static void startOn(EventLoop loop, Runnable start) {
        try {
            loop.execute(start);
        } catch (RejectedExecutionException e) {
            LOG.debug("the loop ended while a name was looked up", e);
        }
    }
}
