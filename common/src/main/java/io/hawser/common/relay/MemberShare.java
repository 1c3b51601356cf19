package io.hawser.common.relay;

import io.hawser.common.model.NodeId;

/**
 * A member of a group and its share of the subscription, for people.
 *
 * @param name what it is called
 * @param node the node that it is
 * @param subject of the certificate that it showed; empty without one
 * @param connected whether it is here
 * @param awayMillis since when it is not
 * @param transfers what it has been given and has not delivered
 * @param bytes their sizes
 * @param pinned of these, those that it alone may deliver: they wait for it while it is away
 * @param deliveredTransfers what it has delivered since the broker's start
 * @param deliveredBytes their sizes
 */
public record MemberShare(
        String name,
        NodeId node,
        String subject,
        boolean connected,
        long awayMillis,
        int transfers,
        long bytes,
        int pinned,
        long deliveredTransfers,
        long deliveredBytes) {}
