package io.hawser.common.landing;

/**
 * How far a transfer got in the landing area.
 *
 * <pre>
 *   OPEN ──commit──► VERIFIED ──target──► DELIVERED ──receipt acked──► (tombstone) ──► nothing
 *    │  ▲                │
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
    /** Published; the receipt is kept. */
    DELIVERED,
    /** Cannot be published; the receipt is kept, and so is the landing file for a while. */
    FAILED
}
