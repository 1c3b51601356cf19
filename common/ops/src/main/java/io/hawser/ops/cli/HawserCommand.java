package io.hawser.ops.cli;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * One command of {@code hawser}. Public class with a public constructor and picocli's {@code @Command} (its name, a
 * description and, as footer, an example); found by ServiceLoader. Loading it must be cheap: all commands are loaded to
 * show the help.
 *
 * <p>{@link #call} returns an exit code, or throws: CommandException, ConfigException and IOException are shown as one line.
 *
 * <p>Thread: main only.
 */
public interface HawserCommand extends Callable<Integer> {
    /** The keys that become flags {@code --name}; picocli's own annotations serve for positional parameters. */
    default List<? extends ConfigKey<?>> keys() {
        return List.of();
    }

    /** Gives the values of {@link #keys}, before {@link #call}. Cross-checks belong here: throw ConfigException. */
    default void configure(Config config) {}
}
