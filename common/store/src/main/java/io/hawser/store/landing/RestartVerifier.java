package io.hawser.store.landing;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKind;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what an earlier run of this node wrote, and complete objects that have waited in this run, once more from the device and
 * compares it with its digests, in the background: a disk, or a person, may have changed it since. An incomplete object's fragment that does not agree with its leaf is no longer durable and is fetched
 * again; a complete object that does not agree with its commit is not published. Small steps, few at a time, leave the digest threads
 * to what arrives.
 *
 * <p>An incomplete object is read twice: soon after the start, so that damage is found while the object still comes in and a target that
 * begins early reads what is right; and all of it before the commit, which may be long after.
 *
 * <p>Thread: the loop; the steps run on digest threads.
 */
final class RestartVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(RestartVerifier.class);
    /** How many transfers are verified at once. */
    private static final int MAX_AT_A_TIME = 2;
    /** How much one step reads, if a fragment is not larger. */
    private static final int STEP_BYTES = 16 << 20;
    /** One read error is no proof that bytes are lost. */
    private static final int MAX_FAILED_READS = 3;
    /** Nor are several in a row, while a device is away for a moment: so often a complete object is read, each time after a longer wait. */
    private static final int MAX_FAILED_READINGS = 8;

    private static final int MAX_STEP_FRAGMENTS = 1024;
    private static final long MIN_PAUSE_MILLIS = 5_000;
    private static final long PAUSE_FACTOR = 10;

    private final boolean targetTakesFile;
    private final BiConsumer<LandingTransfer, String> lost;
    private final Storage storage;
    private final LandingFiles files;
    private final LandingWorkers workers;
    private final LongSupplier steadyMillis;
    private final ArrayDeque<Job> waiting = new ArrayDeque<>();
    private int running;
    private long damaged;

    /** Verifies one transfer, step by step. */
    private interface Job {
        /** Runs the next step; {@code done} runs on the loop when the last one has ended. */
        void next(Runnable done);
    }

    /**
     * Creates it.
     *
     * @param targetTakesFile whether a complete object without a landing file has been published
     * @param lost learns on the loop that nothing is known of an incomplete object's bytes any more
     */
    RestartVerifier(LandingContext context, boolean targetTakesFile, BiConsumer<LandingTransfer, String> lost) {
        this.targetTakesFile = targetTakesFile;
        this.lost = lost;
        this.storage = context.storage();
        this.files = context.files();
        this.workers = context.workers();
        this.steadyMillis = context.runtime()::steadyMillis;
    }

    /** How many fragments and complete objects are not as they were written, since the start. */
    long damaged() {
        return damaged;
    }

    /** An object counts as published, and is not at its name. */
    void foundDoubtful() {
        damaged++;
    }

    /** Verifies what an earlier run left of an incomplete object. */
    void incomplete(LandingTransfer landing) {
        VerifiedWriter assembly = landing.assembly;
        if (assembly != null && assembly.hasUnverified()) {
            add(new Incomplete(landing, assembly));
        }
    }

    /**
     * Verifies all of an object that an earlier run began. What {@link #incomplete} has not read yet is read only once.
     *
     * @param done told on the loop when all is read, or there is nothing to read any more
     */
    void beforeCommit(LandingTransfer landing, VerifiedWriter assembly, Runnable done) {
        boolean isBeingRead = assembly.hasUnverified();
        assembly.verifyAgain();
        assembly.whenVerified(done);
        if (!isBeingRead) {
            incomplete(landing);
        }
    }

    /**
     * Verifies a complete object: an earlier run's, or one that has waited.
     *
     * <p>A target that is away for a day is tried thousands of times, for each object that waits. So what was read before is read again
     * only when its files show a change, or {@value #PAUSE_FACTOR} times as long as the last reading took has passed: a disk that
     * rots without a write is noticed then, and the readings take a small part of the disk's time, whatever waits. Whether a file is
     * there with its size is looked at each time.
     *
     * @param done told on the loop: an empty string if it may be published, otherwise what is wrong with it
     * @param unknown told instead if it cannot be read now, which is no proof that bytes are lost
     */
    void complete(LandingTransfer landing, Commit commit, Consumer<String> done, Consumer<String> unknown) {
        Complete job = new Complete(landing, commit, done, unknown);
        LandingTransfer.Reading last = landing.lastReading;
        if (last == null
                || steadyMillis.getAsLong() - last.endedMillis()
                        > Math.max(MIN_PAUSE_MILLIS, PAUSE_FACTOR * last.tookMillis())) {
            add(job);
            return;
        }
        workers.onNames(() -> filesOf(files.path(landing.key())), (now, failure) -> {
            if (last.files().equals(now)) {
                done.accept("");
            } else {
                add(job);
            }
        });
    }

    /** The fingerprints of a complete object's files. */
    private String filesOf(Path part) throws StorageException {
        return fingerprint(part) + " " + fingerprint(PatchPlan.merged(part));
    }

    private String fingerprint(Path path) throws StorageException {
        FileFacts facts = storage.facts(path);
        return facts == null ? "none" : facts.fingerprint();
    }

    private void add(Job job) {
        waiting.add(job);
        pump();
    }

    private void pump() {
        while (running < MAX_AT_A_TIME && !waiting.isEmpty()) {
            Job job = waiting.remove();
            running++;
            workers.post(() -> job.next(() -> {
                running--;
                pump();
            }));
        }
    }

    private static int stepFragments(Manifest manifest) {
        return Math.max(1, Math.min(MAX_STEP_FRAGMENTS, STEP_BYTES / manifest.fragmentSizeBytes()));
    }

    /**
     * A fragment that was read.
     *
     * @param length -1 if its entry in the sidecar cannot be read
     */
    private record Seen(long index, int length, boolean isSound) {}

    /** The fragments of an incomplete object that the sidecar calls durable. */
    private final class Incomplete implements Job {
        private final LandingTransfer landing;
        private final VerifiedWriter assembly;
        private final Manifest manifest;

        Incomplete(LandingTransfer landing, VerifiedWriter assembly) {
            this.landing = landing;
            this.assembly = assembly;
            this.manifest = landing.manifest;
        }

        @Override
        public void next(Runnable done) {
            if (landing.assembly != assembly || !assembly.hasUnverified()) {
                done.run();
                return;
            }
            List<Long> indexes = new ArrayList<>();
            for (FragmentRange run : assembly.unverified().runs()) {
                for (long i = run.start(); i < run.end() && indexes.size() < stepFragments(manifest); i++) {
                    indexes.add(i);
                }
            }
            workers.onDigest(() -> read(indexes), (seen, failure) -> {
                if (landing.assembly == assembly) {
                    take(seen, failure);
                }
                next(done);
            });
        }

        private void take(@Nullable List<Seen> seen, @Nullable StorageException failure) {
            if (seen == null) {
                damaged++;
                lost.accept(
                        landing, String.valueOf(Objects.requireNonNull(failure).getMessage()));
                return;
            }
            for (Seen fragment : seen) {
                if (fragment.length() < 0) {
                    damaged++;
                    lost.accept(landing, "the digest of fragment " + fragment.index() + " cannot be read any more");
                    return;
                }
                if (!fragment.isSound()) {
                    onDamage(fragment);
                }
            }
            assembly.verified(seen.stream().map(Seen::index).toList());
        }

        private void onDamage(Seen fragment) {
            damaged++;
            LOG.atWarn()
                    .addKeyValue("transfer", landing.key())
                    .addKeyValue("name", Printable.shortly(manifest.name()))
                    .addKeyValue("fragment", fragment.index())
                    .addKeyValue("file", files.path(landing.key()))
                    .log("A fragment is not as it was written; it is fetched again. Check the disk");
            assembly.damaged(fragment.index(), fragment.length());
        }

        /** Digest thread. */
        private List<Seen> read(List<Long> indexes) throws StorageException {
            List<Seen> seen = new ArrayList<>(indexes.size());
            try (FragmentFile file = files.file(manifest, OpenMode.READ)) {
                file.open();
                for (long index : indexes) {
                    LeafSlot leaf = file.slot(index);
                    seen.add(new Seen(index, leaf == null ? -1 : leaf.length(), leaf != null && isSound(file, leaf)));
                }
            }
            return seen;
        }

        private boolean isSound(FragmentFile file, LeafSlot leaf) {
            try {
                return file.isSound(leaf);
            } catch (StorageException e) {
                LOG.atWarn()
                        .addKeyValue("transfer", landing.key())
                        .addKeyValue("fragment", leaf.index())
                        .setCause(e)
                        .log("A fragment that was durable cannot be read back");
                return false;
            }
        }
    }

    /** The bytes of a complete object. */
    private final class Complete implements Job {
        private final LandingTransfer landing;
        private final Manifest manifest;
        private final Commit commit;
        private final Consumer<String> told;
        private final TreeDigest.Builder tree = new TreeDigest.Builder();
        private final long startMillis = steadyMillis.getAsLong();
        private String seen = "";
        private final Consumer<String> unknown;
        private boolean hasLooked;
        private boolean isThere;
        private boolean isRead;
        private int failedReads;

        Complete(LandingTransfer landing, Commit commit, Consumer<String> told, Consumer<String> unknown) {
            this.unknown = unknown;
            this.landing = landing;
            this.manifest = landing.manifest;
            this.commit = commit;
            this.told = told;
        }

        @Override
        public void next(Runnable done) {
            workers.onDigest(this::step, (problem, failure) -> {
                if (problem == null && ++failedReads < MAX_FAILED_READS) {
                    next(done); // its digest decides, whichever read succeeds
                } else if (problem == null) {
                    onUnreadable(Objects.requireNonNull(failure), done);
                } else if (!problem.isEmpty() || isRead) {
                    end(problem, done);
                } else {
                    next(done);
                }
            });
        }

        private void onUnreadable(StorageException failure, Runnable done) {
            boolean isDisk = hasLooked && !(failure instanceof CannotOpenNowException);
            if (isDisk && ++landing.failedReadings >= MAX_FAILED_READINGS) {
                end("it cannot be read back: " + failure.getMessage(), done);
            } else {
                unknown.accept("it cannot be read back now: " + failure.getMessage());
                done.run();
            }
        }

        private void end(String problem, Runnable done) {
            landing.failedReadings = 0;
            if (!problem.isEmpty()) {
                damaged++;
            } else if (isThere) {
                long now = steadyMillis.getAsLong();
                landing.lastReading = new LandingTransfer.Reading(seen, now, now - startMillis);
                landing.mayBeDone &= !targetTakesFile; // which would have it otherwise
            }
            told.accept(problem);
            done.run();
        }

        /** Digest thread. Returns what is wrong, or an empty string. */
        private String step() throws StorageException {
            Path path = files.path(landing.key());
            hasLooked = false;
            boolean isGone = storage.facts(path) == null;
            hasLooked = true;
            if (isGone) {
                isRead = true;
                return missingProblem(path);
            }
            isThere = true;
            if (tree.count() == 0) {
                if (hasDamagedMerged(path)) {
                    MergedFile.delete(storage, path); // it is made again
                }
                seen = filesOf(path);
            }
            int size = manifest.fragmentSizeBytes();
            try (FragmentFile file = files.file(manifest, OpenMode.READ)) {
                if (file.sizeBytes() != commit.sizeBytes()) {
                    return "it has " + file.sizeBytes() + " bytes instead of " + commit.sizeBytes();
                }
                for (int i = 0; i < stepFragments(manifest) && tree.count() < commit.fragmentCount(); i++) {
                    long index = tree.count();
                    tree.add(file.hash(index, Manifest.fragmentLength(index, commit.sizeBytes(), size)));
                }
            }
            isRead = tree.count() == commit.fragmentCount();
            boolean isSound = !isRead || tree.root(commit.sizeBytes(), size).equals(commit.digest());
            return isSound ? "" : "its bytes no longer make the digest with which it was verified";
        }

        /** There is no landing file. */
        private String missingProblem(Path path) throws StorageException {
            if (manifest.kind() == TransferKind.PATCH && storage.facts(PatchPlan.merged(path)) != null) {
                isThere = true;
                seen = filesOf(path);
                return hasDamagedMerged(path) ? "the patched file is not as it was made" : "";
            }
            boolean mayBePublished = targetTakesFile && landing.mayBeDone && !isThere;
            return mayBePublished || isWithoutDirectory(path) ? "" : "its landing file is gone";
        }

        /** A file system that is not mounted is no loss; the target says so. */
        private boolean isWithoutDirectory(Path path) throws StorageException {
            return storage.facts(Objects.requireNonNull(path.getParent())) == null;
        }

        private boolean hasDamagedMerged(Path path) throws StorageException {
            return manifest.kind() == TransferKind.PATCH
                    && storage.facts(PatchPlan.merged(path)) != null
                    && !MergedFile.isSound(storage, path);
        }
    }
}
