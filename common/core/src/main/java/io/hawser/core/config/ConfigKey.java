package io.hawser.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A configuration key. The flag, the environment variable, the line in the file and the help text come from this one declaration.
 *
 * @param <T> the value's type
 * @param name lower case with dashes, such as {@code fragment-size}
 * @param label the value's form in the help, such as {@code HOST:PORT}; empty for a switch
 * @param defaultText the default in the form that users write, or null if there is none
 * @param range the legal values, in words; empty if the label is enough
 * @param sentence the effect, without a full stop
 * @param parser throws {@link IllegalArgumentException} with a sentence for the user
 *
 * <p>Thread: immutable.
 */
public record ConfigKey<T>(
        String name,
        String label,
        @Nullable String defaultText,
        String range,
        String sentence,
        Function<String, T> parser) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    /** A hundred years, which fits into a long of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|h|d)");

    public ConfigKey {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a key is lower case with dashes, not '" + name + "'");
        }
    }

    /** A key whose value is any text. */
    public static ConfigKey<String> text(String name, String label, @Nullable String defaultText, String sentence) {
        return new ConfigKey<>(name, label, defaultText, "", sentence, text -> text);
    }

    /** A whole number, both ends of the range included. */
    public static ConfigKey<Integer> integer(String name, int defaultValue, int min, int max, String sentence) {
        String range = min + " to " + max;
        return new ConfigKey<>(name, "N", Integer.toString(defaultValue), range, sentence, text -> {
            int value = text.matches("-?[0-9]{1,9}") ? Integer.parseInt(text) : min - 1;
            if (value < min || value > max) {
                throw new IllegalArgumentException("'" + text + "' is not a whole number from " + range);
            }
            return value;
        });
    }

    /** A number of bytes, both ends of the range included. */
    public static ConfigKey<ByteSize> size(
            String name, @Nullable String defaultText, ByteSize min, ByteSize max, String sentence) {
        String range = min + " to " + max;
        return new ConfigKey<>(name, "SIZE", defaultText, range, sentence, text -> {
            ByteSize value = ByteSize.parse(text);
            if (value.bytes() < min.bytes() || value.bytes() > max.bytes()) {
                throw new IllegalArgumentException("'" + text + "' is not from " + range);
            }
            return value;
        });
    }

    /** A time span such as {@code 500ms}, {@code 30s}, {@code 10m}, {@code 12h}, {@code 7d}. */
    public static ConfigKey<Duration> duration(String name, @Nullable String defaultText, String sentence) {
        return new ConfigKey<>(name, "TIME", defaultText, "", sentence, ConfigKey::time);
    }

    /** A time span, both ends of the range included, in the form that users write. */
    public static ConfigKey<Duration> duration(
            String name, String defaultText, String min, String max, String sentence) {
        Duration least = time(min);
        Duration most = time(max);
        String range = min + " to " + max;
        return new ConfigKey<>(name, "TIME", defaultText, range, sentence, text -> {
            Duration value = time(text);
            if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                throw new IllegalArgumentException("'" + text + "' is not from " + range);
            }
            return value;
        });
    }

    private static Duration time(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 500ms, 30s, 10m, 12h or 7d");
        }
        long count = Long.parseLong(matcher.group(1));
        Duration time =
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(count);
                    case "s" -> Duration.ofSeconds(count);
                    case "m" -> Duration.ofMinutes(count);
                    case "h" -> Duration.ofHours(count);
                    default -> Duration.ofDays(count);
                };
        if (time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is too long; the longest is " + LONGEST.toDays() + "d");
        }
        return time;
    }

    public static ConfigKey<HostPort> hostPort(String name, @Nullable String defaultText, String sentence) {
        return new ConfigKey<>(name, "HOST:PORT", defaultText, "", sentence, HostPort::parse);
    }

    /** Addresses with commas between them, at least one. */
    public static ConfigKey<List<HostPort>> hostPorts(String name, @Nullable String defaultText, String sentence) {
        return new ConfigKey<>(
                name, "HOST:PORT[,…]", defaultText, "", sentence, text -> Arrays.stream(text.split(",", -1))
                        .map(HostPort::parse)
                        .toList());
    }

    /** An address, or {@code off}, which gives an empty Optional. */
    public static ConfigKey<Optional<HostPort>> hostPortOrOff(String name, String defaultText, String sentence) {
        return new ConfigKey<>(
                name,
                "HOST:PORT|off",
                defaultText,
                "",
                sentence,
                text -> text.equals("off") ? Optional.empty() : Optional.of(HostPort.parse(text)));
    }

    /** A file or directory; a leading {@code ~/} is the home directory. */
    public static ConfigKey<Path> path(String name, String label, @Nullable String defaultText, String sentence) {
        return new ConfigKey<>(name, label, defaultText, "", sentence, text -> {
            if (text.isEmpty()) {
                throw new IllegalArgumentException("the path is empty");
            }
            return text.startsWith("~/") ? Path.of(System.getProperty("user.home"), text.substring(2)) : Path.of(text);
        });
    }

    /** One of the constants of an enum, in lower case, with dashes for underscores. */
    public static <E extends Enum<E>> ConfigKey<E> choice(String name, E defaultValue, String sentence) {
        Class<E> type = defaultValue.getDeclaringClass();
        String choices =
                Arrays.stream(type.getEnumConstants()).map(ConfigKey::word).collect(Collectors.joining("|"));
        return new ConfigKey<>(name, choices, word(defaultValue), "", sentence, text -> {
            for (E constant : type.getEnumConstants()) {
                if (word(constant).equals(text)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("'" + text + "' is not one of " + choices.replace("|", ", "));
        });
    }

    /** A switch: the flag alone turns it on; in the environment and in the file it is {@code true} or {@code false}. */
    public static ConfigKey<Boolean> toggle(String name, String sentence) {
        return new ConfigKey<>(name, "", "false", "", sentence, text -> {
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException("'" + text + "' is not true or false");
            }
            return text.equals("true");
        });
    }

    public boolean isToggle() {
        return label.isEmpty();
    }

    /** What it does, which values are legal, and the default, as the help says it. */
    public String description() {
        String legal = range.isEmpty() ? "" : ", " + range;
        return sentence + legal + (defaultText == null ? "" : " (default: " + defaultText + ")");
    }

    /** The flag of the command line. */
    public String flag() {
        return "--" + name;
    }

    /** What {@code valueParser} makes of a value; its IllegalArgumentException becomes a ConfigException that names the flag. */
    public <V> V parsed(String text, Function<String, V> valueParser) {
        try {
            return valueParser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(flag() + ": " + e.getMessage());
        }
    }

    public String variable() {
        return "HAWSER_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
