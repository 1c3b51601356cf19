package io.hawser.broker.session;

import io.hawser.core.access.Identity;
import io.hawser.core.model.NodeId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Binds each node id to the certificate subject that first used it: no other subject can use that id to end its sessions or take its
 * subscriptions and receipts. A renewed certificate has the same subject.
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
        public Optional<CompletionStage<String>> bind(NodeId node, String principal) {
            return Optional.empty();
        }

        @Override
        public Identity of(NodeId node) {
            return Identity.UNKNOWN;
        }
    };

    /** Why that subject may not come as that node; empty if it may. */
    Optional<String> whyNot(NodeId node, String principal);

    /**
     * Binds a node to a subject that may come as it. Empty if it is bound, durably; else completes on the loop when {@link #whyNot} may be
     * asked again, with an empty sentence, or with the reason why it cannot be bound now.
     */
    Optional<CompletionStage<String>> bind(NodeId node, String principal);

    /** The identity bound to that node, as far as the subject tells; {@link Identity#UNKNOWN} if none is. Thread: any. */
    Identity of(NodeId node);
}
