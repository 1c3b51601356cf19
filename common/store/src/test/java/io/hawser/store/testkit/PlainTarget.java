package io.hawser.store.testkit;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.store.landing.DeliveryTarget;
import org.jspecify.annotations.Nullable;

/** A target that takes each object, and copies it as a far server does. */
public abstract class PlainTarget implements DeliveryTarget {
    @Override
    public @Nullable Refusal check(Manifest manifest) {
        return null;
    }

    @Override
    public boolean takesFile() {
        return false;
    }
}
