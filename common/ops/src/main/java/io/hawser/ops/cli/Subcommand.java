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
public interface Subcommand extends Callable<Integer> {
    /** Below which heading {@code hawser help} lists it. */
    default CommandSection section() {
        return CommandSection.OPERATE;
    }

    /** The flags below headings, for a command with many; empty if {@link #keys} are few. */
    default List<FlagGroup> flagGroups() {
        return List.of();
    }

    /** The keys that become flags {@code --name}; picocli's own annotations serve for positional parameters. */
    default List<? extends ConfigKey<?>> keys() {
        return flagGroups().stream().flatMap(group -> group.keys().stream()).toList();
    }

    /** Gives the values of {@link #keys}, before {@link #call}. Cross-checks belong here: throw ConfigException. */
    default void configure(Config config) {}
}
