package io.hawser.common.config;

import java.util.List;

/**
 * A configuration that cannot be used. Each problem is a sentence that names the key, where its value came from and
 * what is expected.
 *
 * <p>Thread: immutable.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    public ConfigException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public ConfigException(String problem) {
        this(List.of(problem));
    }

    /** All that is wrong, in the order of the keys. */
    public List<String> problems() {
        return problems;
    }
}
