package io.hawser.ops.observe;

/**
 * A member of a group that shares a subscription.
 *
 * @param name what it is called
 * @param node its node id
 * @param subject of its certificate; empty if it came without one
 * @param connected whether it is here
 * @param awayMillis since it is not, or since the broker's start if that was later; 0 while it is connected
 * @param transfers what it has been given and has not delivered
 * @param bytes their sizes
 * @param pinnedTransfers what it alone may deliver, as far as the broker has looked: while it is away these wait for it
 * @param deliveredTransfers what it has delivered since the broker's start
 * @param deliveredBytes their sizes
 *
 * <p>Thread: immutable.
 */
public record MemberStatus(
        String name,
        String node,
        String subject,
        boolean connected,
        long awayMillis,
        long transfers,
        long bytes,
        long pinnedTransfers,
        long deliveredTransfers,
        long deliveredBytes) {
    public MemberStatus {
        subject = subject == null ? "" : subject; // a page of an older broker has none
    }
}
