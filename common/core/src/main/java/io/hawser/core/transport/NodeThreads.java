package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.config.HostPort;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.wire.Greeting;
import io.hawser.ptcp.NettyTransports;
import io.hawser.ptcp.PtcpOptions;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Owns the threads of an agent: one network loop, which owns the protocol state, and the digest threads.
 *
 * <p>Thread: any.
 */
public final class NodeThreads implements AutoCloseable {
    private static final Duration FIRST_RECONNECT = Duration.ofMillis(50);
    /** Each address of the list is dialled at least this often. */
    private static final Duration RECONNECT = Duration.ofSeconds(1);

    private static final long HANG_UP_SECONDS = 1;
    private static final long STOP_SECONDS = 5;

    private final EventLoopGroup group = NettyTransports.newGroup(1);
    private final EventLoop loop = group.next();
    private final DigestThreads digests = DigestThreads.start();

    /** The event loop group, which has one loop. */
    public EventLoopGroup group() {
        return group;
    }

    public EventLoop loop() {
        return loop;
    }

    public DigestThreads digests() {
        return digests;
    }

    /**
     * A connection to a broker that does not dial yet.
     *
     * @param opening how often the node's data directory was opened
     */
    public BrokerConnection connection(
            List<HostPort> brokers,
            PtcpOptions options,
            Greeting.Role role,
            NodeId node,
            long opening,
            FragmentBufferPool pool,
            BrokerConnection.Listener listener) {
        return new BrokerConnection(
                new SessionDialler(group, brokers, options),
                session -> GreetingFactory.greeting(role, node, opening, session),
                loop,
                pool,
                RetryPolicy.forever(FIRST_RECONNECT, longer(FIRST_RECONNECT, RECONNECT.dividedBy(brokers.size()))),
                listener);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** A task for the loop, which may fail. */
    @FunctionalInterface
    public interface Task<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** Runs a task on the loop and waits for it. Not to be called on the loop. */
    public <T extends @Nullable Object> T onLoop(Task<T> task) throws IOException {
        assert !loop.inEventLoop();
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(task.run());
            } catch (Throwable e) { // also errors: the caller waits for the result
                result.completeExceptionally(e);
            }
        });
        return await(result);
    }

    /** Waits for a future and throws its failure. */
    public static <T extends @Nullable Object> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting", e);
        }
    }

    /**
     * Closes a connection's session before the loop ends. Waits at most {@value #HANG_UP_SECONDS} s for the broker. Not to be called on the
     * loop.
     */
    public void hangUp(BrokerConnection connection) {
        assert !loop.inEventLoop();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(() -> connection.close(() -> closed.complete(true)));
        boolean unused = closed.completeOnTimeout(false, HANG_UP_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        digests.close();
    }
}
