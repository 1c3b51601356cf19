package io.hawser.ptcp;

import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a byte stream over a session: blocking calls of a user's threads on one side, the session's handler on the
 * other. The death of a data channel goes unseen; the death of the session is an {@link IOException}. What was written before
 * {@link #close} is still delivered, behind the user's back.
 *
 * <p>Thread: any; the state is guarded by one lock, which is never held while something blocks, calls out or copies much.
 */
final class ByteStream implements PtcpHandler {
    final ReentrantLock lock = new ReentrantLock();
    final Condition toRead = lock.newCondition();
    final Condition toWrite = lock.newCondition();
    final InboundBytes in;
    final OutboundBytes out;
    private final SocketSettings settings;
    private final StreamReader reader = new StreamReader(this);
    private final StreamWriter writer = new StreamWriter(this);
    private final Farewell farewell = new Farewell(this);
    private @Nullable PtcpSession session;
    private @Nullable PtcpException over;
    private boolean closed;
    private boolean peerStopped;
    private boolean taskDue;

    ByteStream(SocketSettings settings) {
        this.settings = settings;
        in = new InboundBytes(settings);
        out = new OutboundBytes(settings);
    }

    // ---- the user's side; reading and writing are StreamReader's and StreamWriter's

    SocketSettings settings() {
        return settings;
    }

    StreamReader reader() {
        return reader;
    }

    StreamWriter writer() {
        return writer;
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
            if (open != null && over == null) {
                farewell.begin(open, settings.lingerSeconds());
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- both sides; with the lock

    boolean isClosed() {
        return closed;
    }

    boolean isOver() {
        return over != null;
    }

    /** Whether the other end has all that was written, or wants nothing more. */
    boolean isAllTaken() {
        return peerStopped || out.isAllReceived();
    }

    boolean isWritable() {
        return !closed && !out.isEnded() && over == null && !peerStopped;
    }

    void checkOpen() throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
    }

    void checkWritable() throws SocketException {
        checkOpen();
        if (out.isEnded()) {
            throw new SocketException("Broken pipe: the socket's output is shut down");
        } else if (peerStopped) {
            throw new SocketException("Broken pipe: the other end has closed the connection");
        } else if (over != null) {
            throw lost(over.code() == PtcpErrorCode.CLOSED ? "Broken pipe" : "Connection reset");
        }
    }

    /** The session died, which is an error where the other end had not said that it ended. */
    SocketException lost(String text) {
        PtcpException cause = over;
        SocketException lost = new SocketException(cause == null ? text : text + ": " + cause.getMessage());
        lost.initCause(cause);
        return lost;
    }

    /** What changed is told to the session in the loop's next turn. */
    void runOnLoop() {
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
            if (open == null || over != null || farewell.isSaid()) {
                return;
            }
            announce(open);
            send(open, out.takeEnd());
            send(open, farewell.takeStop());
            farewell.proceed(open);
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

    // ---- the session's side

    @Override
    public void onOpen(PtcpSession opened) {
        lock.lock();
        try {
            session = opened;
            if (closed) {
                farewell.refuse(opened);
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
            farewell.proceed(from);
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
            farewell.end();
            toRead.signalAll();
            toWrite.signalAll();
        } finally {
            lock.unlock();
        }
        Lingering.remove(this);
    }
}
