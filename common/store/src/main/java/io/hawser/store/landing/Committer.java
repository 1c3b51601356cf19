package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.store.content.Agreement;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends the coming-in of transfers: the whole is checked, gets its last force, and the journal says VERIFIED. From then on it
 * is the {@link DeliveryScheduler}'s.
 *
 * <p>Thread: the loop.
 */
final class Committer {
    private final LandingContext context;
    private final LandingJournal journal;
    private final DeliveryScheduler scheduler;
    private final RestartVerifier verifier;
    private final BiConsumer<LandingTransfer, StorageException> broken;
    private final BiConsumer<LandingTransfer, String> lost;
    private final List<String> self;
    private long lastOrder;

    /**
     * Creates it.
     *
     * @param verifier reads an object that is partly an earlier run's once more before it counts as complete
     * @param broken learns that a landing file can no longer be trusted
     * @param lost learns that the disk changed what was durable
     */
    Committer(
            LandingContext context,
            LandingJournal journal,
            DeliveryScheduler scheduler,
            RestartVerifier verifier,
            long lastOrder,
            BiConsumer<LandingTransfer, StorageException> broken,
            BiConsumer<LandingTransfer, String> lost) {
        this.context = context;
        this.journal = journal;
        this.scheduler = scheduler;
        this.verifier = verifier;
        this.lastOrder = lastOrder;
        this.broken = broken;
        this.lost = lost;
        this.self = List.of(context.options().subscription());
    }

    /** Commits {@code landing}, nothing of which is being written. */
    void finish(LandingTransfer landing, Commit commit) {
        VerifiedWriter assembly = complete(landing, commit);
        if (assembly == null) {
            return;
        }
        if (!assembly.isFromEarlierRun()) {
            seal(landing, assembly, commit);
            return;
        }
        landing.workBegan();
        verifier.beforeCommit(landing, assembly, () -> {
            VerifiedWriter sound = complete(landing, commit);
            if (sound != null && sound.hasUnverified()) {
                refuse(landing, CallbackDispatcher.abandoned()); // it died before all of it was read
            } else if (sound != null) {
                seal(landing, sound, commit);
            }
            landing.workEnded();
        });
    }

    /** What {@code landing} is made of if nothing is known to be against the commit; otherwise refuses it and returns null. */
    private @Nullable VerifiedWriter complete(LandingTransfer landing, Commit commit) {
        VerifiedWriter assembly = landing.assembly;
        if (landing.state() != LandingState.OPEN || assembly == null) {
            refuse(landing, CallbackDispatcher.abandoned());
            return null;
        }
        Refusal refusal = landing.cancelled
                ? new Refusal(ErrorCode.CANCELLED, "The transfer was cancelled.")
                : problemOf(landing.manifest, assembly, commit);
        if (refusal != null) {
            refuse(landing, refusal);
            return null;
        }
        return assembly;
    }

    private void seal(LandingTransfer landing, VerifiedWriter assembly, Commit commit) {
        landing.workBegan();
        context.workers()
                .onDisk(
                        () -> landing.hasFile() ? assembly.file().finish(commit) : Agreement.FULL,
                        (agreement, failure) -> onFinished(landing, commit, agreement, failure));
    }

    private void onFinished(
            LandingTransfer landing, Commit commit, @Nullable Agreement agreement, @Nullable StorageException failure) {
        if (agreement == null) {
            refuse(landing, CallbackDispatcher.storageRefusal(failure));
            broken.accept(landing, Objects.requireNonNull(failure));
            landing.workEnded();
        } else if (agreement.problem().isEmpty()) {
            verified(landing, commit);
        } else if (agreement.isLost() || (landing.assembly != null && landing.assembly.isFromEarlierRun())) {
            lost.accept(
                    landing,
                    agreement.problem()); // the sidecar lacks digests, or has others than came with the fragments
            landing.workEnded();
        } else {
            refuse(landing, new Refusal(ErrorCode.DIGEST_MISMATCH, agreement.problem()));
            landing.workEnded();
        }
    }

    private static @Nullable Refusal problemOf(Manifest manifest, VerifiedWriter assembly, Commit commit) {
        FragmentRanges durable = assembly.durable();
        if (commit.digest().fragmentSizeBytes() != manifest.fragmentSizeBytes()
                || (manifest.sizeKnown() && manifest.sizeBytes() != commit.sizeBytes())) {
            return new Refusal(ErrorCode.DIGEST_MISMATCH, "The commit's sizes are not those of the manifest.");
        }
        if (!assembly.damaged().isEmpty()) { // the sender announces it again, and learns what is missing
            return new Refusal(
                    ErrorCode.STORAGE_FAILED,
                    "The destination's disk changed " + assembly.damaged().count()
                            + " fragments of what it had; they are sent again.");
        }
        if (!durable.containsAll(0, commit.fragmentCount()) || durable.end() > commit.fragmentCount()) {
            return new Refusal(
                    ErrorCode.DIGEST_MISMATCH,
                    "The commit speaks of " + commit.fragmentCount() + " fragments, and durable here are "
                            + durable.count() + " of the first " + durable.end() + ".");
        }
        return null;
    }

    /** Retries a dead letter, after all transfers that were committed before; then that is {@code writtenDown}. */
    void again(LandingTransfer landing, Runnable writtenDown) {
        lastOrder++;
        landing.attempts = 0;
        landing.firstFailureMillis = 0;
        landing.deadLetter = null;
        landing.landedReceipt = null; // tells the publisher that it is no longer a dead letter
        landing.become(LandingState.VERIFIED, "the operator wants it to be tried again");
        journal.append(new LandingRecord.Verified(landing.manifest, landing.requiredCommit(), lastOrder), () -> {
            writtenDown.run();
            scheduler.add(landing);
        });
    }

    /** The landing file is complete, right and durable; ends the work that led to it. */
    void verified(LandingTransfer landing, Commit commit) {
        context.crashPoints().reached("landing.before-verified");
        lastOrder++;
        journal.append(
                new LandingRecord.Verified(landing.manifest, commit, lastOrder), () -> onVerified(landing, commit));
    }

    private void onVerified(LandingTransfer landing, Commit commit) {
        context.crashPoints().reached("landing.after-verified");
        boolean hadLeaves = landing.assembly != null && landing.hasFile();
        landing.become(LandingState.VERIFIED, "committed");
        landing.verifiedMillis = context.nowMillis();
        landing.checkedMillis = context.runtime().steadyMillis();
        landing.commit = commit;
        landing.assembly = null;
        landing.releaseWritten(context.ledger());
        if (context.options().ackLevel() == AckLevel.DURABLE) {
            answer(landing);
        }
        scheduler.add(landing);
        if (hadLeaves) {
            context.tidy(() -> context.files().removeLeaves(landing.key()));
        }
        landing.workEnded();
    }

    void answer(LandingTransfer landing) {
        context.answers().answerAll(landing.commitWaiters, self);
    }

    /** Not committed, for now or for good. */
    void refuse(LandingTransfer landing, Refusal refusal) {
        landing.commit = null;
        context.answers().refuseAll(landing.commitWaiters, refusal);
    }
}
