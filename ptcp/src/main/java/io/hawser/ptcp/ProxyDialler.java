package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Dials through an HTTP proxy with CONNECT (RFC 9110, section 9.3.6). The proxy looks the acceptor's name up. After a 407 the dialler tries once more on a new connection, with credentials.
 *
 * <p>Thread: any; channels belong to their loops.
 */
public final class ProxyDialler implements ChannelDialler {
    private static final int AUTHENTICATION_REQUIRED = 407;
    private static final int ATTEMPTS = 2;

    private final HttpProxy proxy;

    public ProxyDialler(HttpProxy proxy) {
        this.proxy = proxy;
    }

    @Override
    public boolean takesNames(InetSocketAddress address) {
        return true;
    }

    @Override
    public ChannelFuture dial(EventLoop loop, InetSocketAddress address, ChannelHandler pipeline, Duration timeout) {
        Attempt attempt = new Attempt(loop, address, pipeline, timeout);
        attempt.start();
        return attempt.promise();
    }

    private static String target(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** One dial, of one connection or two. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is closed is not waited for
    private final class Attempt {
        private final EventLoop loop;
        private final InetSocketAddress address;
        private final ChannelHandler pipeline;
        private final Duration timeout;
        private int left = ATTEMPTS;
        private volatile @Nullable Channel current;
        private @Nullable Latest promise;

        Attempt(EventLoop loop, InetSocketAddress address, ChannelHandler pipeline, Duration timeout) {
            this.loop = loop;
            this.address = address;
            this.pipeline = pipeline;
            this.timeout = timeout;
        }

        ChannelFuture promise() {
            Latest made = promise;
            if (made == null) {
                throw new IllegalStateException("it has not been started");
            }
            return made;
        }

        /** Creates the promise before the connection, because the proxy may answer at once. */
        void start() {
            left--;
            InetSocketAddress where = resolved(proxy.address());
            ChannelFuture registered = ChannelDialler.bootstrap(
                            loop,
                            new ChannelInitializer<>() {
                                @Override
                                protected void initChannel(Channel channel) {
                                    channel.pipeline().addLast(new Negotiation(Attempt.this));
                                }
                            },
                            timeout)
                    .register();
            Channel channel = registered.channel();
            current = channel;
            if (promise == null) {
                promise = new Latest(channel, this);
                ScheduledFuture<?> deadline = loop.schedule(
                        () -> fail(new IOException("the proxy did not answer in time")),
                        timeout.toMillis(),
                        TimeUnit.MILLISECONDS);
                promise.addListener(done -> deadline.cancel(false));
            }
            registered.addListener(made -> {
                if (made.isSuccess()) {
                    connect(channel, where);
                } else {
                    fail(new IOException(made.cause()));
                }
            });
        }

        /** Looks the proxy's name up at each dial; it is usually in the machine's cache. */
        private InetSocketAddress resolved(InetSocketAddress where) {
            return where.isUnresolved() ? new InetSocketAddress(where.getHostString(), where.getPort()) : where;
        }

        private void connect(Channel channel, InetSocketAddress where) {
            if (where.isUnresolved()) {
                fail(new IOException("its name is not known here"));
                return;
            }
            channel.connect(where).addListener(done -> {
                if (!done.isSuccess()) {
                    fail(new IOException("cannot connect to it: " + done.cause().getMessage(), done.cause()));
                }
            });
        }

        void again(Channel old) {
            old.close();
            if (left > 0 && !promise().isDone()) {
                start();
            } else {
                fail(new IOException("it asks for authentication again and again"));
            }
        }

        void fail(IOException cause) {
            Latest made = promise;
            if (made != null
                    && made.tryFailure(new PtcpException(
                            PtcpErrorCode.CONNECTION_LOST,
                            "no connection through proxy " + ChannelDialler.text(proxy.address()) + ": "
                                    + cause.getMessage()))) {
                Channel open = current;
                if (open != null) {
                    open.close();
                }
            }
        }

        void established(ChannelHandlerContext context) {
            Latest made = promise;
            if (made != null && made.trySuccess(null)) {
                context.pipeline().addLast(pipeline);
            } else {
                context.close();
            }
        }
    }

    /** A promise whose channel is the latest connection, so that a cancelled dial closes that one. */
    private static final class Latest extends DefaultChannelPromise {
        private final Attempt attempt;

        Latest(Channel first, Attempt attempt) {
            super(first, first.eventLoop());
            this.attempt = attempt;
        }

        @Override
        public Channel channel() {
            Channel latest = attempt.current;
            return latest == null ? super.channel() : latest;
        }
    }

    /** Asks for the connection, and reads the head of the answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by channelInactive
    private final class Negotiation extends ChannelInboundHandlerAdapter {
        private final Attempt attempt;
        private final ProxyAnswer answer = new ProxyAnswer();
        private boolean authorized;
        private boolean over;

        Negotiation(Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            String target = target(attempt.address);
            String authorization = proxy.authorization(target);
            authorized = authorization != null;
            String request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
                    + (authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n") + "\r\n";
            context.writeAndFlush(Unpooled.copiedBuffer(request, ProxyAnswer.BYTES));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            try {
                while (!over && bytes.isReadable()) {
                    over = answer.add(bytes.readByte());
                    if (over) {
                        onHead(context, bytes.isReadable());
                    }
                }
            } finally {
                bytes.release();
            }
        }

        private void onHead(ChannelHandlerContext context, boolean more) {
            int status = answer.status();
            if (answer.isTooLong()) {
                attempt.fail(new IOException("its answer is no answer to CONNECT"));
            } else if (status == ProxyAnswer.NONE) {
                attempt.fail(new IOException("it does not speak HTTP"));
            } else if (status / 100 == 2 && more) {
                attempt.fail(new IOException("the acceptor spoke first: is that a PTCP port?"));
            } else if (status / 100 == 2) {
                context.pipeline().remove(this);
                attempt.established(context);
            } else if (status == AUTHENTICATION_REQUIRED) {
                String hopeless = proxy.challenged(answer.challenges(), authorized);
                if (hopeless == null) {
                    attempt.again(context.channel());
                } else {
                    attempt.fail(new IOException(hopeless));
                }
            } else {
                attempt.fail(new IOException(
                        "it refused " + target(attempt.address) + " with '" + answer.firstLine() + "'"));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!over) {
                attempt.fail(new IOException("it closed the connection before it answered"));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            attempt.fail(new IOException(String.valueOf(cause.getMessage()), cause));
        }
    }
}
