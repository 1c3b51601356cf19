package io.hawser.store.landing;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes blocking work from the loop to the disk and digest threads and brings what came of it back. After {@link #close} work
 * that has begun comes to its end, and nothing is brought back any more: to the loop it is as if the process had ended.
 *
 * <p>Thread: any.
 */
final class LandingWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LandingWorkers.class);

    interface Work<T> {
        T call() throws StorageException;
    }

    /** A result on the loop: exactly one of the two is non-null. */
    interface Done<T> {
        void done(@Nullable T value, @Nullable StorageException failure);
    }

    private final DiskExecutor disk;
    private final LoopMailbox mailbox;

    LandingWorkers(DiskExecutor disk, Executor loop) {
        this.disk = disk;
        this.mailbox = new LoopMailbox(loop);
    }

    /** Reads or writes content on a disk thread, and runs {@code done} on the loop. */
    <T> void onDisk(Work<T> work, Done<T> done) {
        run(Lane.CONTENT, work, done);
    }

    /** Creates, renames, deletes or looks at files on a disk thread, and runs {@code done} on the loop. */
    <T> void onNames(Work<T> work, Done<T> done) {
        run(Lane.NAMESPACE, work, done);
    }

    /** Runs {@code work} on a digest thread and {@code done} on the loop. */
    <T> void onDigest(Work<T> work, Done<T> done) {
        run(Lane.VERIFICATION, work, done);
    }

    /** Runs {@code task} on a disk thread; false if this is closed and it never will be. */
    boolean execute(Lane lane, Runnable task) {
        boolean taken = disk.execute(lane, task);
        if (!taken) {
            LOG.atDebug().log("The node is stopping; work of the landing area is left to the next start");
        }
        return taken;
    }

    /** Runs {@code task} on the loop, later. */
    void post(Runnable task) {
        mailbox.post(task);
    }

    /** Runs {@code task} on the loop after {@code delay}, unless this is closed by then. */
    void postAfter(Duration delay, Runnable task) {
        disk.after(delay, () -> mailbox.post(task));
    }

    private <T> void run(Lane lane, Work<T> work, Done<T> done) {
        execute(lane, () -> here(work, done));
    }

    /** Runs {@code work} on this thread and {@code done} on the loop. */
    <T> void here(Work<T> work, Done<T> done) {
        try {
            T value = work.call();
            post(() -> done.done(value, null));
        } catch (StorageException e) {
            post(() -> done.done(null, e));
        } catch (RuntimeException | Error e) {
            // Never to be lost: the loop would wait for this work for ever.
            LOG.atError().setCause(e).log("Work on a landing file failed in a way that was not foreseen");
            post(() -> done.done(null, new StorageException("unforeseen: " + e, e)));
        }
    }

    int contentThreads() {
        return disk.threads(Lane.CONTENT);
    }

    @Override
    public void close() {
        mailbox.close();
        disk.close();
    }
}
