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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a byte stream over a session: user threads make blocking calls, the session calls the handler. The loss of a data channel is invisible; the loss of the session is an {@link IOException}. Bytes written before {@link #close} are delivered in the background.
 *
 * <p>Thread: any. One lock guards the state; it is never held during a block, a callback or a long copy.
 */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks check whether they are still needed
final class ByteStream implements PtcpHandler {
    /** The longest delay of an ack. */
    private static final long ACK_DELAY_MILLIS = 100;

    final ReentrantLock lock = new ReentrantLock();
    final Condition toRead = lock.newCondition();
    final Condition toWrite = lock.newCondition();
    final ByteStreamReceiver in;
    final ByteStreamSender out;
    private final SocketSettings settings;
    private final BiConsumer<ByteStream, PtcpSession> whenOpen;
    private final StreamReader reader = new StreamReader(this);
    private final StreamWriter writer = new StreamWriter(this);
    private final LingeringClose lingering = new LingeringClose(this);
    private final StallMonitor stalls = new StallMonitor(this);
    private @Nullable PtcpSession session;
    private @Nullable PtcpException over;
    private boolean closed;
    private boolean peerStopped;
    private boolean taskDue;
    private boolean ackScheduled;

    ByteStream(SocketSettings settings) {
        this(settings, (stream, opened) -> {});
    }

    /** Creates a stream that calls {@code whenOpen}, on the session's loop, when its session is open. */
    ByteStream(SocketSettings settings, BiConsumer<ByteStream, PtcpSession> whenOpen) {
        this.settings = settings;
        this.whenOpen = whenOpen;
        in = new ByteStreamReceiver(settings);
        out = new ByteStreamSender(settings);
    }

    // ---- called by user threads; StreamReader and StreamWriter read and write

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

    /** Ends reading: drops what arrives. */
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

    /** Ends writing: the peer reads the end after all bytes. */
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
     * Closes both directions. With SO_LINGER it waits until the peer has all bytes, or drops them (0 s); without it returns at once and delivers in the background.
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
                lingering.begin(open, settings.lingerSeconds());
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- called with the lock

    boolean isClosed() {
        return closed;
    }

    boolean isOver() {
        return over != null;
    }

    /** Whether the peer has all bytes, or reads no more. */
    boolean isAllTaken() {
        return peerStopped || out.splitter.isAllReceived();
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

    /** The exception for a session that ended before the peer's end of stream. */
    SocketException lost(String text) {
        PtcpException cause = over;
        SocketException lost = new SocketException(cause == null ? text : text + ": " + cause.getMessage());
        lost.initCause(cause);
        return lost;
    }

    /** Sends due messages in the loop's next pass. */
    void runOnLoop() {
        PtcpSession open = session;
        if (open != null && !taskDue && over == null) {
            taskDue = true;
            open.loop().execute(this::sendPending);
        }
    }

    private void sendPending() {
        PtcpSession open;
        boolean hasNext;
        lock.lock();
        try {
            taskDue = false;
            open = session;
            if (open == null || over != null || lingering.isSessionClosing()) {
                return;
            }
            if (in.isAckDue()) {
                send(open, in.takeAck());
            }
            send(open, out.takeEnd());
            send(open, lingering.takeStop());
            lingering.proceed(open);
            hasNext = out.hasNext();
        } finally {
            lock.unlock();
        }
        if (hasNext) {
            open.wakeStreams();
        }
    }

    /** Acks in this pass of the loop if much arrived, else after a delay. */
    private void scheduleAck(PtcpSession open) {
        if (in.isAckDue()) {
            runOnLoop();
        } else if (!ackScheduled && in.hasUnacked()) {
            ackScheduled = true;
            open.loop().schedule(() -> sendDelayedAck(open), ACK_DELAY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void sendDelayedAck(PtcpSession open) {
        lock.lock();
        try {
            ackScheduled = false;
            if (over == null && !lingering.isSessionClosing() && in.hasUnacked()) {
                send(open, in.takeAck());
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

    // ---- called by the session

    @Override
    public void onOpen(PtcpSession opened) {
        lock.lock();
        try {
            session = opened;
            if (closed) {
                lingering.refuse(opened);
            } else {
                runOnLoop();
            }
        } finally {
            lock.unlock();
        }
        whenOpen.accept(this, opened);
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
                scheduleAck(from);
                toRead.signalAll();
            } else if (decoded instanceof StreamMessage.Stop) {
                peerStopped = true;
                out.splitter.release(); // what is unsent
            } else {
                ((NettySession) from).refuse("a message that is none of a byte stream");
            }
            lingering.proceed(from);
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
        if (header.readableBytes() != Long.BYTES || payloadLength > ByteStreamSender.PACKET_BYTES) {
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
        return SharedSocketResources.blocks().take(payloadLength);
    }

    @Override
    public void onPacket(PtcpSession from, int stream, ByteBuf header, ByteBuf payload) {
        lock.lock();
        try {
            if (!in.offer(header.readLong(), payload.retain())) {
                refuseMisfit(from);
                return;
            }
            scheduleAck(from);
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
            stalls.begin((NettySession) from);
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
            out.unacked.onStreamLost(stream);
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
            in.release();
            lingering.end();
            stalls.end();
            toRead.signalAll();
            toWrite.signalAll();
        } finally {
            lock.unlock();
        }
        LingeringSockets.remove(this);
    }
}
