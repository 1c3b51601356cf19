package io.hawser.broker.relay;

import io.hawser.core.hop.HopSender;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of a committed transfer besides its delivery. Immutable.
 *
 * <p>Thread: any.
 *
 * @param recall why it is cancelled; null if it is not
 * @param held whether it is sent to nobody until it is released
 * @param priority 1 (last) to 9 (first)
 */
public record Steering(@Nullable String recall, boolean held, int priority) {
    /** Nothing was asked. */
    public static final Steering NONE = new Steering(null, false, HopSender.USUAL_PRIORITY);

    /** Whether it is cancelled: its bytes are gone, and consumers say what became of it. */
    public boolean isRecalled() {
        return recall != null;
    }

    Steering withHeld(boolean holds) {
        return new Steering(recall, holds, priority);
    }

    Steering withPriority(int other) {
        return new Steering(recall, held, other);
    }
}
