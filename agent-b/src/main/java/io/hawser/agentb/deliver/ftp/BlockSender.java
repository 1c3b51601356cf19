package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.blocks.BlockConnectionListener;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.thread.DaemonThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The data connections of one MODE E upload. Each takes the next missing block as soon as it can send one, and ends with EOD; the last one also
 * sends EOF with the number of connections.
 *
 * <p>Thread: one of its own for each connection; {@link #abandon} any.
 */
final class BlockSender implements AutoCloseable {
    static final int BLOCK_BYTES = LandedFile.STEP_BYTES;

    private final UploadSource source;
    private final FragmentRanges sent;
    private final InetSocketAddress address;
    private final int connections;
    private final int connectMillis;
    private final LoginSecurity security;
    private final int silenceMillis;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private @Nullable DataHandshake first;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private long cursor;
    private int ended;
    private @Nullable IOException failed;
    private volatile boolean closed;

    /**
     * Creates a sender; nothing is dialled yet.
     *
     * @param present ranges that the server has
     */
    BlockSender(
            UploadSource source,
            FragmentRanges present,
            InetSocketAddress address,
            int connections,
            FarOptions options,
            LoginSecurity security) {
        this.source = source;
        this.sent = present.copy();
        this.address = address;
        this.connections = connections;
        this.connectMillis = (int) options.timeouts().connect().toMillis();
        this.silenceMillis =
                (int) Math.min(Integer.MAX_VALUE, options.timeouts().silence().toMillis());
        this.security = security;
    }

    /** Dials the first connection; {@link #start} dials the others, after the server has begun the transfer. */
    void connectFirst() throws IOException {
        first = DataHandshake.begin(security, connect());
    }

    /** The server's refusal, or its cause if this end has refused the first connection. */
    IOException reason(FarRefusedException refusal) {
        DataHandshake handshake = first;
        return handshake == null ? refusal : handshake.reason(refusal);
    }

    private Socket secured(int number) throws IOException {
        DataHandshake handshake = first;
        return number == 0 && handshake != null ? handshake.await() : security.secureOutgoing(connect());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        if (closed) {
            socket.close();
        }
        socket.connect(address, connectMillis);
        socket.setSoTimeout(silenceMillis); // it is read only for its authentication
        return socket;
    }

    /** Begins to send. Calls {@code progress} for each block that the kernel has taken. */
    void start(Runnable progress) {
        for (int i = 0; i < connections; i++) {
            int number = i;
            threads.add(DaemonThreads.start("hawser-far-data-" + number, () -> send(number, progress)));
        }
    }

    private void send(int number, Runnable progress) {
        try {
            OutputStream out = secured(number).getOutputStream();
            byte[] block = new byte[BlockHeader.LENGTH_BYTES + BLOCK_BYTES];
            byte[] payload = new byte[BLOCK_BYTES];
            for (Range range = next(progress); range != null; range = next(progress)) {
                for (long at = range.start; at < range.end; ) {
                    int count = source.read(payload, at, (int) (range.end - at));
                    new BlockHeader(0, count, at).putInto(ByteBuffer.wrap(block));
                    System.arraycopy(payload, 0, block, BlockHeader.LENGTH_BYTES, count);
                    out.write(block, 0, BlockHeader.LENGTH_BYTES + count);
                    at += count;
                    progress.run();
                }
            }
            endHeader().putInto(ByteBuffer.wrap(block));
            out.write(block, 0, BlockHeader.LENGTH_BYTES);
            out.flush(); // the connection stays open: the server may still expect it
            progress.run();
        } catch (IOException e) {
            fail(e);
        }
    }

    private record Range(long start, long end) {}

    /** The next range to send; may wait for it. Null if there is nothing more. */
    private @Nullable Range next(Runnable progress) throws IOException {
        while (true) {
            long position = endBytes();
            long readable =
                    source.awaitReadable(position, progress); // without the lock, so that other connections can fail
            if (readable <= position) {
                return null;
            }
            synchronized (this) {
                long start = sent.firstMissing(cursor);
                if (failed != null) {
                    return null;
                }
                if (start < readable) {
                    long present = sent.firstPresent(start);
                    long end = Math.min(start + BLOCK_BYTES, readable);
                    cursor = present < 0 ? end : Math.min(end, present);
                    return new Range(start, cursor);
                }
            }
        }
    }

    /** Before this offset the server had all bytes, or a connection was given them. */
    synchronized long endBytes() {
        return sent.firstMissing(cursor);
    }

    private synchronized BlockHeader endHeader() throws IOException {
        if (failed != null) {
            throw failed; // no EOF for an incomplete file
        }
        ended++;
        return ended == connections
                ? new BlockHeader(BlockHeader.EOF | BlockHeader.EOD, 0, connections)
                : new BlockHeader(BlockHeader.EOD, 0, 0);
    }

    /** A connection that ends without EOD makes the server fail the transfer, in a reply on the control connection. */
    private void fail(IOException cause) {
        synchronized (this) {
            if (failed == null) {
                failed = cause;
            }
        }
        closeSockets();
    }

    /** The cause of a failure that the control connection saw as {@code control}: the data connections may know better. */
    synchronized IOException failure(IOException control) {
        return failed == null || closed ? control : failed;
    }

    private void closeSockets() {
        sockets.forEach(BlockConnectionListener::close);
    }

    void abandon() {
        closed = true;
        closeSockets();
    }

    /** Closes the connections and waits for the threads. */
    @Override
    public void close() {
        abandon();
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofSeconds(10).toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
