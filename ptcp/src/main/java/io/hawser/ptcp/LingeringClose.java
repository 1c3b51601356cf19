package io.hawser.ptcp;

import io.hawser.ptcp.stream.StreamMessage;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a byte stream as SO_LINGER says: delivers all written bytes in the background, then closes the session.
 *
 * <p>Thread: guarded by its stream's lock.
 */
final class LingeringClose {
    /** A closed stream whose peer reads nothing for this time is dropped. */
    private static final long ABANDON_SECONDS = 60;

    private final ByteStream stream;
    private @Nullable ScheduledFuture<?> progressTimer;
    private boolean begun;
    private boolean stopSent;
    private boolean sessionClosing;

    LingeringClose(ByteStream stream) {
        this.stream = stream;
    }

    /** Starts the close. Waits at most {@code lingerSeconds}; 0 drops bytes that the peer did not receive, -1 does not wait. */
    void begin(PtcpSession session, int lingerSeconds) {
        begun = true;
        LingeringSockets.add(stream);
        if (lingerSeconds == 0) {
            closeSession(session, "the connection was reset");
            return;
        }
        stream.out.end();
        stream.runOnLoop();
        if (lingerSeconds > 0) {
            UninterruptibleWait.until(
                    stream.toWrite,
                    TimeUnit.SECONDS.toNanos(lingerSeconds),
                    () -> stream.isOver() || stream.isAllTaken());
        }
    }

    /** Closes a session that opened after the socket was closed. */
    void refuse(PtcpSession session) {
        closeSession(session, "the socket was closed while it connected");
    }

    /** Whether the session is closing, so that no message may be sent. */
    boolean isSessionClosing() {
        return sessionClosing;
    }

    /** Returns the message that this end reads no more, once it is due; else null. */
    StreamMessage.@Nullable Stop takeStop() {
        if (!begun || stopSent) {
            return null;
        }
        stopSent = true;
        return new StreamMessage.Stop();
    }

    /**
     * Closes the session when the peer has all bytes, reads no more or makes no progress; but not before the end of the stream was sent.
     */
    void proceed(PtcpSession session) {
        if (!stopSent || sessionClosing) {
            return;
        }
        if (stream.isAllTaken()) {
            closeSession(session, "the socket was closed");
        } else if (progressTimer == null) {
            long before = stream.out.splitter.receivedPosition();
            progressTimer =
                    session.loop().schedule(() -> checkProgress(session, before), ABANDON_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void checkProgress(PtcpSession session, long before) {
        stream.lock.lock();
        try {
            progressTimer = null;
            if (stream.out.splitter.receivedPosition() == before) {
                closeSession(session, "the socket was closed, and the peer did not read what it had written");
            }
            proceed(session);
        } finally {
            stream.lock.unlock();
        }
    }

    private void closeSession(PtcpSession session, String reason) {
        sessionClosing = true;
        session.close(reason);
    }

    /** The session ended. */
    void end() {
        sessionClosing = true;
        if (progressTimer != null) {
            progressTimer.cancel(false);
        }
    }
}
