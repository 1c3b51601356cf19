package io.hawser.broker;

import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import java.util.List;

/**
 * A kind of store for {@code hawser broker --store NAME}, besides the local one. Public class with a public constructor, found by
 * ServiceLoader.
 */
public interface StoreKind {
    /** What {@code --store} calls it. */
    String name();

    /** The keys that are of this kind alone; each begins with its name. */
    List<? extends ConfigKey<?>> keys();

    /**
     * How the store is opened.
     *
     * @param listen where the broker will listen for agents
     * @param limits what is kept and how long, as the broker was told
     * @throws io.hawser.core.config.ConfigException if a key is missing or does not go with another
     */
    StoreOpener opener(Config config, HostPort listen, LocalStoreConfig limits);
}
