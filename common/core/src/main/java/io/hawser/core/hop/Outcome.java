package io.hawser.core.hop;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request to a store: a value or a refusal.
 *
 * @param value the result; null if refused
 * @param refusal the reason; null if it succeeded
 * @param <T> the value's type
 */
public record Outcome<T>(@Nullable T value, @Nullable Refusal refusal) {
    public static <T> Outcome<T> of(T value) {
        return new Outcome<>(value, null);
    }

    public static <T> Outcome<T> refused(ErrorCode code, String detail) {
        return refused(new Refusal(code, detail));
    }

    /** The same from an existing refusal. */
    public static <T> Outcome<T> refused(Refusal refusal) {
        return new Outcome<>(null, refusal);
    }

    public boolean isRefused() {
        return refusal != null;
    }

    /** The value; {@link IllegalStateException} if it was refused. */
    public T get() {
        if (value == null) {
            throw new IllegalStateException("refused: " + refusal);
        }
        return value;
    }

    /** The outcome with what {@code function} makes of the value; the refusal stays. */
    public <R> Outcome<R> map(Function<T, R> function) {
        return refusal == null ? of(function.apply(get())) : refused(refusal);
    }

    /** Receives the outcome, on the owner's loop, never inside the call that asked. */
    @FunctionalInterface
    public interface Callback<T> extends Consumer<Outcome<T>> {}
}
