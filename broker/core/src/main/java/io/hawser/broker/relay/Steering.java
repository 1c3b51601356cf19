package io.hawser.broker.relay;

import org.jspecify.annotations.Nullable;

/**
 * What was asked of a committed transfer besides its delivery. Immutable.
 *
 * <p>Thread: any.
 *
 * @param recall why it is cancelled; null if it is not
 */
public record Steering(@Nullable String recall) {
    /** Nothing was asked. */
    public static final Steering NONE = new Steering(null);

    /** Whether it is cancelled: its bytes are gone, and consumers say what became of it. */
    public boolean isRecalled() {
        return recall != null;
    }
}
