package io.hawser.broker.session;

import io.hawser.common.model.NodeId;
import java.util.Optional;

/**
 * Which certificate came first with which node id: nobody else gets in with that id, and so nobody else ends its sessions, takes its
 * subscriptions or its receipts. What is bound is the certificate's subject, so that a renewed one fits.
 *
 * <p>Thread: the relay's loop.
 */
public interface NodeBindings {
    /** Where nothing is bound. */
    NodeBindings NONE = (node, principal) -> Optional.empty();

    /** Why somebody with that subject may not come as that node; empty if he may, and then it is bound, durably. */
    Optional<String> whyNot(NodeId node, String principal);
}
