package io.hawser.ptcp;

import io.hawser.ptcp.netty.EpollRegistrationFix;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates event loops on the best transport: epoll where the system has it, NIO elsewhere or if the system property {@value #NIO_PROPERTY} is {@code true}. Channel types follow the group, so both transports may be in use at once.
 *
 * <p>Any thread may call any method; none blocks
 */
public final class NettyTransports {
    /** Set to {@code true} to use NIO also where there is epoll. */
    public static final String NIO_PROPERTY = "hawser.transport.nio";

    private static final int KEEP_ALIVE_IDLE_SECONDS = 60;
    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
    private static final int KEEP_ALIVE_PROBES = 4;
    private static final AtomicInteger THREADS = new AtomicInteger();

    static {
        NettyLogging.useSlf4j();
    }

    private NettyTransports() {}

    /** A group of {@code threads} loops on the best transport. Its threads are daemons named {@code hawser-net-N}. */
    public static EventLoopGroup newGroup(int threads) {
        boolean nio = Boolean.getBoolean(NIO_PROPERTY) || !Epoll.isAvailable();
        return nio ? newNioGroup(threads) : newGroup(threads, EpollRegistrationFix.newFactory());
    }

    /** One loop on the best transport. Its thread is a daemon named {@code name}. */
    public static EventLoopGroup newLoop(String name) {
        boolean nio = Boolean.getBoolean(NIO_PROPERTY) || !Epoll.isAvailable();
        ThreadFactory factory = task -> daemon(task, name);
        return new MultiThreadIoEventLoopGroup(
                1, factory, nio ? NioIoHandler.newFactory() : EpollRegistrationFix.newFactory());
    }

    /** A group on NIO. */
    public static EventLoopGroup newNioGroup(int threads) {
        return newGroup(threads, NioIoHandler.newFactory());
    }

    private static EventLoopGroup newGroup(int threads, IoHandlerFactory transport) {
        ThreadFactory factory = task -> daemon(task, "hawser-net-" + THREADS.getAndIncrement());
        return new MultiThreadIoEventLoopGroup(threads, factory, transport);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new io.netty.util.concurrent.FastThreadLocalThread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** The kind of socket that can be registered with {@code group}. */
    public static Class<? extends SocketChannel> socketChannel(EventLoopGroup group) {
        return isEpoll(group) ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** The kind of listening socket that can be registered with {@code group}. */
    public static Class<? extends ServerSocketChannel> serverSocketChannel(EventLoopGroup group) {
        return isEpoll(group) ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /**
     * Has the kernel probe idle connections, as data channels may be: routers then keep them, and a dead one is found before the next byte.
     */
    static void keepAlive(Bootstrap bootstrap, EventLoopGroup group) {
        bootstrap.option(ChannelOption.SO_KEEPALIVE, true);
        if (isEpoll(group)) {
            bootstrap
                    .option(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS)
                    .option(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS)
                    .option(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_PROBES);
        }
    }

    private static boolean isEpoll(EventLoopGroup group) {
        return group instanceof IoEventLoopGroup io && io.isCompatible(EpollIoHandle.class);
    }
}
