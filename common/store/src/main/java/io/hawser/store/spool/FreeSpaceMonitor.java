package io.hawser.store.spool;

import io.hawser.store.content.FragmentFiles;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the free space once a second; that is also the spool's clock tick.
 *
 * <p>Thread: a disk thread; {@code tick} is called there.
 */
record FreeSpaceMonitor(FragmentFiles files, DiskExecutor disk) {
    private static final Logger LOG = LoggerFactory.getLogger(FreeSpaceMonitor.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    void start(LongConsumer tick) {
        disk.execute(Lane.NAMESPACE, () -> measure(tick));
    }

    private void measure(LongConsumer tick) {
        try {
            tick.accept(files.usableSpaceBytes());
        } catch (StorageException e) {
            LOG.atWarn().setCause(e).log("The free space of the spool cannot be measured");
        }
        disk.after(INTERVAL, () -> start(tick));
    }
}
