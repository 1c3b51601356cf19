package io.hawser.store.storage;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for file descriptors of this process or machine: that there are none says nothing of a disk, and mostly passes.
 *
 * <p>Thread: any that may block.
 */
final class DescriptorWait {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorWait.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
    /** When the last warning was written; any thread. */
    private static final AtomicLong WARNED_NANOS = new AtomicLong(System.nanoTime() - BETWEEN_WARNINGS.toNanos());

    private final Duration timeout;

    /** Waits so long at most. */
    DescriptorWait(Duration timeout) {
        this.timeout = timeout;
    }

    /** What needs a descriptor. */
    @FunctionalInterface
    interface Opening<T> {
        T open() throws IOException;
    }

    /** Opens, again and again while descriptors are lacking; throws what the last try did. */
    <T> T await(Opening<T> opening) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return opening.open();
            } catch (IOException e) {
                if (!areLacking(e) || System.nanoTime() - end >= 0) {
                    throw e;
                }
                warn(e);
                pause(e);
            }
        }
    }

    /** EMFILE and ENFILE have no exceptions of their own. */
    static boolean areLacking(IOException cause) {
        return String.valueOf(cause.getMessage()).contains("Too many open files");
    }

    private static void warn(IOException cause) {
        long last = WARNED_NANOS.get();
        long now = System.nanoTime();
        if (now - last >= BETWEEN_WARNINGS.toNanos() && WARNED_NANOS.compareAndSet(last, now)) {
            LOG.atWarn()
                    .addKeyValue("reason", cause.getMessage())
                    .log(
                            "No file descriptor is free; waiting for one. Raise the limit: 'ulimit -n', or LimitNOFILE of systemd");
        }
    }

    private static void pause(IOException cause) throws IOException {
        try {
            Thread.sleep(PAUSE.toMillis()); // the kernel tells nobody that a descriptor is free
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cause;
        }
    }
}
