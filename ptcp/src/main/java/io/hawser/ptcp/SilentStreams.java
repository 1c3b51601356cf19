package io.hawser.ptcp;

import io.hawser.ptcp.stream.StallDetector;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks after a byte stream's data channels while something is on its way: one that is dead without a word is given up after some
 * seconds, and what it carried goes out on others.
 *
 * <p>Thread: the session's loop, with its stream's lock.
 */
final class SilentStreams {
    private static final long LOOK_MILLIS = 500;

    private final ByteStream stream;
    private final StallDetector watch = new StallDetector();
    private @Nullable ScheduledFuture<?> next;

    SilentStreams(ByteStream stream) {
        this.stream = stream;
    }

    /** Something was sent: looks from here on, until everything has arrived. */
    void begin(NettySession session) {
        if (next == null) {
            next = session.loop().schedule(() -> look(session), LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The session is over. */
    void end() {
        if (next != null) {
            next.cancel(false);
        }
    }

    private void look(NettySession session) {
        Set<Integer> dead;
        stream.lock.lock();
        try {
            next = null;
            if (stream.isOver() || !stream.out.isUnderWay()) {
                return;
            }
            StallDetector.Verdict verdict =
                    watch.look(System.nanoTime(), session.streams().looks(), stream.out.head());
            if (verdict.question() != 0) {
                session.probe(() -> onAnswer(verdict.question()));
            }
            dead = verdict.givenUp();
            begin(session);
        } finally {
            stream.lock.unlock();
        }
        dead.forEach(session::giveUp);
    }

    private void onAnswer(int question) {
        stream.lock.lock();
        try {
            watch.onAnswer(question);
        } finally {
            stream.lock.unlock();
        }
    }
}
