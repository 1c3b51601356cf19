package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * Decides which transfers a publisher may begin, and whether it may cancel those of others.
 *
 * <p>Thread: the relay's loop.
 */
@FunctionalInterface
public interface PublishRights {
    /** Every node may publish everything, and none may cancel the transfers of others. */
    PublishRights ALL = manifest -> null;

    /** Why that transfer may not begin; null if it may. */
    @Nullable
    Refusal whyNot(Manifest manifest);

    /** Whether the publisher may cancel others' transfers on any topic: if not, no transfer is looked up for it. */
    default boolean mayCancelSomewhere() {
        return false;
    }

    /**
     * Why the publisher may not cancel another's transfer; null if it may. The refusal does not tell whether there is such a transfer.
     *
     * @param topic its topic; null if there is no such transfer: then it is refused
     */
    default @Nullable Refusal whyNotCancel(TransferKey key, @Nullable Topic topic) {
        return new Refusal(ErrorCode.NOT_ALLOWED, "the transfer belongs to another publisher");
    }

    /** The canceller's name, for the publisher of the transfer. */
    default String peer() {
        return "another node";
    }

    /** The publisher has spoken of another's transfer, in a message of that kind, and was refused. */
    default void notItsOwn(TransferKey key, String message) {}
}
