package io.hawser.ptcp;

import io.hawser.ptcp.netty.SocketBlockPool;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;

/** The event loops and packet memory that all PTCP sockets of this process share. The threads are daemons and never end. */
final class SharedSocketResources {
    private static final int LOOPS_LIMIT = 4;

    private SharedSocketResources() {}

    static EventLoopGroup group() {
        return Holder.GROUP;
    }

    /** The memory of packets. */
    static SocketBlockPool blocks() {
        return Holder.BLOCKS;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks end by themselves
    private static void after(long seconds, Runnable task) {
        Holder.GROUP.schedule(task, seconds, TimeUnit.SECONDS);
    }

    private static final class Holder {
        private static final SocketBlockPool BLOCKS = new SocketBlockPool(SharedSocketResources::after);

        private static final EventLoopGroup GROUP = NettyTransports.newGroup(
                Math.min(LOOPS_LIMIT, Runtime.getRuntime().availableProcessors()));
    }
}
