package io.hawser.core.hop;

import io.hawser.core.model.FragmentRanges;

/**
 * The durable state of a transfer in a receiver's store.
 *
 * @param state its state
 * @param durable which fragments are durable; meaningful while {@code OPEN}
 */
public record StoredTransfer(State state, FragmentRanges durable) {
    /** The states of a transfer in a receiver's durable store. */
    public enum State {
        /** Nothing is known of it. */
        ABSENT,
        /** Begun, not committed. */
        OPEN,
        /** Committed: complete and durable. */
        COMMITTED,
        /** Finished, or cancelled at a broker; only its tombstone is left. */
        GONE,
        /** Cancelled at a consumer; only its tombstone is left. */
        CANCELLED
    }

    /** The state of an unknown transfer. */
    public static StoredTransfer absent() {
        return new StoredTransfer(State.ABSENT, new FragmentRanges());
    }
}
