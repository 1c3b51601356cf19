package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.ptcp.testkit.TestTimes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a call to the spool will have been answered. */
final class Answer<T> implements Outcome.Callback<T> {

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
            return outcome.get(TestTimes.SECONDS, TimeUnit.SECONDS);
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
