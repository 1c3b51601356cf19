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
 * The uploads of objects that are still coming in. They have threads and connections of their own, few of them, so that they keep none
 * from a complete object. One that waits in vain for more gives its connection to others; one whose object is complete ends at once,
 * and the delivery goes on where it ended.
 *
 * <p>Nothing is told of a failure here: the delivery will meet it again.
 *
 * <p>Thread: any; of each transfer one thing at a time.
 */
final class EarlyUploads {
    /** A whole object of less is uploaded as fast when it is complete. */
    private static final long MIN_SIZE_BYTES = 16L << 20;
    /** With so much it begins, and with so much more it begins again. */
    private static final long STEP_BYTES = 4L << 20;

    private static final Duration UNDO_AGAIN = Duration.ofSeconds(30);
    private static final int MAX_BACK_OFF = 6; // 64 s
    private static final Logger LOG = LoggerFactory.getLogger(EarlyUploads.class);

    private final Storage storage;
    private final Upload upload;
    private final DeliverySessions sessions;
    private final Executor threads;
    private final Executor undoThreads;
    private final int atOnce;
    private final Map<TransferKey, Entry> entries = new HashMap<>();

    /** Guarded by the uploads' lock. */
    private static final class Entry {
        private final TransferKey key;
        private @Nullable ArrivingObject object;
        private boolean running;
        private volatile boolean stopped;
        private long triedAtBytes;
        private int failures;
        private long notBeforeNanos = System.nanoTime();
        private @Nullable Path undoNote;
        private @Nullable Runnable then;

        private Entry(TransferKey key) {
            this.key = key;
        }
    }

    /**
     * Creates it.
     *
     * @param threads as many as may upload at once
     * @param undoThreads remove what was uploaded in vain
     * @param atOnce how many may upload at once; 0 for none
     */
    EarlyUploads(
            Storage storage,
            Upload upload,
            DeliverySessions sessions,
            Executor threads,
            Executor undoThreads,
            int atOnce) {
        this.storage = storage;
        this.upload = upload;
        this.sessions = sessions;
        this.threads = threads;
        this.undoThreads = undoThreads;
        this.atOnce = atOnce;
    }

    /** Whether it is worth it. */
    boolean wants(Manifest manifest, long verifiedBytes) {
        boolean large = !manifest.sizeKnown() || manifest.sizeBytes() >= MIN_SIZE_BYTES;
        return atOnce > 0 && large && verifiedBytes >= STEP_BYTES;
    }

    /** More of it is there. */
    void arriving(ArrivingObject object) {
        Entry entry;
        synchronized (this) {
            entry = entries.computeIfAbsent(object.key(), Entry::new);
            if (entry.then != null || entry.running) {
                return;
            }
            if (entry.object != object) { // it began anew, and what is there is still right: a fragment never changes
                entry.object = object;
                entry.undoNote = null;
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
                    .addKeyValue("reason", FarReason.of(e))
                    .log("an object that is still coming in cannot be uploaded now");
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("transfer", entry.key).log("an early upload failed unforeseen");
        } finally {
            ended(entry, object.verifiedBytes(), failed);
        }
    }

    private void ended(Entry entry, long triedAtBytes, boolean failed) {
        Runnable then;
        Path undoNote;
        synchronized (this) {
            entry.running = false;
            entry.failures = failed ? Math.min(MAX_BACK_OFF, entry.failures + 1) : 0;
            entry.notBeforeNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos((1L << entry.failures) - 1);
            entry.triedAtBytes = failed ? 0 : triedAtBytes;
            then = entry.then;
            undoNote = entry.undoNote;
            if (then != null) {
                entries.remove(entry.key);
            }
        }
        if (then != null) {
            then.run();
        } else if (undoNote != null) {
            beginUndo(entry);
        }
    }

    /** Runs {@code then} when no early upload of the transfer is under way any more, and none will be begun: now, or soon. */
    void stopThen(TransferKey key, Runnable then) {
        synchronized (this) {
            Entry entry = entries.remove(key);
            if (entry != null) {
                entry.undoNote = null;
                entry.stopped = true;
                if (entry.running) {
                    entry.then = then;
                    entries.put(key, entry);
                    return;
                }
            }
        }
        then.run();
    }

    /**
     * The transfer was given up: what was uploaded of it is removed, and then {@code note}. What cannot be removed now is tried again; what
     * the server refuses to remove, with the next start.
     */
    void gone(TransferKey key, Path note) {
        Entry entry;
        synchronized (this) {
            entry = entries.computeIfAbsent(key, Entry::new);
            entry.undoNote = note;
            entry.stopped = true;
            if (entry.running) {
                return;
            }
        }
        beginUndo(entry);
    }

    private void beginUndo(Entry entry) {
        execute(undoThreads, () -> undo(entry));
    }

    private void undo(Entry entry) {
        Path note;
        synchronized (this) {
            note = entry.undoNote;
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
                    .addKeyValue("reason", FarReason.of(e))
                    .log("what was uploaded of a transfer that was given up cannot be removed now");
        }
        undone(entry, again);
    }

    private void removeUploaded(TransferKey key, Path note) throws IOException {
        if (storage.facts(note) == null) {
            return;
        }
        if (DeliveryNote.read(storage, note).isEarly()) {
            sessions.with(DeliverySessions.Weight.DELIVERY, session -> EarlyDelivery.undo(session, key));
        }
        storage.delete(note);
    }

    private void undone(Entry entry, boolean again) {
        Runnable then;
        synchronized (this) {
            entry.running = false;
            then = entry.then;
            if (then != null || !again) {
                entries.remove(entry.key);
            }
        }
        if (then != null) {
            then.run();
        } else if (again) {
            Executor later =
                    CompletableFuture.delayedExecutor(UNDO_AGAIN.toMillis(), TimeUnit.MILLISECONDS, undoThreads);
            execute(later, () -> undo(entry));
        }
    }

    private static void execute(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; the next start goes on");
        }
    }
}
