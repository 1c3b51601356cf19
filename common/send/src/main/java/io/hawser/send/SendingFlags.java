package io.hawser.send;

import io.hawser.core.config.ByteRate;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The flags of commands that send files: to where, how fast, and which. Picocli mixes in what is no key.
 *
 * <p>Thread: main only.
 */
public final class SendingFlags {
    public static final ConfigKey<SendDestination> TO = new ConfigKey<>(
            "to", "TOPIC[:DIR]", null, "", "the topic to send to, and the directory there", SendDestination::parse);
    public static final ConfigKey<ByteRate> RATE = new ConfigKey<>(
            "rate",
            "RATE",
            null,
            "",
            "the most that this command sends, over all streams, such as 10mbit or 5MB/s; no limit if not given",
            ByteRate::parse);

    @Option(
            names = "--include",
            paramLabel = "GLOB",
            description = "send only files that fit; can be given more than once")
    private List<String> includes = List.of();

    @Option(names = "--exclude", paramLabel = "GLOB", description = "leave out what fits; can be given more than once")
    private List<String> excludes = List.of();

    /** Which files are sent. Throws ConfigException if a GLOB is no pattern. */
    public NameFilter filter() {
        try {
            return NameFilter.of(includes, excludes);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /** The value of {@link #RATE}; 0 for no limit. */
    public static long bytesPerSecond(Config config) {
        return config.find(RATE).map(ByteRate::bytesPerSecond).orElse(0L);
    }
}
