package io.hawser.core.hop;

import io.hawser.core.model.FragmentRanges;

/**
 * The durable state of a transfer in a receiver's store.
 *
 * @param state how far it got
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
        /** Finished, or at a broker also cancelled; only its tombstone is left. */
        GONE,
        /** Dropped by a consumer, as it was told; only its tombstone is left. */
        CANCELLED
    }

    /** What a store says of a transfer that it has never seen. */
    public static StoredTransfer absent() {
        return new StoredTransfer(State.ABSENT, new FragmentRanges());
    }
}
