package io.hawser.core.transport;

import io.hawser.core.config.HostPort;
import io.hawser.ptcp.PtcpDialler;
import io.hawser.ptcp.PtcpErrorCode;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.PtcpSession;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/** Dials brokers over PTCP, the next address of the list at each attempt. Thread: the group's only loop. */
final class SessionDialler {
    private final PtcpDialler dialler = new PtcpDialler();
    private final EventLoopGroup group;
    private final List<HostPort> brokers;
    private final PtcpOptions options;
    private int attempts;

    SessionDialler(EventLoopGroup group, List<HostPort> brokers, PtcpOptions options) {
        this.group = group;
        this.brokers = List.copyOf(brokers);
        this.options = options;
    }

    /**
     * Dials. Ends with the handler's {@code onOpen}, or with {@code failed} and no call to the handler; both on the loop and not inside this
     * call.
     *
     * @return cancels the attempt, on the loop: then neither is called. Has no effect on an open session
     */
    Runnable dial(byte[] greeting, PtcpHandler handler, Consumer<PtcpException> failed) {
        HostPort broker = brokers.get(attempts++ % brokers.size());
        InetSocketAddress address = InetSocketAddress.createUnresolved(broker.host(), broker.port());
        Future<PtcpSession> session = dialler.connect(group, address, greeting, options, handler);
        var unused = session.addListener(done -> {
            Throwable cause = done.cause();
            if (done.isCancelled()) {
                return;
            }
            if (cause instanceof PtcpException known) {
                failed.accept(known);
            } else if (cause != null) {
                failed.accept(new PtcpException(PtcpErrorCode.CONNECTION_LOST, String.valueOf(cause)));
            }
        });
        return () -> session.cancel(false);
    }
}
