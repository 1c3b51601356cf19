package io.hawser.ptcp;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sockets that are closed and whose last bytes are still on their way. A kernel would deliver them also when the program is
 * over; here the program's end waits for them, at most {@value #PATIENCE_SECONDS} s.
 *
 * <p>Thread: any.
 */
final class LingeringSockets {
    private static final int PATIENCE_SECONDS = 10;

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition CHANGED = LOCK.newCondition();
    private static final Set<ByteStream> STREAMS = new HashSet<>();
    private static boolean isHooked;

    private LingeringSockets() {}

    static void add(ByteStream stream) {
        LOCK.lock();
        try {
            STREAMS.add(stream);
            if (!isHooked) {
                isHooked = true;
                Runtime.getRuntime().addShutdownHook(new Thread(LingeringSockets::await, "hawser-ptcp-linger"));
            }
        } catch (IllegalStateException e) {
            // The program is ending already, and this close is one of its last acts: nobody can wait for it any more.
        } finally {
            LOCK.unlock();
        }
    }

    static void remove(ByteStream stream) {
        LOCK.lock();
        try {
            STREAMS.remove(stream);
            CHANGED.signalAll();
        } finally {
            LOCK.unlock();
        }
    }

    private static void await() {
        LOCK.lock();
        try {
            UninterruptibleWait.until(CHANGED, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), STREAMS::isEmpty);
        } finally {
            LOCK.unlock();
        }
    }
}
