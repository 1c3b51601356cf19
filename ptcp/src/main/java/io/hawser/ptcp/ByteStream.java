package io.hawser.ptcp;

import io.hawser.ptcp.stream.PacketMerger;
import io.hawser.ptcp.stream.PacketSplitter;
import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.hawser.ptcp.stream.UnackedPackets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a byte stream over a session: blocking calls of a user's threads on one side, the session's handler on the
 * other. The death of a data channel goes unseen; the death of the session is an {@link IOException}.
 *
 * <p>Thread: any; the state is guarded by one lock, which is never held while something blocks or calls out.
 */
final class ByteStream implements PtcpHandler {
    /** Most bytes that are written and not received, or received and not read. */
    static final long WINDOW_BYTES = 8 << 20;

    static final int PIECE_BYTES = 128 << 10;
    private static final int PIECES_LIMIT = 4096;
    private static final int ANNOUNCE_PIECES = PIECES_LIMIT / 4;
    private static final long ANNOUNCE_BYTES = WINDOW_BYTES / 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PacketSplitter splitter =
            new PacketSplitter(PooledByteBufAllocator.DEFAULT, PIECE_BYTES, WINDOW_BYTES);
    private final UnackedPackets unacked = new UnackedPackets();
    private final PacketMerger merger = new PacketMerger(2 * PIECES_LIMIT);
    private final ReadQueue readable = new ReadQueue();
    private @Nullable PtcpSession session;
    private @Nullable IOException failure;
    private long limit = StreamMessage.INITIAL_LIMIT;
    private long announcedReceived;
    private int piecesSinceAnnounced;
    private long readPosition;
    private long endPosition = -1;
    private boolean outputEnded;
    private boolean inputShut;
    private boolean closed;
    private boolean peerStopped;
    private boolean taskDue;
    private boolean endTold;
    private boolean stopTold;

    // ---- the user's side

    /** Reads at least one byte, or returns -1 at the end. A timeout of 0 waits for ever. */
    int read(byte[] bytes, int offset, int length, int timeoutMillis) throws IOException {
        if (length == 0) {
            return 0;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lock();
        try {
            while (readable.isEmpty()) {
                if (isInputOver()) {
                    return -1;
                }
                await(timeoutMillis == 0 ? Long.MAX_VALUE : deadline - System.nanoTime(), "nothing came to read");
            }
            checkOpen();
            int count = readable.read(bytes, offset, length);
            readPosition += count;
            if (readPosition + WINDOW_BYTES - limit >= ANNOUNCE_BYTES) {
                runOnLoop();
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    private boolean isInputOver() throws IOException {
        checkOpen();
        if (inputShut || endPosition == merger.nextPosition()) {
            return true;
        }
        if (failure != null) {
            throw copyOf(failure);
        }
        return false;
    }

    private void checkOpen() throws SocketException {
        if (closed) {
            throw new SocketException("the socket is closed");
        }
    }

    /** Bytes that can be read without waiting. */
    int available() {
        lock.lock();
        try {
            return readable.bytes();
        } finally {
            lock.unlock();
        }
    }

    /** Writes all bytes; waits while the window is full. */
    void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            int done = 0;
            while (true) {
                checkWritable();
                int taken = splitter.append(bytes, offset + done, length - done);
                if (taken > 0) {
                    runOnLoop();
                }
                done += taken;
                if (done == length) {
                    return;
                }
                await(Long.MAX_VALUE, "");
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkWritable() throws IOException {
        checkOpen();
        if (outputEnded) {
            throw new SocketException("the socket's output is shut down");
        }
        if (failure != null) {
            throw copyOf(failure);
        }
        if (peerStopped) {
            throw new SocketException("the other end has closed the connection and reads nothing more");
        }
    }

    /** Waits for a change of state. An interrupt is an error of the user's thread, as with a socket of the JDK. */
    @SuppressWarnings("WaitNotInLoop") // the callers loop
    private void await(long nanos, String timeoutText) throws IOException {
        if (nanos <= 0) {
            throw new SocketTimeoutException(timeoutText + " in time");
        }
        try {
            if (nanos == Long.MAX_VALUE) {
                changed.await();
            } else if (changed.awaitNanos(nanos) <= 0) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketException("interrupted");
        }
    }

    /** Nothing more is written; the other end reads the end after all that was. */
    void endOutput() {
        lock.lock();
        try {
            outputEnded = true;
            runOnLoop();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is read; what arrives is thrown away. */
    void shutInput() {
        lock.lock();
        try {
            inputShut = true;
            readPosition += readable.bytes();
            readable.release();
            changed.signalAll();
            runOnLoop();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes both directions. Waits until the other end has received what was written, at most {@code lingerMillis}; 0 drops
     * it.
     */
    void close(long lingerMillis) {
        PtcpSession open;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            outputEnded = true;
            inputShut = true;
            readable.release();
            changed.signalAll();
            runOnLoop();
            long left = TimeUnit.MILLISECONDS.toNanos(lingerMillis);
            while (left > 0 && session != null && failure == null && !peerStopped && !splitter.isAllReceived()) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open = session;
            lock.unlock();
        }
        if (open != null) {
            open.close("the socket was closed");
        }
    }

    // ---- both sides

    /** To be called with the lock: what changed is told to the session in the loop's next turn. */
    private void runOnLoop() {
        PtcpSession open = session;
        if (open != null && !taskDue && failure == null) {
            taskDue = true;
            open.loop().execute(this::tell);
        }
    }

    private void tell() {
        PtcpSession open;
        lock.lock();
        try {
            taskDue = false;
            open = session;
            if (open == null || failure != null) {
                return;
            }
            announce(open);
            if (outputEnded && !endTold) {
                endTold = true;
                open.sendControl(StreamMessage.encode(new StreamMessage.End(splitter.writtenPosition())));
            }
            if (closed && !stopTold) {
                stopTold = true;
                open.sendControl(StreamMessage.encode(new StreamMessage.Stop()));
            }
        } finally {
            lock.unlock();
        }
        open.wakeStreams();
    }

    private void announce(PtcpSession open) {
        long newLimit = (inputShut ? merger.nextPosition() : readPosition) + WINDOW_BYTES;
        boolean due = newLimit - limit >= ANNOUNCE_BYTES
                || merger.nextPosition() - announcedReceived >= ANNOUNCE_BYTES
                || piecesSinceAnnounced >= ANNOUNCE_PIECES
                || (endPosition == merger.nextPosition() && announcedReceived != endPosition);
        if (due) {
            limit = Math.max(limit, newLimit);
            announcedReceived = merger.nextPosition();
            piecesSinceAnnounced = 0;
            open.sendControl(StreamMessage.encode(new StreamMessage.Received(announcedReceived, limit)));
        }
    }

    // ---- the session's side

    @Override
    public void onOpen(PtcpSession opened) {
        lock.lock();
        try {
            session = opened;
            runOnLoop();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onControl(PtcpSession from, ByteBuf message) {
        StreamMessage decoded = StreamMessage.decode(message);
        lock.lock();
        try {
            if (decoded instanceof StreamMessage.Received received) {
                unacked.onReceived(received.received());
                splitter.onReceived(received.received(), received.limit());
            } else if (decoded instanceof StreamMessage.End end) {
                endPosition = end.position();
                announce(from);
            } else if (decoded instanceof StreamMessage.Stop) {
                peerStopped = true;
                splitter.release();
            } else {
                ((NettySession) from).refuse("a message that is none of a byte stream");
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        from.wakeStreams();
    }

    @Override
    public @Nullable ByteBuf onPacketHeader(PtcpSession from, int stream, ByteBuf header, int payloadLength) {
        if (header.readableBytes() != Long.BYTES || payloadLength > PIECE_BYTES) {
            ((NettySession) from).refuse("a packet that is none of a byte stream");
            return null;
        }
        return PooledByteBufAllocator.DEFAULT.directBuffer(payloadLength, Math.max(1, payloadLength));
    }

    @Override
    public void onPacket(PtcpSession from, int stream, ByteBuf header, ByteBuf payload) {
        lock.lock();
        try {
            PacketMerger.Verdict verdict = merger.offer(header.readLong(), payload.retain(), limit);
            if (verdict == PacketMerger.Verdict.REFUSED) {
                ((NettySession) from).refuse("a packet that does not fit into the byte stream");
                return;
            }
            piecesSinceAnnounced++;
            for (ByteBuf next = merger.poll(); next != null; next = merger.poll()) {
                if (inputShut) {
                    next.release();
                } else {
                    readable.add(next);
                }
            }
            announce(from);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable PtcpPacket nextPacket(PtcpSession from, int stream) {
        lock.lock();
        try {
            if (peerStopped) {
                return null;
            }
            StreamPiece piece = unacked.nextAgain(stream);
            if (piece == null && unacked.count() < PIECES_LIMIT) {
                piece = splitter.next();
                if (piece != null) {
                    unacked.add(piece, stream);
                }
            }
            return piece == null
                    ? null
                    : new PtcpPacket(
                            Unpooled.buffer(Long.BYTES).writeLong(piece.position()),
                            piece.bytes().retainedDuplicate());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onStreamLost(PtcpSession from, int stream) {
        lock.lock();
        try {
            unacked.onStreamLost(stream);
        } finally {
            lock.unlock();
        }
        from.wakeStreams();
    }

    @Override
    public void onClosed(PtcpSession from, PtcpException cause) {
        lock.lock();
        try {
            failure = new SocketException(cause.getMessage());
            splitter.release();
            unacked.release();
            merger.release();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** An exception that is thrown at more than one place has the trace of each. */
    private static SocketException copyOf(IOException failure) {
        SocketException copy = new SocketException(failure.getMessage());
        copy.initCause(failure);
        return copy;
    }
}
