package io.hawser.ptcp;

import io.hawser.ptcp.stream.StreamMessage;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a byte stream in the background, as SO_LINGER does: delivers what the user has written, then closes the session.
 *
 * <p>Thread: guarded by its stream's lock.
 */
final class LingeringClose {
    /** A closed stream whose other end takes nothing for so long is given up. */
    private static final long ABANDON_SECONDS = 60;

    private final ByteStream stream;
    private @Nullable ScheduledFuture<?> watch;
    private boolean begun;
    private boolean stopTold;
    private boolean said;

    LingeringClose(ByteStream stream) {
        this.stream = stream;
    }

    /** The user closes. Waits as SO_LINGER says; 0 drops what the other end has not received, -1 does not wait. */
    void begin(PtcpSession session, int lingerSeconds) {
        begun = true;
        LingeringSockets.add(stream);
        if (lingerSeconds == 0) {
            say(session, "the connection was reset");
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

    /** The session came when the user had closed already. */
    void refuse(PtcpSession session) {
        say(session, "the socket was closed while it connected");
    }

    /** Whether nothing more is to be told to the other end. */
    boolean isSaid() {
        return said;
    }

    /** That nothing is read any more, if the other end is to be told now; or null. */
    StreamMessage.@Nullable Stop takeStop() {
        if (!begun || stopTold) {
            return null;
        }
        stopTold = true;
        return new StreamMessage.Stop();
    }

    /**
     * The session ends when the other end has everything, or wants nothing, or does not move; but not before it was told of the
     * stream's end.
     */
    void proceed(PtcpSession session) {
        if (!stopTold || said) {
            return;
        }
        if (stream.isAllTaken()) {
            say(session, "the socket was closed");
        } else if (watch == null) {
            long before = stream.out.received();
            watch = session.loop().schedule(() -> look(session, before), ABANDON_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void look(PtcpSession session, long before) {
        stream.lock.lock();
        try {
            watch = null;
            if (stream.out.received() == before) {
                say(session, "the socket was closed, and what it had written was not taken");
            }
            proceed(session);
        } finally {
            stream.lock.unlock();
        }
    }

    private void say(PtcpSession session, String reason) {
        said = true;
        session.close(reason);
    }

    /** The session is over. */
    void end() {
        said = true;
        if (watch != null) {
            watch.cancel(false);
        }
    }
}
