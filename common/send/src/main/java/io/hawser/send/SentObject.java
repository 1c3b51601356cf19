package io.hawser.send;

import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.client.TransferId;
import io.hawser.core.model.CompletionRule;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sending of one object of a {@link SendPlan}.
 *
 * @param entry the object
 * @param id its transfer; null if none was begun, since the name or the file was refused here
 * @param transfer its transfer, if this run follows it; null if none was begun, or an interrupted run has finished it
 * @param origin which run has handed it over
 * @param done completes when it is as safe as the command wants it, or cannot be
 */
record SentObject(
        SendPlan.Entry entry,
        @Nullable TransferId id,
        @Nullable SentTransfer transfer,
        Origin origin,
        CompletableFuture<?> done) {
    /** Which run has handed an object over. */
    enum Origin {
        /** This one. */
        NOW,
        /** An earlier one; this one brings it further. */
        RESUMED,
        /** An earlier one, which brought it as far as is asked for. */
        EARLIER
    }

    /** Failures that are no refusal by the broker. */
    private static final Set<HawserException.Reason> NOT_REFUSED = EnumSet.of(
            HawserException.Reason.CANCELLED,
            HawserException.Reason.NOT_FOUND,
            HawserException.Reason.SOURCE_CHANGED,
            HawserException.Reason.STOPPING,
            HawserException.Reason.STORAGE_FAILED,
            HawserException.Reason.NOT_DELIVERED,
            HawserException.Reason.NOT_FOLLOWED);

    /** A transfer of this run, or one that continues in it. */
    static SentObject of(SendPlan.Entry entry, SentTransfer transfer, Origin origin, SendRun.Order order) {
        return new SentObject(
                entry, transfer.id(), transfer, origin, order.level().of(transfer, order.rule()));
    }

    /** What an interrupted run has finished. */
    static SentObject finishedEarlier(SendPlan.Entry entry, TransferId id) {
        return new SentObject(entry, id, null, Origin.EARLIER, CompletableFuture.completedFuture(id));
    }

    /** What could not be handed over. */
    static SentObject notBegun(SendPlan.Entry entry, HawserException cause) {
        return new SentObject(entry, null, null, Origin.NOW, CompletableFuture.failedFuture(cause));
    }

    /** What was not handed over in time. */
    static SentObject tooLate(SendPlan.Entry entry) {
        return new SentObject(entry, null, null, Origin.NOW, new CompletableFuture<>());
    }

    /** Whether nothing more was to be done for it. */
    boolean wasFinishedEarlier() {
        return origin == Origin.EARLIER;
    }

    /** The highest level that it has reached; empty if none. */
    Optional<WaitLevel> reached(CompletionRule rule) {
        SentTransfer known = transfer;
        if (known == null) {
            return Optional.empty();
        }
        return Stream.of(WaitLevel.DELIVERED, WaitLevel.LANDED, WaitLevel.BROKERED, WaitLevel.SPOOLED)
                .filter(level -> isReached(level.of(known, rule)))
                .findFirst();
    }

    static boolean isReached(CompletableFuture<?> level) {
        return level.isDone() && !level.isCompletedExceptionally();
    }

    /** Why it does not move now, as a phrase. */
    String heldBack() {
        if (transfer == null) {
            return "it was not read yet";
        }
        try {
            String problem = transfer.problem();
            return problem.isEmpty() ? "it is on its way" : problem;
        } catch (IOException e) {
            return "the client is busy: " + e.getMessage();
        }
    }

    /** Whether it has reached the broker, and no subscription is there for it. */
    boolean isUnclaimed() {
        return transfer != null && transfer.isUnclaimed();
    }

    long durableBytes() {
        if (transfer != null) {
            return transfer.progress().brokeredBytes();
        }
        return wasFinishedEarlier() ? entry.sizeBytes() : 0;
    }

    /** Bytes that this run or an earlier one has sent: of a file that was replaced after the scan, those of the file that was read. */
    long sentBytes() {
        boolean well = done.isDone() && failure() == null;
        return transfer != null && well ? Math.max(0, transfer.progress().sizeBytes()) : durableBytes();
    }

    /** Why it failed; null if it is not done, or well. */
    @Nullable
    Throwable failure() {
        if (!done.isCompletedExceptionally()) {
            return null;
        }
        try {
            done.join();
            return null;
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        } catch (CancellationException e) {
            return e;
        }
    }

    /** Whether it failed because the other side has refused it for good. */
    boolean isRefused() {
        return failure() instanceof HawserException refused && !NOT_REFUSED.contains(refused.reason());
    }
}
