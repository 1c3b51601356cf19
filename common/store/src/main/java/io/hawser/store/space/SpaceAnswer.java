package io.hawser.store.space;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether something may be accepted and, if not, why. All three roles give this answer.
 *
 * <p>Thread: immutable.
 */
public sealed interface SpaceAnswer {
    /** All that the node itself can hold, as opposed to a principal's quota. */
    String NODE = "";

    /** It may be accepted. */
    record Yes() implements SpaceAnswer {
        private static final Yes ONLY = new Yes();

        @Override
        public @Nullable Refusal refusal() {
            return null;
        }
    }

    /**
     * Not now; the sender asks again.
     *
     * @param space what is short: the name of a quota, or {@link #NODE}
     * @param roomHelps whether it waits for free space, and not for the end of one certain other transfer
     * @param why a sentence for its user
     */
    record Wait(String space, boolean roomHelps, String why) implements SpaceAnswer {
        @Override
        public Refusal refusal() {
            return new Refusal(ErrorCode.NO_SPACE, why);
        }
    }

    /**
     * Never, unless something is configured otherwise.
     *
     * @param why a sentence for its user
     */
    record No(String why) implements SpaceAnswer {
        @Override
        public Refusal refusal() {
            return new Refusal(ErrorCode.TOO_LARGE, why);
        }
    }

    static SpaceAnswer yes() {
        return Yes.ONLY;
    }

    /** It waits for free space of the node. */
    static SpaceAnswer waitForRoom(String why) {
        return new Wait(NODE, true, why);
    }

    /** What the peer is told; null if it may be accepted. */
    @Nullable
    Refusal refusal();

    default boolean isYes() {
        return this instanceof Yes;
    }

    /** This answer if it is not yes, else the next one. */
    default SpaceAnswer and(Supplier<SpaceAnswer> next) {
        return isYes() ? next.get() : this;
    }
}
