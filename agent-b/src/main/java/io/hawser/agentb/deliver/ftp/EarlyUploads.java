package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the uploads of objects that are still arriving. They have a few threads and connections of their own, so that they hold up no complete
 * object. An upload that waits in vain for more bytes gives up its connection; one whose object is complete ends at once, and the delivery
 * resumes where it ended.
 *
 * <p>Failures are only logged: the delivery will meet them again.
 *
 * <p>Thread: any; one task of each transfer at a time.
 */
final class EarlyUploads {
    /** Smaller objects gain nothing. */
    private static final long MIN_SIZE_BYTES = 16L << 20;
    /** An upload begins, and begins again, after so many new bytes. */
    private static final long STEP_BYTES = 4L << 20;

    private static final Duration REMOVE_RETRY_DELAY = Duration.ofSeconds(30);
    private static final int MAX_BACK_OFF = 6; // 64 s
    private static final Logger LOG = LoggerFactory.getLogger(EarlyUploads.class);

    private final Storage storage;
    private final FarUpload upload;
    private final DeliverySessions sessions;
    private final Executor threads;
    private final Executor removalThreads;
    private final int maxConcurrent;
    private final Map<TransferKey, Entry> entries = new HashMap<>();

    /** One transfer. Guarded by the lock of {@link EarlyUploads}. */
    private static final class Entry {
        private final TransferKey key;
        private @Nullable ArrivingObject object;
        private boolean running;
        private volatile boolean stopped;
        private long triedAtBytes;
        private int failures;
        private long notBeforeNanos = System.nanoTime();
        private @Nullable Path noteToRemove;
        private @Nullable Runnable whenStopped;

        private Entry(TransferKey key) {
            this.key = key;
        }
    }

    /**
     * @param threads as many as may upload at once
     * @param removalThreads remove temporary files of transfers that were given up
     * @param maxConcurrent how many may upload at once; 0 for none
     */
    EarlyUploads(
            Storage storage,
            FarUpload upload,
            DeliverySessions sessions,
            Executor threads,
            Executor removalThreads,
            int maxConcurrent) {
        this.storage = storage;
        this.upload = upload;
        this.sessions = sessions;
        this.threads = threads;
        this.removalThreads = removalThreads;
        this.maxConcurrent = maxConcurrent;
    }

    /** Whether an early upload of the object is worth while. */
    boolean wants(Manifest manifest, long verifiedBytes) {
        boolean large = !manifest.sizeKnown() || manifest.sizeBytes() >= MIN_SIZE_BYTES;
        return maxConcurrent > 0 && large && verifiedBytes >= STEP_BYTES;
    }

    void arriving(ArrivingObject object) {
        Entry entry;
        synchronized (this) {
            entry = entries.computeIfAbsent(object.key(), Entry::new);
            if (entry.whenStopped != null || entry.running) {
                return;
            }
            if (entry.object != object) { // it restarted; uploaded bytes remain valid, since a fragment never changes
                entry.object = object;
                entry.noteToRemove = null;
                entry.triedAtBytes = 0;
            }
            boolean enough = object.verifiedBytes() - entry.triedAtBytes >= STEP_BYTES;
            if (!enough || System.nanoTime() - entry.notBeforeNanos < 0) {
                return;
            }
            entry.running = true;
            entry.stopped = false;
        }
        execute(threads, () -> run(entry, object));
    }

    private void run(Entry entry, ArrivingObject object) {
        boolean failed = true;
        try {
            if (!entry.stopped) {
                sessions.with(
                        DeliverySessions.Weight.EXTRA,
                        session -> new EarlyDelivery(storage, upload, session, object).run(() -> entry.stopped));
            }
            failed = false;
        } catch (IOException e) {
            LOG.atInfo()
                    .addKeyValue("transfer", entry.key)
                    .addKeyValue("reason", FarFailureText.of(e))
                    .log("an early upload failed; more of it is uploaded later");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("transfer", entry.key).log("an early upload failed unexpectedly");
        } finally {
            ended(entry, object.verifiedBytes(), failed);
        }
    }

    private void ended(Entry entry, long triedAtBytes, boolean failed) {
        Runnable whenStopped;
        Path noteToRemove;
        synchronized (this) {
            entry.running = false;
            entry.failures = failed ? Math.min(MAX_BACK_OFF, entry.failures + 1) : 0;
            entry.notBeforeNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos((1L << entry.failures) - 1);
            entry.triedAtBytes = failed ? 0 : triedAtBytes;
            whenStopped = entry.whenStopped;
            noteToRemove = entry.noteToRemove;
            if (whenStopped != null) {
                entries.remove(entry.key);
            }
        }
        if (whenStopped != null) {
            whenStopped.run();
        } else if (noteToRemove != null) {
            beginRemoval(entry);
        }
    }

    /** Stops the early upload of a transfer for good, and then runs {@code whenStopped}: at once if none is running. */
    void stopThen(TransferKey key, Runnable whenStopped) {
        synchronized (this) {
            Entry entry = entries.remove(key);
            if (entry != null) {
                entry.noteToRemove = null;
                entry.stopped = true;
                if (entry.running) {
                    entry.whenStopped = whenStopped;
                    entries.put(key, entry);
                    return;
                }
            }
        }
        whenStopped.run();
    }

    /**
     * Removes what was uploaded of a transfer that was given up, and then {@code note}. Retries a failed removal; one that the server refuses is
     * tried again at the next start.
     */
    void gone(TransferKey key, Path note) {
        Entry entry;
        synchronized (this) {
            entry = entries.computeIfAbsent(key, Entry::new);
            entry.noteToRemove = note;
            entry.stopped = true;
            if (entry.running) {
                return;
            }
        }
        beginRemoval(entry);
    }

    private void beginRemoval(Entry entry) {
        execute(removalThreads, () -> remove(entry));
    }

    private void remove(Entry entry) {
        Path note;
        synchronized (this) {
            note = entry.noteToRemove;
            if (note == null || entry.running) {
                return;
            }
            entry.running = true;
        }
        boolean again = false;
        try {
            removeUploaded(entry.key, note);
        } catch (IOException e) {
            again = !(e instanceof FarRefusedException refused && refused.isPermanent());
            LOG.atInfo()
                    .addKeyValue("transfer", entry.key)
                    .addKeyValue("reason", FarFailureText.of(e))
                    .log("cannot remove the temporary file of a transfer that was given up; trying again later");
        }
        removalEnded(entry, again);
    }

    private void removeUploaded(TransferKey key, Path note) throws IOException {
        if (storage.facts(note) == null) {
            return;
        }
        if (DeliveryCheckpoint.read(storage, note).isEarly()) {
            sessions.with(
                    DeliverySessions.Weight.DELIVERY,
                    session -> session.deleteIfThere(EarlyDelivery.path(session, key)));
        }
        storage.delete(note);
    }

    private void removalEnded(Entry entry, boolean again) {
        Runnable whenStopped;
        synchronized (this) {
            entry.running = false;
            whenStopped = entry.whenStopped;
            if (whenStopped != null || !again) {
                entries.remove(entry.key);
            }
        }
        if (whenStopped != null) {
            whenStopped.run();
        } else if (again) {
            Executor later = CompletableFuture.delayedExecutor(
                    REMOVE_RETRY_DELAY.toMillis(), TimeUnit.MILLISECONDS, removalThreads);
            execute(later, () -> remove(entry));
        }
    }

    static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; the next start resumes this");
        }
    }
}
