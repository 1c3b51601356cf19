package io.hawser.agenta.sftp.session;

import io.hawser.agenta.namespace.RequestFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands on the first of two answers: the one that is awaited, or that it did not come in time.
 *
 * <p>Thread: the loop.
 */
final class FirstAnswer implements Consumer<Optional<RequestFailure>> {
    private final Consumer<Optional<RequestFailure>> told;
    private @Nullable Future<?> timer;
    private boolean over;

    private FirstAnswer(Consumer<Optional<RequestFailure>> told) {
        this.told = told;
    }

    /** {@code late} is told if nothing else is in that time. */
    static FirstAnswer within(
            ScheduledExecutorService loop,
            Duration time,
            RequestFailure late,
            Consumer<Optional<RequestFailure>> told) {
        FirstAnswer answer = new FirstAnswer(told);
        answer.timer = loop.schedule(() -> answer.accept(Optional.of(late)), time.toMillis(), TimeUnit.MILLISECONDS);
        return answer;
    }

    @Override
    public void accept(Optional<RequestFailure> outcome) {
        if (!over) {
            over = true;
            if (timer != null) {
                timer.cancel(false);
            }
            told.accept(outcome);
        }
    }
}
