package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.model.FragmentRanges;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data connections of one MODE E upload: each takes the next block that is missing when it can take one. Each connection ends with EOD; the last one to end says EOF with it, and how many there were.
 *
 * <p>Thread: its own, one a connection; {@link #abandon} any.
 */
final class BlockSender implements AutoCloseable {
    static final int BLOCK_BYTES = LandedFile.STEP_BYTES;
    private static final Logger LOG = LoggerFactory.getLogger(BlockSender.class);

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
     * @param there ranges that are not sent
     */
    BlockSender(
            UploadSource source,
            FragmentRanges there,
            InetSocketAddress address,
            int connections,
            FarOptions options,
            LoginSecurity security) {
        this.source = source;
        this.sent = there.copy();
        this.address = address;
        this.connections = connections;
        this.connectMillis = (int) options.timeouts().connect().toMillis();
        this.silenceMillis =
                (int) Math.min(Integer.MAX_VALUE, options.timeouts().silence().toMillis());
        this.security = security;
    }

    /** Dials the first connection; the others come when the server has begun the transfer. */
    void connectFirst() throws IOException {
        first = DataHandshake.begin(security, connect());
    }

    /** The server's refusal, or what it is for if this end has refused the first connection. */
    IOException reason(FarRefusedException words) {
        DataHandshake handshake = first;
        return handshake == null ? words : handshake.reason(words);
    }

    private Socket secured(int number) throws IOException {
        DataHandshake handshake = first;
        return number == 0 && handshake != null ? handshake.await() : security.data(connect());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        if (closed) {
            socket.close();
        }
        socket.connect(address, connectMillis);
        socket.setSoTimeout(silenceMillis); // nothing is read but what authenticates it
        return socket;
    }

    /** Begins to send. {@code progress} is told of each block that the kernel has taken. */
    void start(Runnable progress) {
        for (int i = 0; i < connections; i++) {
            int number = i;
            Thread thread = new Thread(() -> send(number, progress), "hawser-far-data-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
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
            out.flush(); // and stays open: the server may still count on it
            progress.run();
        } catch (IOException e) {
            fail(e);
        }
    }

    private record Range(long start, long end) {}

    /** What to send next; may wait for it. Null if there is nothing more. */
    private @Nullable Range next(Runnable progress) throws IOException {
        while (true) {
            long position = endBytes();
            long readable = source.readableBeyond(position, progress); // no lock is held: others may have to fail
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

    /** Up to here everything was there before or has been given to a connection. */
    synchronized long endBytes() {
        return sent.firstMissing(cursor);
    }

    private synchronized BlockHeader endHeader() throws IOException {
        if (failed != null) {
            throw failed; // no EOF for what is not whole
        }
        ended++;
        return ended == connections
                ? new BlockHeader(BlockHeader.EOF | BlockHeader.EOD, 0, connections)
                : new BlockHeader(BlockHeader.EOD, 0, 0);
    }

    /** A connection that ends without EOD makes the server give up, which the control connection then tells. */
    private void fail(IOException cause) {
        synchronized (this) {
            if (failed == null) {
                failed = cause;
            }
        }
        closeSockets();
    }

    /** What to tell when the control connection failed with {@code control}: the data connections may know better. */
    synchronized IOException failure(IOException control) {
        return failed == null || closed ? control : failed;
    }

    private void closeSockets() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.atDebug().setCause(e).log("closing a data connection failed");
            }
        }
    }

    /** Closes the connections. */
    void abandon() {
        closed = true;
        closeSockets();
    }

    /** Closes the connections and waits for the threads, which nothing holds then. */
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
