package io.hawser.broker;

import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigKey;
import java.util.List;

/**
 * A kind of store that {@code hawser broker --store NAME} can be told to use besides the one on this machine. Public class with a
 * public constructor, found by ServiceLoader.
 */
public interface StoreKind {
    /** What {@code --store} calls it. */
    String name();

    /** The keys that are of this kind alone; each begins with its name. */
    List<? extends ConfigKey<?>> keys();

    /**
     * How the store is opened.
     *
     * @param limits what is kept and how long, as the broker was told
     * @throws io.hawser.common.config.ConfigException if a key is missing or does not go with another
     */
    StoreOpener opener(Config config, LocalStoreConfig limits);
}
