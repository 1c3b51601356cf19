package io.hawser.ptcp;

import io.hawser.ptcp.stream.StallDetector;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches a byte stream's data channels while bytes are in flight: closes those that are dead without an error, so that their packets are
 * sent again on others.
 *
 * <p>Thread: the session's loop, with its stream's lock.
 */
final class StallMonitor {
    private static final long CHECK_MILLIS = 500;

    private final ByteStream stream;
    private final StallDetector detector = new StallDetector();
    private @Nullable ScheduledFuture<?> next;

    StallMonitor(ByteStream stream) {
        this.stream = stream;
    }

    /** Starts to watch, until all bytes arrived. */
    void begin(NettySession session) {
        assert session.loop().inEventLoop();
        if (next == null) {
            next = session.loop().schedule(() -> check(session), CHECK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The session ended. */
    void end() {
        if (next != null) {
            next.cancel(false);
        }
    }

    private void check(NettySession session) {
        Set<Integer> dead;
        stream.lock.lock();
        try {
            next = null;
            if (stream.isOver() || !stream.out.hasInFlight()) {
                return;
            }
            StallDetector.Verdict verdict =
                    detector.check(System.nanoTime(), session.streams().stallSamples(), stream.out.unacked.head());
            if (verdict.probe() != 0) {
                session.probe(() -> onProbeAnswered(verdict.probe()));
            }
            dead = verdict.dead();
            begin(session);
        } finally {
            stream.lock.unlock();
        }
        dead.forEach(session.streams()::closeStalled);
    }

    private void onProbeAnswered(int probe) {
        stream.lock.lock();
        try {
            detector.onProbeAnswered(probe);
        } finally {
            stream.lock.unlock();
        }
    }
}
