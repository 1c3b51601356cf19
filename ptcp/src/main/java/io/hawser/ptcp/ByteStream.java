package io.hawser.ptcp;

import io.hawser.ptcp.stream.StreamMessage;
import io.hawser.ptcp.stream.StreamPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a byte stream over a session: blocking calls of user threads on one side, the session's handler on the other. The death
 * of a data channel goes unseen; the death of the session is an {@link IOException}. What was written before {@link #close} is still
 * delivered, behind the user's back.
 *
 * <p>Thread: any; the state is guarded by one lock, which is never held while something blocks, calls out or copies much.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled asks again whether it is wanted
final class ByteStream implements PtcpHandler {
    /** The other end hears at latest then what has arrived: it may forget it, and knows what is missing. */
    private static final long ANNOUNCE_MILLIS = 100;

    final ReentrantLock lock = new ReentrantLock();
    final Condition toRead = lock.newCondition();
    final Condition toWrite = lock.newCondition();
    final InboundBytes in;
    final OutboundBytes out;
    private final SocketSettings settings;
    private final StreamReader reader = new StreamReader(this);
    private final StreamWriter writer = new StreamWriter(this);
    private final LingeringClose farewell = new LingeringClose(this);
    private final SilentStreams silent = new SilentStreams(this);
    private @Nullable PtcpSession session;
    private @Nullable PtcpException over;
    private boolean closed;
    private boolean peerStopped;
    private boolean taskDue;
    private boolean announcementScheduled;

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
        boolean hasNext;
        lock.lock();
        try {
            taskDue = false;
            open = session;
            if (open == null || over != null || farewell.isSaid()) {
                return;
            }
            if (in.isAnnouncementDue()) {
                send(open, in.announce());
            }
            send(open, out.takeEnd());
            send(open, farewell.takeStop());
            farewell.proceed(open);
            hasNext = out.hasNext();
        } finally {
            lock.unlock();
        }
        if (hasNext) {
            open.wakeStreams();
        }
    }

    /** What has arrived is told in this turn of the loop if it is much, else soon. */
    private void announceInTime(PtcpSession open) {
        if (in.isAnnouncementDue()) {
            runOnLoop();
        } else if (!announcementScheduled && in.hasUnannounced()) {
            announcementScheduled = true;
            open.loop().schedule(() -> announceLate(open), ANNOUNCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void announceLate(PtcpSession open) {
        lock.lock();
        try {
            announcementScheduled = false;
            if (over == null && !farewell.isSaid() && in.hasUnannounced()) {
                send(open, in.announce());
            }
        } finally {
            lock.unlock();
        }
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
        boolean hasNext;
        lock.lock();
        try {
            if (decoded instanceof StreamMessage.Received received) {
                out.onReceived(received, System.nanoTime());
            } else if (decoded instanceof StreamMessage.End end) {
                in.endsAt(end.position());
                announceInTime(from);
                toRead.signalAll();
            } else if (decoded instanceof StreamMessage.Stop) {
                peerStopped = true;
                out.readerIsGone();
            } else {
                ((NettySession) from).refuse("a message that is none of a byte stream");
            }
            farewell.proceed(from);
            if (out.isRoomForWriter() || isAllTaken()) {
                toWrite.signalAll();
            }
            hasNext = out.hasNext();
        } finally {
            lock.unlock();
        }
        if (hasNext) {
            from.wakeStreams();
        }
    }

    @Override
    public @Nullable ByteBuf onPacketHeader(PtcpSession from, int stream, ByteBuf header, int payloadLength) {
        if (header.readableBytes() != Long.BYTES || payloadLength > OutboundBytes.PACKET_BYTES) {
            ((NettySession) from).refuse("a packet that is none of a byte stream");
            return null;
        }
        lock.lock();
        try {
            if (!in.isAllowed(header.getLong(header.readerIndex()), payloadLength)) {
                refuseMisfit(from);
                return null;
            }
        } finally {
            lock.unlock();
        }
        return SharedLoops.blocks().take(payloadLength);
    }

    @Override
    public void onPacket(PtcpSession from, int stream, ByteBuf header, ByteBuf payload) {
        lock.lock();
        try {
            if (!in.offer(header.readLong(), payload.retain())) {
                refuseMisfit(from);
                return;
            }
            announceInTime(from);
            toRead.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static void refuseMisfit(PtcpSession from) {
        ((NettySession) from).refuse("a packet that does not fit into the byte stream");
    }

    @Override
    public @Nullable PtcpPacket nextPacket(PtcpSession from, int stream) {
        int most = from.packetBytes(stream);
        lock.lock();
        try {
            StreamPiece piece = peerStopped ? null : out.next(stream, most, from.liveStreams(), System.nanoTime());
            if (piece == null) {
                return null;
            }
            silent.begin((NettySession) from);
            return new PtcpPacket(
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
            silent.end();
            toRead.signalAll();
            toWrite.signalAll();
        } finally {
            lock.unlock();
        }
        LingeringSockets.remove(this);
    }
}
