package io.hawser.store.landing;

/**
 * How far a transfer got in the landing area.
 *
 * <pre>
 *   OPEN ──commit──► VERIFIED ──target──► DELIVERED ──receipt acked──► (tombstone) ──► nothing
 *    │  ▲                │  │ ▲
 *    │  │                │  │ └─retry── PARKED ──dropped──► FAILED
 *    │  │                │  └─deadline──►
 *    │  └─ABANDONED      └──never possible──► FAILED ──receipt acked──► (tombstone)
 *    └──cancel──► (tombstone)
 * </pre>
 */
public enum LandingState {
    /** Fragments arrive. */
    OPEN,
    /** The landing file failed and is gone: nothing is durable, and the transfer starts again with its next OPEN. */
    ABANDONED,
    /** Complete, verified and durable; waits for its target. */
    VERIFIED,
    /** On the dead-letter list: tried in vain until the deadline. It waits for the operator and holds up no other. */
    PARKED,
    /** Published; the receipt is kept. */
    DELIVERED,
    /** Cannot be published; the receipt is kept, and so is the landing file for a while. */
    FAILED
}
