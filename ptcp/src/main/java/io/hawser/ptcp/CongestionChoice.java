package io.hawser.ptcp;

import io.hawser.ptcp.netty.TcpSocketAccess;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the congestion control of new sockets. The best is BBR, which fills a link in spite of some loss and does not forget the path in a pause; to a peer on the same machine it is CUBIC. A name that the kernel refused is not tried again; a transport that cannot choose, or a closed channel, says nothing about the kernel.
 *
 * <p>Thread: any.
 */
final class CongestionChoice {
    private static final Logger LOG = LoggerFactory.getLogger(CongestionChoice.class);
    private static final String BBR = "bbr";
    private static final String CUBIC = "cubic";
    private static final Set<String> REFUSED = ConcurrentHashMap.newKeySet();
    private static final Set<String> NOT_CHOSEN = ConcurrentHashMap.newKeySet();

    private CongestionChoice() {}

    /**
     * Sets what {@code tuning} says, before the channel is connected or when it was just accepted.
     *
     * @param peer the other end's address, if it is known
     */
    static void apply(Channel channel, PtcpTuning tuning, @Nullable SocketAddress peer) {
        String wanted = tuning.congestion();
        if (wanted.equals(PtcpTuning.KERNEL)) {
            return;
        }
        boolean best = wanted.equals(PtcpTuning.BEST);
        String name = best ? bestTo(peer) : wanted;
        if (!TcpSocketAccess.isTunable(channel)) {
            if (!best && NOT_CHOSEN.add(name)) {
                LOG.atWarn()
                        .addKeyValue("congestion", name)
                        .log("without epoll no congestion control can be chosen; the kernel's own is used");
            }
            return;
        }
        if (REFUSED.contains(name)
                || TcpSocketAccess.congestion(channel, name)
                || !channel.isOpen()
                || !REFUSED.add(name)) {
            return;
        }
        if (best) {
            LOG.atInfo().addKeyValue("congestion", name).log("not available here; the kernel's own is used");
        } else {
            LOG.atWarn()
                    .addKeyValue("congestion", name)
                    .log("the kernel does not have this congestion control, or does not allow it; its own is used");
        }
    }

    /** Within a machine there is no link to probe, and BBR's pacing costs a third of the rate. */
    private static String bestTo(@Nullable SocketAddress peer) {
        InetAddress address = peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
        return address != null && address.isLoopbackAddress() ? CUBIC : BBR;
    }

    /** Whether this channel's congestion control forgets the path in a pause; true if unknown. */
    static boolean isForgetful(Channel channel) {
        return !TcpSocketAccess.congestion(channel).startsWith(BBR);
    }
}
