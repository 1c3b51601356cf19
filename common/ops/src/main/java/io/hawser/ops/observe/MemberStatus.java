package io.hawser.ops.observe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * A member of a group that shares a subscription. In the JSON its parts are not nested.
 *
 * @param name its name
 * @param node its node id
 * @param subject of its certificate; empty if it came without one
 * @param connected whether it is connected
 * @param awayMillis since it was last connected, or since the broker's start if that was later; 0 while it is connected
 * @param assigned what it has been given and has not delivered
 * @param delivered what it has delivered
 */
public record MemberStatus(
        String name,
        String node,
        String subject,
        boolean connected,
        long awayMillis,
        @JsonUnwrapped Assigned assigned,
        @JsonUnwrapped Delivered delivered) {
    public MemberStatus {
        subject = subject == null ? "" : subject; // a page of an older broker has none
    }

    /**
     * Transfers that a member has been given and has not delivered.
     *
     * @param transfers their number
     * @param bytes their sizes
     * @param pinnedTransfers those that it alone may deliver, as far as the broker has looked: while it is away they wait for it
     */
    public record Assigned(long transfers, long bytes, long pinnedTransfers) {}

    /**
     * Transfers that a member has delivered since the broker's start.
     *
     * @param deliveredTransfers their number
     * @param deliveredBytes their sizes
     */
    public record Delivered(long deliveredTransfers, long deliveredBytes) {}
}
