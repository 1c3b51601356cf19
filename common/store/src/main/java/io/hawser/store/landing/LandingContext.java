package io.hawser.store.landing;

import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.log.KnownLog;
import io.hawser.store.log.LogEpochReader;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.space.SpaceRole;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the parts of one landing area share.
 *
 * @param directory held by this process; its epoch goes into the journal
 * @param space orders transfers when space is short
 * @param smallFiles the landing files again, for small ones: with less memory for each thread
 */
record LandingContext(
        Storage storage,
        LandingOptions options,
        NodeDirectory directory,
        LandingWorkers workers,
        CallbackDispatcher answers,
        LandingFiles files,
        SpaceBudget ledger,
        LandingSpace space,
        LandingFiles smallFiles,
        StoreRuntime runtime)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LandingContext.class);

    private static final int SMALL_SCRATCH_BYTES = 64 << 10;
    static final String FILES = "files";
    static final String JOURNAL = "journal";

    /** Takes the landing directory for this process. */
    static LandingContext open(Storage storage, LandingOptions options, StoreRuntime runtime, Executor loop)
            throws StorageException {
        KnownLog known = knownLog(storage, options.directory());
        NodeDirectory directory = NodeDirectory.open(storage, options.directory(), () -> {
            known.check();
            if (hasLostFiles(known)) {
                throw new DirectoryGoneException(
                        known.node().resolve(FILES) + " is gone, and the journal tells of objects in"
                                + " it. Put it back from where it went, or restore all of " + known.node()
                                + " from one backup. To start anew, and lose what had not been delivered, move all of "
                                + known.node() + " away. Nothing was changed.");
            }
            return LogEpochReader.youngest(storage, known.directory());
        });
        try {
            Path files = options.directory().resolve(FILES);
            storage.createPrivateDirectory(files);
            LandingWorkers workers = new LandingWorkers(runtime.disk(), loop);
            SpaceBudget ledger = new SpaceBudget(
                    SpaceRole.END, Long.MAX_VALUE, options.limits().headroomBytes());
            return new LandingContext(
                    storage,
                    options,
                    directory,
                    workers,
                    new CallbackDispatcher(workers),
                    new LandingFiles(storage, files, new ScratchBuffers(ScratchBuffers.READ_BYTES)),
                    ledger,
                    new LandingSpace(ledger, options.limits().spacePatience(), runtime::steadyMillis),
                    new LandingFiles(storage, files, new ScratchBuffers(SMALL_SCRATCH_BYTES)),
                    runtime);
        } catch (StorageException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** No publication removes the directory of landing files: without it, none of them counts as published. */
    static boolean hasLostFiles(KnownLog journal) throws StorageException {
        return journal.storage().facts(journal.node().resolve(FILES)) == null && journal.hasSegments();
    }

    static KnownLog knownLog(Storage storage, Path directory) {
        return new KnownLog(storage, directory, JOURNAL, FILES);
    }

    KnownLog knownLog() {
        return knownLog(storage, options.directory());
    }

    /** Closes and removes the files of an incomplete transfer. Blocks. */
    void discard(LandingTransfer landing, @Nullable VerifiedWriter assembly) throws StorageException {
        if (assembly != null) {
            assembly.file().close();
        }
        files.removeIncomplete(landing.key());
    }

    /** Blocking work. */
    interface Step {
        void run() throws StorageException;
    }

    /** Tidies up on a disk thread; a failure does no harm. What cannot be done now is done by the next start. */
    void tidy(Step work) {
        workers.onNames(
                () -> {
                    work.run();
                    return work;
                },
                (done, failure) -> {
                    if (failure != null) {
                        LOG.atWarn().setCause(failure).log("Tidying up failed; the next start does it again");
                    }
                });
    }

    long nowMillis() {
        return runtime.nowMillis();
    }

    CrashPoints crashPoints() {
        return runtime.crashPoints();
    }

    @Override
    public void close() {
        workers.close();
        runtime.events().end();
        directory.close();
    }
}
