package io.hawser.ptcp;

import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a byte stream over a session: blocking calls of a user's threads on one side, the session's handler on the
 * other. The death of a data channel goes unseen; the death of the session is an {@link IOException}. What was written before
 * {@link #close} is still delivered, behind the user's back.
 *
 * <p>Thread: any; the state is guarded by one lock, which is never held while something blocks, calls out or copies much.
 * Whole reads, and whole writes, take turns, as they do at the JDK's sockets.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what the loop is asked to do is heard of by other ways
final class ByteStream implements PtcpHandler {
    /** Writes up to this length are copied together while no stream can take them. */
    private static final int SMALL_BYTES = 32 << 10;

    /** A closed stream whose other end takes nothing for so long is given up. */
    private static final long STALL_SECONDS = 60;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition toRead = lock.newCondition();
    private final Condition toWrite = lock.newCondition();
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private final SocketSettings settings;
    private final InboundBytes in;
    private final OutboundBytes out;
    private @Nullable PtcpSession session;
    private @Nullable PtcpException over;
    private @Nullable ScheduledFuture<?> stallWatch;
    private boolean endSeen;
    private boolean closed;
    private boolean peerStopped;
    private boolean taskDue;
    private boolean stopTold;
    private boolean leaving;

    ByteStream(SocketSettings settings) {
        this.settings = settings;
        in = new InboundBytes(settings);
        out = new OutboundBytes(settings);
    }

    SocketSettings settings() {
        return settings;
    }

    // ---- the user's side: reading

    /** Reads at least one byte and what else is there, or returns -1 at the end. */
    int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        reading.lock();
        try {
            int count = 0;
            for (ByteBuf next = first(length); next != null; next = more(length - count)) {
                int step = next.readableBytes();
                next.readBytes(bytes, offset + count, step).release();
                count += step;
            }
            return count == 0 ? -1 : count;
        } finally {
            reading.unlock();
        }
    }

    /** Waits for bytes; null at the end. */
    private @Nullable ByteBuf first(int most) throws IOException {
        lock.lock();
        try {
            if (endSeen) {
                return null;
            }
            boolean inTime = Patience.until(
                    toRead, settings.timeoutNanos(), () -> closed || !in.isEmpty() || in.isAtEnd() || over != null);
            if (!inTime) {
                throw new SocketTimeoutException("Read timed out");
            }
            checkOpen();
            if (!in.isEmpty()) {
                return take(most);
            } else if (!in.isAtEnd()) {
                throw lost("Connection reset");
            }
            endSeen = true;
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** What can be had without waiting, or null. */
    private @Nullable ByteBuf more(int most) {
        lock.lock();
        try {
            return most == 0 || closed || in.isEmpty() ? null : take(most);
        } finally {
            lock.unlock();
        }
    }

    private ByteBuf take(int most) {
        ByteBuf taken = in.take(most);
        if (in.isRoomWorthTelling()) {
            runOnLoop();
        }
        return taken;
    }

    private void checkOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
    }

    /** The session died, which is an error where the other end had not said that it ended. */
    private SocketException lost(String text) {
        PtcpException cause = over;
        SocketException lost = new SocketException(cause == null ? text : text + ": " + cause.getMessage());
        lost.initCause(cause);
        return lost;
    }

    /** Bytes that can be read without waiting. */
    int available() throws IOException {
        lock.lock();
        try {
            checkOpen();
            return in.available();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is read; what arrives is thrown away. */
    void shutInput() {
        lock.lock();
        try {
            in.shut();
            toRead.signalAll();
            runOnLoop();
        } finally {
            lock.unlock();
        }
    }

    // ---- the user's side: writing

    /** Writes all bytes; waits while the window is full. */
    void write(byte[] bytes, int offset, int length) throws IOException {
        writing.lock();
        try {
            for (int done = 0; done < length; ) {
                int step = Math.min(length - done, OutboundBytes.PIECE_BYTES);
                if (step <= SMALL_BYTES) {
                    writeSmall(bytes, offset + done, step);
                } else {
                    writePiece(PooledByteBufAllocator.DEFAULT
                            .directBuffer(step, step)
                            .writeBytes(bytes, offset + done, step));
                }
                done += step;
            }
        } finally {
            writing.unlock();
        }
    }

    private void writeSmall(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            awaitRoom(length);
            out.append(bytes, offset, length);
            runOnLoop();
        } finally {
            lock.unlock();
        }
    }

    private void writePiece(ByteBuf piece) throws IOException {
        lock.lock();
        try {
            awaitRoom(piece.readableBytes());
            out.add(piece.retain());
            runOnLoop();
        } finally {
            lock.unlock();
            piece.release();
        }
    }

    private void awaitRoom(int length) throws IOException {
        Patience.until(
                toWrite,
                Patience.FOR_EVER,
                () -> closed || out.isEnded() || over != null || peerStopped || out.room() >= length);
        checkOpen();
        if (out.isEnded()) {
            throw new SocketException("Broken pipe: the socket's output is shut down");
        } else if (peerStopped) {
            throw new SocketException("Broken pipe: the other end has closed the connection");
        } else if (over != null) {
            throw lost(over.code() == PtcpErrorCode.CLOSED ? "Broken pipe" : "Connection reset");
        }
    }

    /** Nothing more is written; the other end reads the end after all that was. */
    void endOutput() {
        lock.lock();
        try {
            out.end();
            toWrite.signalAll();
            runOnLoop();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes both directions. SO_LINGER says whether this waits until the other end has what was written, or drops it; without
     * it this returns at once, and the delivery goes on.
     */
    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            in.shut();
            toRead.signalAll();
            toWrite.signalAll();
            PtcpSession open = session;
            if (open == null || over != null) {
                return;
            }
            leave(open, settings.lingerSeconds());
        } finally {
            lock.unlock();
        }
    }

    private void leave(PtcpSession open, int lingerSeconds) {
        Lingering.add(this);
        if (lingerSeconds == 0) {
            leaving = true;
            open.close("the connection was reset");
            return;
        }
        out.end();
        runOnLoop();
        if (lingerSeconds > 0) {
            Patience.until(
                    toWrite,
                    TimeUnit.SECONDS.toNanos(lingerSeconds),
                    () -> over != null || peerStopped || out.isAllReceived());
        }
    }

    // ---- both sides

    /** To be called with the lock: what changed is told to the session in the loop's next turn. */
    private void runOnLoop() {
        PtcpSession open = session;
        if (open != null && !taskDue && over == null) {
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
            if (open == null || over != null || leaving) {
                return;
            }
            announce(open);
            send(open, out.takeEnd());
            if (closed && !stopTold) {
                stopTold = true;
                send(open, new StreamMessage.Stop());
                watchStall(open, out.received());
            }
            leaveIfReceived(open);
        } finally {
            lock.unlock();
        }
        open.wakeStreams();
    }

    private void announce(PtcpSession open) {
        send(open, in.nextAnnouncement());
    }

    private static void send(PtcpSession open, @Nullable StreamMessage message) {
        if (message != null) {
            open.sendControl(StreamMessage.encode(message));
        }
    }

    /** A closed stream's session ends when the other end has everything, or wants nothing. */
    private void leaveIfReceived(PtcpSession open) {
        if (closed && !leaving && (peerStopped || out.isAllReceived())) {
            leaving = true;
            open.close("the socket was closed");
        }
    }

    private void watchStall(PtcpSession open, long receivedBefore) {
        if (leaving || out.isAllReceived()) {
            return;
        }
        stallWatch = open.loop()
                .schedule(
                        () -> {
                            lock.lock();
                            try {
                                if (over == null && out.received() == receivedBefore) {
                                    leaving = true;
                                    open.close("the socket was closed, and what it had written was not taken");
                                } else if (over == null) {
                                    watchStall(open, out.received());
                                }
                            } finally {
                                lock.unlock();
                            }
                        },
                        STALL_SECONDS,
                        TimeUnit.SECONDS);
    }

    // ---- the session's side

    @Override
    public void onOpen(PtcpSession opened) {
        lock.lock();
        try {
            session = opened;
            if (closed) {
                leaving = true;
                opened.close("the socket was closed while it connected");
            } else {
                runOnLoop();
            }
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
                out.onReceived(received);
            } else if (decoded instanceof StreamMessage.End end) {
                in.endsAt(end.position());
                announce(from);
                toRead.signalAll();
            } else if (decoded instanceof StreamMessage.Stop) {
                peerStopped = true;
                out.readerIsGone();
            } else {
                ((NettySession) from).refuse("a message that is none of a byte stream");
            }
            leaveIfReceived(from);
            toWrite.signalAll();
        } finally {
            lock.unlock();
        }
        from.wakeStreams();
    }

    @Override
    public @Nullable ByteBuf onPacketHeader(PtcpSession from, int stream, ByteBuf header, int payloadLength) {
        if (header.readableBytes() != Long.BYTES || payloadLength > OutboundBytes.PIECE_BYTES) {
            ((NettySession) from).refuse("a packet that is none of a byte stream");
            return null;
        }
        return PooledByteBufAllocator.DEFAULT.directBuffer(payloadLength, Math.max(1, payloadLength));
    }

    @Override
    public void onPacket(PtcpSession from, int stream, ByteBuf header, ByteBuf payload) {
        lock.lock();
        try {
            if (!in.offer(header.readLong(), payload.retain())) {
                ((NettySession) from).refuse("a packet that does not fit into the byte stream");
                return;
            }
            announce(from);
            toRead.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable PtcpPacket nextPacket(PtcpSession from, int stream) {
        lock.lock();
        try {
            StreamPiece piece = peerStopped ? null : out.next(stream);
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
            out.onStreamLost(stream);
        } finally {
            lock.unlock();
        }
        from.wakeStreams();
    }

    @Override
    public void onClosed(PtcpSession from, PtcpException cause) {
        lock.lock();
        try {
            over = cause;
            out.release();
            in.sessionIsOver();
            if (stallWatch != null) {
                stallWatch.cancel(false);
            }
            toRead.signalAll();
            toWrite.signalAll();
        } finally {
            lock.unlock();
        }
        Lingering.remove(this);
    }
}
