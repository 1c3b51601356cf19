package io.hawser.broker.relay;

import io.hawser.core.model.NodeId;

/**
 * The status of a group member, for people.
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
public record GroupMemberStatus(
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
