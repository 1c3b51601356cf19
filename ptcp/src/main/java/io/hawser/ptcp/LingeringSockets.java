package io.hawser.ptcp;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Closed sockets with undelivered bytes. A kernel would deliver them after the program's end; here a shutdown hook waits for them, at most {@value #WAIT_SECONDS} s.
 *
 * <p>Thread: any.
 */
final class LingeringSockets {
    private static final int WAIT_SECONDS = 10;

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
            // The JVM is already shutting down, so a hook cannot be added and nothing waits for this socket.
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
            UninterruptibleWait.until(CHANGED, TimeUnit.SECONDS.toNanos(WAIT_SECONDS), STREAMS::isEmpty);
        } finally {
            LOCK.unlock();
        }
    }
}
