package io.hawser.agenta.namespace;

import io.hawser.core.model.Topic;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may set of the namespace.
 *
 * @param root the topic that is the root directory, or null: then each topic is a directory of the root
 * @param partialListings whether a listing that may be incomplete, because the far end is away, is sent all the same
 * @param farLookTime how long a far end that is there may take to say what is at a name, and how long a patch waits for what is on its
 *     way to its file; for a page of a listing a far end has three times as long
 */
public record NamespaceOptions(@Nullable Topic root, boolean partialListings, Duration farLookTime) {
    /** Each topic is a directory. */
    public static final NamespaceOptions DEFAULT = new NamespaceOptions(null, false, Duration.ofSeconds(10));
}
