package io.hawser.ptcp;

import io.netty.channel.EventLoopGroup;

/** The event loops of all PTCP sockets of this process: daemons that live as long as it. */
final class SharedLoops {
    private static final int LOOPS_LIMIT = 4;

    private SharedLoops() {}

    static EventLoopGroup group() {
        return Holder.GROUP;
    }

    private static final class Holder {
        private static final EventLoopGroup GROUP =
                Transports.newGroup(Math.min(LOOPS_LIMIT, Runtime.getRuntime().availableProcessors()));
    }
}
