package io.hawser.common.relay;

import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a publisher may begin.
 *
 * <p>Thread: the relay's loop.
 */
@FunctionalInterface
public interface PublishRights {
    /** Where everybody may publish everything. */
    PublishRights ALL = manifest -> null;

    /** Why that transfer may not begin; null if it may. */
    @Nullable
    Refusal whyNot(Manifest manifest);
}
