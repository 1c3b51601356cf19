package io.hawser.store.landing;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.why.WaitStage;
import io.hawser.store.space.SpaceBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transfer between its OPEN and its end, with the callbacks that wait for it. States are drawn at {@link LandingState}.
 *
 * <p>Thread: the loop.
 */
final class LandingTransfer {
    private static final Logger LOG = LoggerFactory.getLogger(LandingTransfer.class);

    final Manifest manifest;
    final long sinceMillis;
    final List<Outcome.Callback<Manifest>> openWaiters = new ArrayList<>(1);
    final List<Outcome.Callback<List<String>>> commitWaiters = new ArrayList<>(1);
    /** The operator who retries or drops it as a dead letter. */
    final List<Outcome.Callback<TransferKey>> operatorWaiters = new ArrayList<>(0);

    /** Those who wait for its end. */
    final List<Outcome.Callback<Receipt>> endWaiters = new ArrayList<>(0);

    private final ArrayDeque<Runnable> settledWaiters = new ArrayDeque<>(0);

    private LandingState state = LandingState.OPEN;
    private int busy;
    private boolean settling;

    /** When something came of it last, milliseconds since the epoch. */
    long touchedMillis;
    /** The same by the clock of {@link LandingSpace}, which is never set; 0 if nothing came in this run. */
    long heardMillis;
    /** Held in the space ledger and not written yet. */
    long reservedBytes;
    /** Held in the space ledger for the whole file that this patch makes. */
    long copyBytes;
    /** How fragments come in; null for a small transfer, and once it is verified. */
    @Nullable
    VerifiedWriter assembly;
    /** How the target sees it that begins early; null while it does not. */
    @Nullable
    ArrivingObject arriving;
    /** What it is, or is about to be, committed with. */
    @Nullable
    Commit commit;

    boolean creating;
    boolean cancelled;
    /** Why it is to be cancelled, unless the target is faster; empty if it is not. */
    String recalled = "";

    boolean offeredBefore;
    /** An earlier attempt may have delivered it. If not, it is lost without its landing file. */
    boolean mayBeDone;
    /** Complete, and to be checked before it is offered: an earlier run wrote it, or an attempt failed. */
    boolean isUnverified;
    /** How it was read back last, if that was after it was complete; null if all of it is to be read. */
    @Nullable
    Reading lastReading;
    /** How often in a row it could not be read back, though its disk says that its file is there. */
    int failedReadings;
    /** When it was verified or checked last, by the steady clock. */
    long checkedMillis;

    int attempts;
    /** When its delivery failed for the first time, by the steady clock; 0 while it has not. */
    long firstFailureMillis;
    /** What the dead-letter list says of it; null if it is not there. */
    @Nullable
    DeadLetter deadLetter;
    /** When it was verified; 0 before. */
    long verifiedMillis;
    /** The receipt that says that it is here and waits for its target, or for a person; null until that is sent. */
    @Nullable
    Receipt landedReceipt;

    String problem = "";
    /** What is said of it while it is {@code ABANDONED}. */
    Refusal whyAbandoned = CallbackDispatcher.abandoned();
    /** When there was no room for a fragment of it, by the clock of {@link LandingSpace}; null if one found room since. */
    @Nullable
    Long refusedMillis;

    /**
     * The reading of a complete object.
     *
     * @param files the fingerprints of its files before it began
     * @param endedMillis when it ended, by the steady clock
     * @param tookMillis how long it took, with the wait for other objects
     */
    record Reading(String files, long endedMillis, long tookMillis) {}

    LandingTransfer(Manifest manifest, long nowMillis) {
        this.manifest = manifest;
        this.sinceMillis = nowMillis;
        this.touchedMillis = nowMillis;
    }

    /** As it was found after a restart. */
    static LandingTransfer recovered(Manifest manifest, LandingState state, long sinceMillis) {
        LandingTransfer landing = new LandingTransfer(manifest, sinceMillis);
        landing.state = state;
        landing.offeredBefore = landing.isWhole();
        landing.mayBeDone = landing.isWhole(); // the last process may have published it
        return landing;
    }

    TransferKey key() {
        return manifest.key();
    }

    /** Whether it has come, or could have, with other small transfers. */
    boolean isSmall() {
        Commit known = commit;
        return known != null && known.sizeBytes() <= HopSenderLimits.DEFAULT.smallLimitBytes();
    }

    /** Its name in a sentence. */
    String shortName() {
        return Printable.shortly(manifest.name());
    }

    LandingState state() {
        return state;
    }

    /** An operation is done, not landed. */
    boolean hasFile() {
        return manifest.kind().hasBytes();
    }

    /** The one place where the state changes. */
    void become(LandingState next, String reason) {
        boolean legal =
                switch (state) {
                    case OPEN -> next == LandingState.VERIFIED || next == LandingState.ABANDONED;
                    case ABANDONED -> next == LandingState.OPEN;
                    case VERIFIED ->
                        next == LandingState.DELIVERED || next == LandingState.FAILED || next == LandingState.PARKED;
                    case PARKED -> next == LandingState.VERIFIED || next == LandingState.FAILED;
                    case DELIVERED, FAILED -> false;
                };
        if (!legal) {
            throw new IllegalStateException(key() + ": " + state + " does not become " + next);
        }
        LOG.atDebug()
                .addKeyValue("transfer", key())
                .addKeyValue("from", state)
                .addKeyValue("to", next)
                .addKeyValue("reason", reason)
                .log("Landing changed its state");
        state = next;
    }

    /** Whether the fragment's index and length fit what is known of the size. */
    boolean hasPlaceFor(Fragment fragment) {
        return hasFile()
                && fragment.index() >= 0
                && fragment.length() > 0
                && manifest.hasFragment(fragment.index(), fragment.length());
    }

    /** Its commit; it has one. */
    Commit requiredCommit() {
        Commit known = commit;
        if (known == null) {
            throw new IllegalStateException(key() + " has no commit");
        }
        return known;
    }

    /** Whether its commit is durable here. */
    boolean isCommitted() {
        return state != LandingState.OPEN && state != LandingState.ABANDONED;
    }

    /** Whether it is complete and durable here, and was not delivered. */
    boolean isWhole() {
        return state == LandingState.VERIFIED || state == LandingState.PARKED;
    }

    /** The paths that it touches, its own name among them. */
    List<String> paths() {
        List<String> paths = new ArrayList<>(manifest.paths());
        paths.add(manifest.name());
        return paths;
    }

    /** Gives back the space that is held for it. */
    void releaseSpace(SpaceBudget ledger) {
        releaseWritten(ledger);
        ledger.release(copyBytes);
        copyBytes = 0;
    }

    /** Gives back what is held for its own bytes: they are written. */
    void releaseWritten(SpaceBudget ledger) {
        ledger.release(reservedBytes);
        reservedBytes = 0;
    }

    /** What is to be held from the beginning for the whole file that it makes, if it is a patch; what is not known yet does not count. */
    long foreseenCopyBytes() {
        return manifest.kind() == TransferKind.PATCH
                ? PatchPlan.of(manifest).copyBytes(Math.max(0, manifest.sizeBytes()))
                : 0;
    }

    /** Its state as its sender sees it. */
    StoredTransfer stored() {
        return switch (state) {
            case OPEN, ABANDONED -> new StoredTransfer(StoredTransfer.State.OPEN, durable());
            case VERIFIED, PARKED, DELIVERED, FAILED ->
                new StoredTransfer(StoredTransfer.State.COMMITTED, new FragmentRanges());
        };
    }

    private FragmentRanges durable() {
        VerifiedWriter fragments = assembly;
        return fragments == null ? new FragmentRanges() : fragments.durable().copy();
    }

    /** How many of its bytes are durable here, while it comes in. */
    long durableBytes() {
        VerifiedWriter fragments = assembly;
        return fragments == null ? 0 : fragments.durableBytes();
    }

    LandingTransferStatus status(long nowMillis) {
        Commit known = commit;
        long sizeBytes = known == null ? manifest.sizeBytes() : known.sizeBytes();
        return new LandingTransferStatus(
                key().toString(),
                manifest.topic().name(),
                manifest.name(),
                state,
                sizeBytes,
                isWhole() ? sizeBytes : durableBytes(),
                Math.max(0, nowMillis - sinceMillis),
                attempts,
                problem,
                idleMillis(nowMillis),
                awaited());
    }

    /** For how long it has not come forward, as far as is known. */
    long idleMillis(long nowMillis) {
        return Math.max(0, nowMillis - progressMillis());
    }

    /** When it last came forward, as far as is known. */
    private long progressMillis() {
        DeadLetter letter = deadLetter;
        return letter != null ? letter.sinceMillis() : Math.max(touchedMillis, verifiedMillis);
    }

    /** What must happen next, for people. */
    private String awaited() {
        return switch (state) {
            case OPEN ->
                creating
                        ? "its file is being made"
                        : commit == null ? "more of it has yet to come from the broker" : "it is being verified";
            case ABANDONED -> "it begins again when the broker offers it again";
            case VERIFIED ->
                offeredBefore
                        ? "it is being delivered"
                        : "others of its path, or those before it in line, are delivered first";
            case PARKED -> "it is on the dead-letter list and waits for an operator";
            case DELIVERED, FAILED -> "";
        };
    }

    /**
     * Where it waits now.
     *
     * @param target the stage of one that its target takes now
     * @param inOrder whether others of its path are delivered first
     */
    WaitStage stage(WaitStage target, boolean inOrder) {
        return switch (state) {
            case OPEN -> incomingStage();
            case ABANDONED -> WaitStage.REFUSED;
            case VERIFIED -> verifiedStage(target, inOrder);
            case PARKED -> WaitStage.DEAD_LETTER;
            case DELIVERED, FAILED -> WaitStage.NONE;
        };
    }

    private WaitStage incomingStage() {
        VerifiedWriter fragments = assembly;
        if (refusedMillis != null) {
            return WaitStage.SPACE;
        } else if (creating) {
            return WaitStage.FAR_DISK;
        }
        WaitStage writing = fragments == null ? WaitStage.NO_INPUT : fragments.stage();
        return writing == WaitStage.NO_INPUT && commit != null ? WaitStage.VERIFICATION : writing;
    }

    private WaitStage verifiedStage(WaitStage target, boolean inOrder) {
        if (!problem.isEmpty()) {
            return WaitStage.TARGET;
        } else if (offeredBefore) {
            return target;
        }
        return inOrder ? WaitStage.PATH_ORDER : WaitStage.QUEUE;
    }

    /** Work for it has begun that {@link #workEnded} will end. */
    void workBegan() {
        busy++;
    }

    void workEnded() {
        busy--;
        checkSettled();
    }

    /** Whether nothing is being written for it. */
    boolean isSettled() {
        VerifiedWriter fragments = assembly;
        return busy == 0 && (fragments == null || fragments.isIdle());
    }

    /** Runs {@code task} when nothing is being written for it any more: now, or when that has ended. */
    void whenSettled(Runnable task) {
        settledWaiters.add(task);
        checkSettled();
    }

    void checkSettled() {
        if (settling) {
            return; // a task's own work has ended already; the loop below continues
        }
        settling = true;
        while (isSettled() && !settledWaiters.isEmpty()) {
            settledWaiters.remove().run();
        }
        settling = false;
    }
}
