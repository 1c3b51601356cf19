package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.why.WaitStage;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the fragments of one transfer durable: writes and forces them in batches, reads them back, checks hashes and records
 * leaves. What waits is written as one batch in the order of its indexes and forced; then it is read back from the device and
 * hashed, while the next batch is being written; what agrees with its leaf is recorded in the sidecar, and the sidecar is
 * forced. Only then a fragment counts.
 *
 * <pre>
 *   waiting ──► write, force ──► (parked) ──► read back, hash ──► record leaves, force ──► durable
 *              one batch          one batch     one batch; a bad leaf is refused
 * </pre>
 *
 * <p>After a failed write or force the file is dead, and with it this object; see {@link #die}.
 *
 * <p>Thread: the loop.
 */
final class VerifiedWriter {
    private static final Logger LOG = LoggerFactory.getLogger(VerifiedWriter.class);
    /** How much one force covers at most. */
    private static final int BATCH_BYTES = 16 << 20;

    private final LandingTransfer landing;
    private final FragmentFile file;
    private final CrashPoints crashPoints;
    private final LandingWorkers workers;
    private final SpaceBudget ledger;
    private final LandingSpace space;
    private final LandingFiles files;
    private final Consumer<StorageException> broken;
    private final LongConsumer grew;

    private final FragmentRanges durable;
    private long durableBytes;
    /** Those of {@link #durable} that have to be read back before the commit. */
    private final FragmentRanges unverified;
    /** What was durable and the disk has changed since, until it is here again. */
    private final FragmentRanges damaged = new FragmentRanges();

    private final boolean isFromEarlierRun;
    private @Nullable Runnable whenVerified;
    private boolean grewInThisRun;
    private final NavigableMap<Long, Arrival> waiting = new TreeMap<>();
    private final FragmentRanges inFlight = new FragmentRanges();
    private boolean ready;
    private boolean writing;
    private @Nullable Written parked;
    private @Nullable Batch verifying;
    private @Nullable Refusal dead;
    private @Nullable Runnable idleTask;

    private record Arrival(Fragment fragment, List<Outcome.Callback<Fragment>> callbacks) {}

    /** A batch that is written and forced, and waits to be read back. */
    private record Written(Batch batch, StorageFile file) {}

    private static final class Batch {
        final List<Arrival> arrivals;
        final List<Arrival> good = new ArrayList<>();
        int unverified;

        Batch(List<Arrival> arrivals) {
            this.arrivals = arrivals;
            this.unverified = arrivals.size();
        }

        List<Fragment> fragments() {
            return arrivals.stream().map(Arrival::fragment).toList();
        }
    }

    /**
     * Creates it.
     *
     * @param durable what an earlier run made durable; it counts as such, and must be verified before the commit
     * @param durableBytes how many bytes that is
     * @param broken told once when the landing file can no longer be trusted
     * @param grew told how many bytes from the beginning are durable, whenever more are
     */
    VerifiedWriter(
            LandingTransfer landing,
            LandingContext context,
            FragmentRanges durable,
            long durableBytes,
            Consumer<StorageException> broken,
            LongConsumer grew) {
        this.landing = landing;
        this.files = context.files();
        this.file = files.file(landing.manifest, OpenMode.UPDATE);
        this.crashPoints = context.crashPoints();
        this.workers = context.workers();
        this.ledger = context.ledger();
        this.space = context.space();
        this.durable = durable;
        this.unverified = durable.copy();
        this.isFromEarlierRun = !durable.isEmpty();
        this.durableBytes = durableBytes;
        this.broken = broken;
        this.grew = grew;
    }

    /** The landing file is there: what waits may be written. */
    void ready() {
        ready = true;
        pump();
    }

    FragmentRanges durable() {
        return durable;
    }

    long durableBytes() {
        return durableBytes;
    }

    /** Whether some of it has to be read back before the commit. */
    boolean hasUnverified() {
        return !unverified.isEmpty();
    }

    /** Whether an earlier run wrote some of it. */
    boolean isFromEarlierRun() {
        return isFromEarlierRun;
    }

    /** What has to be read back before the commit: at first what an earlier run wrote. */
    FragmentRanges unverified() {
        return unverified;
    }

    /** All of it has to be read back before the commit, also what this run has read before. */
    void verifyAgain() {
        unverified.addAll(durable);
    }

    /** What was durable and the disk has changed since, as far as it has not come again. */
    FragmentRanges damaged() {
        return damaged;
    }

    /** These were read once more; those among them that were {@link #damaged} are none of this object's any more. */
    void verified(List<Long> indexes) {
        for (long index : indexes) {
            unverified.remove(index, index + 1);
            if (durable.contains(index)) {
                file.holds(index * landing.manifest.fragmentSizeBytes() + 1);
            }
        }
        if (grewInThisRun) {
            grew.accept(prefixBytes());
        }
        tellIfVerified();
    }

    /** This fragment is not as it was written: it has to come again. */
    void damaged(long index, int length) {
        unverified.remove(index, index + 1);
        if (durable.contains(index)) {
            durable.remove(index, index + 1);
            damaged.add(index);
            durableBytes -= length;
            if (landing.manifest.sizeKnown()) {
                landing.reservedBytes += length;
                ledger.hold(length);
            }
        }
    }

    /** Runs {@code task} once nothing is {@link #unverified}, or when this is dead. */
    void whenVerified(Runnable task) {
        whenVerified = task;
        tellIfVerified();
    }

    private void tellIfVerified() {
        Runnable task = whenVerified;
        if (task != null && (dead != null || unverified.isEmpty())) {
            whenVerified = null;
            task.run();
        }
    }

    FragmentFile file() {
        return file;
    }

    /** What it does now: the far disk while it writes and forces, verification while that waits for hashes, else nothing: upstream. */
    WaitStage stage() {
        Batch batch = verifying;
        boolean hashes = batch != null && batch.unverified > 0;
        if (hashes && (parked != null || !writing)) {
            return WaitStage.VERIFICATION;
        }
        return isIdle() ? WaitStage.NO_INPUT : WaitStage.FAR_DISK;
    }

    /** How many bytes are here and not durable. */
    long pendingBytes() {
        return (waiting.size() + inFlight.count()) * landing.manifest.fragmentSizeBytes();
    }

    /** Whether nothing waits and nothing is being written. */
    boolean isIdle() {
        return !writing && parked == null && verifying == null && waiting.isEmpty();
    }

    /** Runs {@code task} once nothing waits and nothing is being written. Only after {@link #die}. */
    void whenIdle(Runnable task) {
        idleTask = task;
        checkIdle();
    }

    private void checkIdle() {
        Runnable task = idleTask;
        if (task != null && isIdle()) {
            idleTask = null;
            task.run();
        }
        landing.checkSettled();
    }

    /** Takes a fragment. Retains its buffer until it is written. */
    void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        Refusal refusal = dead;
        if (refusal != null) {
            answer(done, new Outcome<>(null, refusal));
            return;
        }
        if (durable.contains(fragment.index())) {
            answer(done, Outcome.of(fragment));
            return;
        }
        Refusal turn = space.mustWait(landing);
        if (turn != null) {
            space.fragmentRefused(landing);
            answer(done, new Outcome<>(null, turn));
            return;
        }
        Arrival arrival = waiting.computeIfAbsent(fragment.index(), unused -> {
            fragment.buffer().retain();
            return new Arrival(fragment, new ArrayList<>(1));
        });
        arrival.callbacks.add(done);
        pump();
    }

    /** Refuses all that waits and all that comes, with {@code refusal}; what is being written comes to its end first. */
    void die(Refusal refusal) {
        if (dead != null) {
            return;
        }
        dead = refusal;
        for (Arrival arrival : waiting.values()) {
            arrival.fragment.buffer().release();
            refuse(arrival, refusal);
        }
        waiting.clear();
        Written stopped = parked;
        if (stopped != null) {
            parked = null;
            refuse(stopped.batch, refusal);
        }
        tellIfVerified();
        checkIdle();
    }

    private void pump() {
        if (!ready || writing || parked != null || waiting.isEmpty() || dead != null) {
            return;
        }
        Batch batch = new Batch(takeBatch());
        if (batch.arrivals.isEmpty()) {
            return;
        }
        writing = true;
        workers.onDisk(() -> write(batch), (written, failure) -> onWritten(batch, written, failure));
    }

    private List<Arrival> takeBatch() {
        List<Arrival> taken = new ArrayList<>();
        long bytes = 0;
        Iterator<Arrival> arrivals = waiting.values().iterator();
        while (arrivals.hasNext() && bytes < BATCH_BYTES) {
            Arrival arrival = arrivals.next();
            long index = arrival.fragment.index();
            if (durable.contains(index)) {
                arrivals.remove();
                arrival.fragment.buffer().release();
                accept(arrival);
            } else if (!inFlight.contains(index)) { // else its place must not change while it is read back
                arrivals.remove();
                inFlight.add(index);
                taken.add(arrival);
                bytes += arrival.fragment.length();
            }
        }
        return taken;
    }

    /** Disk thread. */
    private StorageFile write(Batch batch) throws StorageException {
        StorageFile written;
        List<Fragment> fragments = batch.fragments();
        try {
            checkSpace(fragments);
            written = file.write(fragments);
        } finally {
            fragments.forEach(fragment -> fragment.buffer().release());
        }
        crashPoints.reached("landing.before-force");
        durably(() -> file.force(false));
        crashPoints.reached("landing.after-force");
        return written;
    }

    /** Here a full disk is a failure as any other: unlike after a failed write, earlier pages may be lost too. */
    private static void durably(LandingContext.Step step) throws StorageException {
        try {
            step.run();
        } catch (OutOfSpaceException e) {
            throw new StorageException(String.valueOf(e.getMessage()), e);
        }
    }

    private void checkSpace(List<Fragment> fragments) throws StorageException {
        if (landing.manifest.sizeKnown()) {
            return; // its space is held
        }
        long bytes = fragments.stream().mapToLong(Fragment::length).sum();
        ledger.measured(files.usableSpaceBytes());
        Refusal refusal = ledger.admit(landing.shortName(), bytes).refusal();
        if (refusal != null) {
            throw new OutOfSpaceException(refusal.detail());
        }
    }

    private void onWritten(Batch batch, @Nullable StorageFile written, @Nullable StorageException failure) {
        writing = false;
        Refusal refusal = dead;
        if (refusal != null) {
            refuse(batch, refusal);
        } else if (failure instanceof OutOfSpaceException) {
            String why = String.valueOf(failure.getMessage());
            space.fragmentRefused(landing);
            space.refused(landing, Manifest.UNKNOWN_SIZE, why);
            refuse(batch, new Refusal(ErrorCode.NO_SPACE, why));
        } else if (written == null) {
            refuse(batch, CallbackDispatcher.storageRefusal(failure));
            breakWith(Objects.requireNonNull(failure));
        } else if (verifying == null) {
            verify(batch, written);
        } else {
            parked = new Written(batch, written);
        }
        pump();
        afterStep();
    }

    private void verify(Batch batch, StorageFile written) {
        verifying = batch;
        for (Arrival arrival : batch.arrivals) {
            Fragment fragment = arrival.fragment;
            workers.onDigest(
                    () -> file.hash(written, fragment.index(), fragment.length()),
                    (hash, failure) -> onHash(batch, arrival, hash, failure));
        }
    }

    private void onHash(Batch batch, Arrival arrival, byte @Nullable [] hash, @Nullable StorageException failure) {
        batch.unverified--;
        Refusal refusal = dead;
        if (refusal != null) {
            refuse(arrival, refusal);
        } else if (hash == null) {
            refuse(arrival, CallbackDispatcher.storageRefusal(failure));
            breakWith(Objects.requireNonNull(failure));
        } else if (Arrays.equals(hash, arrival.fragment.leaf())) {
            batch.good.add(arrival);
        } else {
            onBadLeaf(arrival);
        }
        if (batch.unverified == 0) {
            onVerified(batch);
        }
    }

    private void onBadLeaf(Arrival arrival) {
        long index = arrival.fragment.index();
        LOG.atWarn()
                .addKeyValue("transfer", landing.key())
                .addKeyValue("fragment", index)
                .addKeyValue("file", file.path())
                .log("A fragment that was read back does not agree with its leaf; it is asked for again");
        refuse(
                arrival,
                new Refusal(
                        ErrorCode.DIGEST_MISMATCH,
                        "Fragment " + index + " came back from the disk with other bytes than its leaf says."));
    }

    private void onVerified(Batch batch) {
        Refusal refusal = dead;
        if (refusal != null || batch.good.isEmpty()) {
            if (refusal != null) {
                batch.good.forEach(arrival -> refuse(arrival, refusal));
            }
            nextToVerify();
            return;
        }
        batch.good.sort((a, b) -> Long.compare(a.fragment.index(), b.fragment.index()));
        List<Fragment> verified = batch.good.stream().map(Arrival::fragment).toList();
        workers.onDisk(
                () -> {
                    durably(() -> {
                        file.putLeaves(verified);
                        crashPoints.reached("landing.before-leaves-force");
                        file.forceLeaves();
                    });
                    crashPoints.reached("landing.after-leaves-force");
                    return verified.size();
                },
                (count, failure) -> onRecorded(batch, failure));
    }

    private void onRecorded(Batch batch, @Nullable StorageException failure) {
        if (failure != null) {
            breakWith(failure);
        }
        Refusal refusal = dead;
        for (Arrival arrival : batch.good) {
            if (refusal != null) {
                refuse(arrival, refusal);
            } else {
                count(arrival.fragment);
                accept(arrival);
            }
        }
        if (refusal == null) {
            grewInThisRun = true;
            grew.accept(prefixBytes());
        }
        nextToVerify();
    }

    /** How many bytes from the beginning are durable without a gap. */
    private long prefixBytes() {
        long fragmentSize = landing.manifest.fragmentSizeBytes();
        long firstUnverified = unverified.firstPresent(0);
        long fragments = Math.min(durable.firstMissing(0), firstUnverified < 0 ? Long.MAX_VALUE : firstUnverified);
        long shortOfTail = durable.count() * fragmentSize - durableBytes; // only the last fragment may be shorter
        return fragments * fragmentSize - (fragments == durable.end() ? shortOfTail : 0);
    }

    private void count(Fragment fragment) {
        long index = fragment.index();
        space.noLongerWaits(landing.key());
        landing.refusedMillis = null;
        inFlight.remove(index, index + 1);
        durable.add(index);
        damaged.remove(index, index + 1);
        durableBytes += fragment.length();
        long written = Math.min(landing.reservedBytes, fragment.length());
        landing.reservedBytes -= written;
        ledger.release(written);
    }

    private void nextToVerify() {
        verifying = null;
        Written next = parked;
        if (next != null) {
            parked = null;
            verify(next.batch, next.file);
        }
        pump();
        afterStep();
    }

    /** Nothing to do: the files are closed, so that open files do not grow with the number of transfers. */
    private void afterStep() {
        if (ready && dead == null && isIdle()) {
            writing = true;
            workers.onDisk(
                    () -> {
                        file.close();
                        return file;
                    },
                    (closed, failure) -> {
                        writing = false;
                        pump();
                        checkIdle();
                    });
        }
        checkIdle();
    }

    private void breakWith(StorageException failure) {
        if (dead == null) {
            die(CallbackDispatcher.storageRefusal(failure));
            broken.accept(failure);
        }
    }

    private void refuse(Batch batch, Refusal refusal) {
        batch.arrivals.forEach(arrival -> refuse(arrival, refusal));
    }

    private void refuse(Arrival arrival, Refusal refusal) {
        long index = arrival.fragment.index();
        inFlight.remove(index, index + 1);
        arrival.callbacks.forEach(done -> answer(done, new Outcome<>(null, refusal)));
    }

    private void accept(Arrival arrival) {
        arrival.callbacks.forEach(done -> answer(done, Outcome.of(arrival.fragment)));
    }

    private void answer(Outcome.Callback<Fragment> done, Outcome<Fragment> outcome) {
        workers.post(() -> done.accept(outcome));
    }
}
