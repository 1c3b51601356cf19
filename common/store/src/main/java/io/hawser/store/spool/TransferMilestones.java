package io.hawser.store.spool;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a transfer's records in the journal: whether its first record is durable, what waits for that, and whether its end has
 * been decided.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class TransferMilestones {
    private boolean birthWanted;
    private boolean born;
    /** What waits until it is born, in order; null when it is. */
    private @Nullable List<Runnable> untilBorn = List.of();

    private @Nullable Refusal endWanted;
    private boolean ending;
    private List<Runnable> untilEnded = List.of();
    private List<Outcome.Callback<TransferKey>> untilCancelled = List.of();
    private List<Outcome.Callback<TransferKey>> untilCancelDurable = List.of();
    private boolean commitGiven;
    private boolean committedThere;
    private boolean cancelInDoubt;

    /** Its first record is on its way. */
    void setBirthWanted() {
        birthWanted = true;
    }

    boolean isBirthWanted() {
        return birthWanted;
    }

    /** Its first record was folded. */
    void setBorn() {
        born = true;
    }

    boolean isBorn() {
        return born;
    }

    /** Runs {@code action} when the transfer's first record is durable: no other may precede it in the journal. */
    void whenBorn(Runnable action) {
        if (untilBorn == null) {
            action.run();
        } else {
            untilBorn = with(untilBorn, action);
        }
    }

    /** Its first record is durable: what waited for that runs. */
    void bornNow() {
        List<Runnable> waiting = untilBorn;
        untilBorn = null;
        birthWanted = true;
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    /** Why it is to end, as soon as that was decided, though the record may not be durable yet. */
    @Nullable
    Refusal endWanted() {
        return endWanted;
    }

    void setEndWanted(@Nullable Refusal why) {
        endWanted = why;
    }

    /** Whether its last record is on its way. */
    boolean isEnding() {
        return ending;
    }

    void setEnding() {
        ending = true;
    }

    /** Runs {@code action} when its end is durable. */
    void whenEnded(Runnable action) {
        untilEnded = with(untilEnded, action);
    }

    void endedNow() {
        untilEnded.forEach(Runnable::run);
        untilEnded = List.of();
    }

    /** A session with the next hop has its COMMIT, or an earlier run may have sent it. */
    void setCommitGiven() {
        commitGiven = true;
    }

    boolean isCommitGiven() {
        return commitGiven;
    }

    /** Whether the next hop has committed it and that is not durable here yet. */
    void setCommittedThere(boolean committed) {
        committedThere = committed;
    }

    boolean isCommittedThere() {
        return committedThere;
    }

    /** It is durable here that it was cancelled, and the next hop may have committed it before: only its answer tells which. */
    void setCancelInDoubt() {
        cancelInDoubt = true;
    }

    boolean isCancelInDoubt() {
        return cancelInDoubt;
    }

    /** Whether a caller waits for the outcome of its cancel. */
    boolean isCancelAwaited() {
        return !untilCancelled.isEmpty();
    }

    /** Calls {@code action} when it is certain that it was cancelled, or that it cannot be any more. */
    void whenCancelled(Outcome.Callback<TransferKey> action) {
        untilCancelled = with(untilCancelled, action);
    }

    /** Calls {@code action} when it is durable here that it was cancelled, also if the next hop has still to say whether that was too late. */
    void whenCancelDurable(Outcome.Callback<TransferKey> action) {
        untilCancelDurable = with(untilCancelDurable, action);
    }

    void cancelDurableNow(Outcome<TransferKey> outcome) {
        List<Outcome.Callback<TransferKey>> waiting = untilCancelDurable;
        untilCancelDurable = List.of();
        waiting.forEach(action -> action.accept(outcome));
    }

    void cancelledNow(Outcome<TransferKey> outcome) {
        cancelDurableNow(outcome);
        cancelInDoubt = false;
        List<Outcome.Callback<TransferKey>> waiting = untilCancelled;
        untilCancelled = List.of();
        waiting.forEach(action -> action.accept(outcome));
    }

    private static <T> List<T> with(List<T> actions, T action) {
        List<T> more = new ArrayList<>(actions.size() + 1);
        more.addAll(actions);
        more.add(action);
        return more;
    }
}
