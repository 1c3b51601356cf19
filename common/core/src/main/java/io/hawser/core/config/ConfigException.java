package io.hawser.core.config;

import java.util.List;

/**
 * Reports an invalid configuration. Each problem is a sentence with the key, the source of its value and what is expected.
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

    /** All problems, in the order of the keys. */
    public List<String> problems() {
        return problems;
    }
}
