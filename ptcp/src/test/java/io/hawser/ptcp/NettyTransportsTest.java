package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.netty.EpollRegistrationFix;
import io.hawser.ptcp.testkit.TestTimes;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettyTransportsTest {
    private static final int TIMERS = 20;

    /**
     * With Netty's own epoll handler (4.2.18) this channel is closed at the last step by {@code epoll_ctl … ENOENT}: the end of an
     * FTP upload while there is no memory for it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void channelWhoseEndCameWhileItWasNotReadCanBeReadAndWrittenLater(String transport) throws Exception {
        EventLoopGroup group = "nio".equals(transport) ? NettyTransports.newNioGroup(1) : NettyTransports.newGroup(1);
        Queue<Channel> accepted = new ConcurrentLinkedQueue<>();
        AtomicInteger received = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(NettyTransports.serverSocketChannel(group))
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        accepted.add(ctx.channel());
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ByteBuf bytes = (ByteBuf) message;
                        received.addAndGet(bytes.readableBytes());
                        bytes.release();
                    }

                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        ended.compareAndSet(false, event instanceof ChannelInputShutdownEvent);
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        try (Socket client = new Socket("127.0.0.1", ((InetSocketAddress) listener.localAddress()).getPort())) {
            client.getOutputStream().write(new byte[1000]);
            client.shutdownOutput();
            await().until(() -> !accepted.isEmpty());
            Channel channel = accepted.remove();
            TimeUnit.MILLISECONDS.sleep(200); // the FIN has no event that could be waited for

            await().until(
                            () -> { // reads for a moment, until the loop had its turn
                                channel.config().setAutoRead(true);
                                TimeUnit.MILLISECONDS.sleep(20);
                                channel.config().setAutoRead(false);
                                return received.get() == 1000 && ended.get();
                            });
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {42})).sync();
            assertThat(client.getInputStream().read()).isEqualTo(42);
            assertThat(channel.isOpen()).isTrue();
            channel.close().sync();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Epoll reports such a channel for as long as it is open. A loop that is told so each time does nothing else. */
    @Test
    void channelWithBothHalvesShutDownDoesNotKeepItsLoopBusy() throws Exception {
        AtomicInteger turns = new AtomicInteger();
        IoHandlerFactory factory = EpollRegistrationFix.newFactory();
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, executor -> counting(factory.newHandler(executor), turns));
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        if (event instanceof ChannelInputShutdownEvent) {
                            ctx.channel().config().setAutoRead(false);
                            ((DuplexChannel) ctx.channel())
                                    .shutdownOutput()
                                    .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
                        }
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        try (Socket client = new Socket("127.0.0.1", ((InetSocketAddress) listener.localAddress()).getPort())) {
            client.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            int before = turns.get();

            for (int i = 0; i < TIMERS; i++) {
                group.schedule(() -> {}, 10, TimeUnit.MILLISECONDS).sync();
            }

            assertThat(turns.get() - before).isLessThan(10 * TIMERS);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Counts how often the loop looks for events. */
    private static IoHandler counting(IoHandler handler, AtomicInteger turns) {
        return (IoHandler) Proxy.newProxyInstance(
                IoHandler.class.getClassLoader(), new Class<?>[] {IoHandler.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("run")) {
                        turns.incrementAndGet();
                    }
                    return method.invoke(handler, arguments);
                });
    }

    @Test
    void loopsAreDaemonsWithTheirName() throws Exception {
        EventLoopGroup group = NettyTransports.newGroup(1);
        Thread thread = group.submit(Thread::currentThread).get();
        assertThat(thread.getName()).startsWith("hawser-net-");
        assertThat(thread.isDaemon()).isTrue();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** A quiet data channel is not forgotten by the routers on its way, and found dead by itself if it was. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void kernelLooksAfterWhatIsDialled(String transport) throws Exception {
        EventLoopGroup group = "nio".equals(transport) ? NettyTransports.newNioGroup(1) : NettyTransports.newGroup(1);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = ChannelDialler.DIRECT
                    .dial(
                            group.next(),
                            (InetSocketAddress) server.getLocalSocketAddress(),
                            new ChannelInboundHandlerAdapter(),
                            TestTimes.LIMIT)
                    .sync()
                    .channel();
            assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
            if (NettyTransports.socketChannel(group) == EpollSocketChannel.class) {
                assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPIDLE))
                        .isLessThanOrEqualTo(60);
            }
            channel.close().sync();
        } finally {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
