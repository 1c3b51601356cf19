package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives callbacks their answers: always in a later turn of the loop, and a refusal once the landing area has failed.
 *
 * <p>Thread: the loop; {@link #failure} on any.
 */
final class CallbackDispatcher {
    private final LandingWorkers workers;
    private volatile @Nullable StorageException failure;
    private volatile @Nullable StorageException fileFailure;

    CallbackDispatcher(LandingWorkers workers) {
        this.workers = workers;
    }

    /** CallbackDispatcher with {@code value}, asked for in that later turn. */
    <T> void answer(Outcome.Callback<T> done, Supplier<T> value) {
        workers.post(() -> {
            StorageException cause = failure;
            done.accept(cause == null ? Outcome.of(value.get()) : new Outcome<>(null, storageRefusal(cause)));
        });
    }

    /** Answers all with {@code value} and empties the list. */
    <T> void answerAll(List<Outcome.Callback<T>> waiters, T value) {
        waiters.forEach(done -> answer(done, () -> value));
        waiters.clear();
    }

    <T> void refuse(Outcome.Callback<T> done, Refusal refusal) {
        workers.post(() -> done.accept(new Outcome<>(null, refusal)));
    }

    /** Refuses all and empties the list. */
    <T> void refuseAll(List<Outcome.Callback<T>> waiters, Refusal refusal) {
        waiters.forEach(done -> refuse(done, refusal));
        waiters.clear();
    }

    /** If the landing area has failed, refuses and returns true. */
    boolean refuseIfFailed(Outcome.Callback<?> done) {
        StorageException cause = failure;
        if (cause == null) {
            return false;
        }
        refuse(done, storageRefusal(cause));
        return true;
    }

    /** From now on everything is refused. Returns false if that was so before. */
    boolean fail(StorageException cause) {
        if (failure != null) {
            return false;
        }
        failure = cause;
        return true;
    }

    @Nullable
    StorageException failure() {
        return failure;
    }

    static Refusal storageRefusal(@Nullable StorageException cause) {
        if (cause instanceof io.hawser.store.storage.OutOfSpaceException) {
            return new Refusal(
                    ErrorCode.NO_SPACE, "The destination's disk is full. It resumes by itself when there is room.");
        }
        if (cause instanceof CannotOpenNowException) {
            return new Refusal(
                    ErrorCode.STORAGE_FAILED,
                    "The destination could not open a file now: " + cause.getMessage() + ". It will be tried again.");
        }
        return new Refusal(
                ErrorCode.STORAGE_FAILED,
                "The destination's disk failed: "
                        + (cause == null ? "no reason was given" : cause.getMessage())
                        + ". It will be tried again; see the node's log.");
    }

    /** The refusal for a transfer whose landing file failed. */
    static Refusal abandoned() {
        return new Refusal(
                ErrorCode.STORAGE_FAILED,
                "The landing file of this transfer failed; it starts again with its next OPEN.");
    }

    /** A landing file could not be written or forced, although there was room; it was given up. Any thread. */
    void fileFailed(StorageException cause) {
        boolean passes = cause instanceof OutOfSpaceException
                || (cause instanceof CannotOpenNowException unopened && unopened.isForWantOfDescriptors());
        if (fileFailure == null && !passes) {
            fileFailure = cause;
        }
    }

    /** The first cause of {@link #fileFailed}, or null. */
    @Nullable
    StorageException fileFailure() {
        return fileFailure;
    }
}
