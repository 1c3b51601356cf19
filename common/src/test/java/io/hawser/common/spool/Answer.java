package io.hawser.common.spool;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a call to the spool will have been answered. */
final class Answer<T> implements Outcome.Callback<T> {
    private static final int SECONDS = 20;

    private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();

    static ErrorCode code(Outcome<?> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            throw new AssertionError("not refused: " + outcome);
        }
        return refusal.code();
    }

    @Override
    public void accept(Outcome<T> answered) {
        if (!outcome.complete(answered)) {
            throw new AssertionError("answered twice: " + answered);
        }
    }

    boolean isThere() {
        return outcome.isDone();
    }

    Outcome<T> outcome() {
        try {
            return outcome.get(SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    T value() {
        return outcome().get();
    }

    ErrorCode code() {
        return code(outcome());
    }
}
