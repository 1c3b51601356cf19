package io.hawser.ops.cli;

import io.hawser.core.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Flags that a reader of the help looks for together.
 *
 * @param heading what they are about, such as {@code Space}; without a colon
 */
public record FlagGroup(String heading, List<? extends ConfigKey<?>> keys) {
    public FlagGroup {
        keys = List.copyOf(keys);
    }

    public static FlagGroup of(String heading, ConfigKey<?>... keys) {
        return new FlagGroup(heading, List.of(keys));
    }

    public FlagGroup and(List<? extends ConfigKey<?>> more) {
        List<ConfigKey<?>> all = new ArrayList<>(keys);
        all.addAll(more);
        return new FlagGroup(heading, all);
    }
}
