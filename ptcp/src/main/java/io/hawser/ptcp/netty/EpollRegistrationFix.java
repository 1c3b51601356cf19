package io.hawser.ptcp.netty;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Netty's epoll handler without one of its defects (seen in 4.2.18): when a channel waits for no event, Netty removes its descriptor from the epoll set but does not record that, and the next registration fails with
 * {@code epoll_ctl … ENOENT}, which closes the channel. That happens to every channel whose peer sends FIN while {@code autoRead} is off. Unread bytes are then lost.
 *
 * <p>This handler keeps such a channel in the set for errors, which epoll always reports; but each once only (edge-triggered). Else
 * one whose two halves are both shut down ({@code EPOLLHUP}, to which Netty does nothing) would keep its loop running for ever.
 *
 * <p>Thread: the loop that it belongs to.
 */
public final class EpollRegistrationFix implements IoHandler {
    private static final EpollIoOps ERRORS_ONCE = EpollIoOps.EPOLLERR.with(EpollIoOps.EPOLLET);

    private final IoHandler epoll;

    private EpollRegistrationFix(IoHandler epoll) {
        this.epoll = epoll;
    }

    /** Makes the handlers of an event loop group. */
    public static IoHandlerFactory newFactory() {
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        return (ThreadAwareExecutor executor) -> new EpollRegistrationFix(epoll.newHandler(executor));
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return epoll.run(context);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new LastingRegistration(epoll.register(handle));
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    private record LastingRegistration(IoRegistration registration) implements IoRegistration {
        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature
        public <T> T attachment() {
            return registration.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            return registration.submit(ops.equals(EpollIoOps.NONE) ? ERRORS_ONCE : ops);
        }

        @Override
        public boolean isValid() {
            return registration.isValid();
        }

        @Override
        public boolean cancel() {
            return registration.cancel();
        }
    }
}
