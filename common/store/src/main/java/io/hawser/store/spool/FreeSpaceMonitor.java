package io.hawser.store.spool;

import io.hawser.core.thread.DaemonThreads;
import io.hawser.store.storage.StorageException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the free space once a second; that is also the spool's clock tick.
 *
 * <p>Thread: its own; {@code tick} is called there.
 */
final class FreeSpaceMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FreeSpaceMonitor.class);

    private final ContentFiles files;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("hawser-spool-timer"));

    FreeSpaceMonitor(ContentFiles files) {
        this.files = files;
    }

    void start(LongConsumer tick) {
        var unused = timer.scheduleWithFixedDelay(() -> measure(tick), 0, 1, TimeUnit.SECONDS);
    }

    private void measure(LongConsumer tick) {
        try {
            tick.accept(files.usableSpaceBytes());
        } catch (StorageException e) {
            LOG.atWarn().setCause(e).log("The free space of the spool cannot be measured");
        }
    }

    @Override
    public void close() {
        timer.shutdown();
    }
}
