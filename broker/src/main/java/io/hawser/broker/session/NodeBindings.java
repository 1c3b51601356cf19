package io.hawser.broker.session;

import io.hawser.common.access.Identity;
import io.hawser.common.model.NodeId;
import java.util.Optional;

/**
 * Which certificate came first with which node id: nobody else gets in with that id, and so nobody else ends its sessions, takes its
 * subscriptions or its receipts. What is bound is the certificate's subject, so that a renewed one fits.
 *
 * <p>Thread: the relay's loop, where nothing else is said.
 */
public interface NodeBindings {
    /** Where nothing is bound. */
    NodeBindings NONE = new NodeBindings() {
        @Override
        public Optional<String> whyNot(NodeId node, String principal) {
            return Optional.empty();
        }

        @Override
        public Identity of(NodeId node) {
            return Identity.UNKNOWN;
        }
    };

    /** Why somebody with that subject may not come as that node; empty if he may, and then it is bound, durably. */
    Optional<String> whyNot(NodeId node, String principal);

    /** Who is bound to that node, as far as his subject tells; {@link Identity#UNKNOWN} if nobody is. Thread: any. */
    Identity of(NodeId node);
}
