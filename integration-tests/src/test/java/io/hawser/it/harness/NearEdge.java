package io.hawser.it.harness;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.config.HostPort;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteCalls;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.transport.BrokerConnection;
import io.hawser.core.transport.NodeThreads;
import io.hawser.core.wire.Greeting;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Somebody who asks a broker about files, in this process. Thread: any. */
public final class NearEdge implements AutoCloseable {
    /** The longest block. */
    public static final int BLOCK = 1 << 20;

    /** How long it waits for a far end that is away. */
    public static final Duration PATIENCE = TestTimes.LIMIT;

    public static final CallTimeouts LOOK = CallTimeouts.whileAway(PATIENCE);

    private static final int WINDOW = 8;
    private static final int PAGES = 2;

    private final FragmentBufferPool reads = new FragmentBufferPool(BLOCK, WINDOW);
    private final FragmentBufferPool pages = new FragmentBufferPool(BLOCK, PAGES);
    private final NodeThreads net = new NodeThreads();
    private final BrokerConnection connection;
    private final RemoteCalls calls = new RemoteCalls(reads, pages, net.loop(), System::nanoTime);

    /** Begins to connect. */
    public NearEdge(HostPort broker) throws IOException {
        connection = net.connection(
                List.of(broker),
                PtcpOptions.DEFAULT,
                Greeting.Role.CLIENT,
                new NodeId(1, 2),
                1,
                new FragmentBufferPool(BLOCK, 2),
                new BrokerConnection.Listener() {
                    @Override
                    public void onConnected() {}

                    @Override
                    public void onDisconnected(String reason) {}
                });
        net.onLoop(() -> {
            connection.calls(calls.handler());
            connection.start();
            return true;
        });
    }

    /** What a question on the loop does. */
    public interface Question<T> extends Consumer<Asking<T>> {}

    /** The files, and where the answer goes. */
    public record Asking<T>(RemoteFiles files, Outcome.Callback<T> done) {}

    /** Asks. */
    public <T> CompletableFuture<Outcome<T>> ask(Question<T> question) {
        CompletableFuture<Outcome<T>> answer = new CompletableFuture<>();
        net.loop().execute(() -> question.accept(new Asking<>(calls, answer::complete)));
        return answer;
    }

    /** A file that will be read, eight blocks at a time, as far as {@link Download#upTo} says. */
    public Download download(Topic topic, String name, int length) {
        return new Download(topic, name, length);
    }

    /** Buffers that are under way or held. */
    public int buffersInUse() {
        return reads.capacity() - reads.available() + pages.capacity() - pages.available();
    }

    @Override
    public void close() {
        net.hangUp(connection);
        net.close();
    }

    /** A file on its way; progress may be asked for by any thread. */
    public final class Download {
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final AtomicInteger blocks = new AtomicInteger();
        private final Topic topic;
        private final String name;
        private final byte[] bytes;
        private long asked;
        private int limit;
        private int underWay;

        private Download(Topic topic, String name, int length) {
            this.topic = topic;
            this.name = name;
            this.bytes = new byte[length];
        }

        /** The file's bytes. */
        public CompletableFuture<byte[]> whole() {
            return whole;
        }

        /** How many blocks are here. */
        public int blocks() {
            return blocks.get();
        }

        /** From now on it reads as far as to that many blocks. */
        public Download upTo(int blockCount) {
            net.loop().execute(() -> {
                limit = blockCount;
                fill();
            });
            return this;
        }

        private void fill() {
            while (underWay < WINDOW && asked < Math.min(bytes.length, (long) limit * BLOCK)) {
                long offset = asked;
                asked += BLOCK;
                underWay++;
                var unused = calls.read(topic, name, "", offset, BLOCK, PATIENCE, block -> take(offset, block));
            }
        }

        private void take(long offset, Outcome<RemoteBlock> outcome) {
            underWay--;
            if (outcome.isRefused()) {
                whole.completeExceptionally(new IOException(String.valueOf(outcome.refusal())));
                return;
            }
            RemoteBlock block = outcome.get();
            block.buffer().payload(0, block.length()).get(bytes, (int) offset, block.length());
            block.buffer().release();
            blocks.incrementAndGet();
            fill();
            if (underWay == 0 && asked >= bytes.length) {
                whole.complete(bytes);
            }
        }
    }
}
