package io.hawser.core.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The configuration names of all commands, as environment variables and as lines of a file. Any other Hawser name is an error,
 * because it would otherwise be ignored silently.
 *
 * <p>Thread: immutable.
 */
public final class KnownNames {
    private static final String PREFIX = "HAWSER_";
    /** Variables that are not keys of commands. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "HAWSER_CONFIG",
            "HAWSER_DEBUG",
            "HAWSER_HOME",
            "HAWSER_JAVA_OPTS",
            "HAWSER_LIB",
            "HAWSER_LOG",
            "HAWSER_INTO_PASSWORD",
            "HAWSER_SERVE_PASSWORD",
            "HAWSER_DRILL_PASSWORD",
            // of docker-compose.yml and containers/try
            "HAWSER_BASE",
            "HAWSER_LOCAL_BROKERS",
            "HAWSER_TRY_DIR");

    /** Variables, with their values, that Kubernetes and Docker set for a service or container whose name begins with {@code hawser}. */
    private static final Pattern OF_SERVICES = Pattern.compile(
            "HAWSER_(.*_)?(SERVICE_(HOST|PORT(_.*)?)=.*|PORT=[a-z]+://.*|PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?=.*)");

    private static final Set<String> LEVELS = Set.of("trace", "debug", "info", "warn", "error", "off");
    /** The most differing letters of a suggestion. */
    private static final int MAX_DIFFERENCE = 3;

    private final Map<String, Set<String>> byCommand = new TreeMap<>();
    private final Set<String> variables = new TreeSet<>(OTHER_VARIABLES);

    /** @param keys of each command by its name */
    public KnownNames(Map<String, ? extends List<? extends ConfigKey<?>>> keys) {
        keys.forEach((command, its) -> {
            Set<String> names = new TreeSet<>();
            its.forEach(key -> {
                names.add(key.name());
                variables.add(key.variable());
            });
            byCommand.put(command, names);
        });
    }

    /** The problems in the environment, a sentence each. */
    public List<String> problemsOf(Map<String, String> environment) {
        List<String> problems = new ArrayList<>();
        for (String name : new TreeSet<>(environment.keySet())) {
            boolean ours = name.startsWith(PREFIX) && !variables.contains(name);
            if (ours && !OF_SERVICES.matcher(name + '=' + environment.get(name)).matches()) {
                problems.add(name + " (environment): no command has such a setting" + suggestion(name, variables)
                        + "; correct it, or remove it from the environment");
            }
        }
        String level = environment.getOrDefault("HAWSER_LOG", "info");
        if (!LEVELS.contains(level.toLowerCase(Locale.ROOT))) {
            problems.add(
                    "HAWSER_LOG (environment): '" + level + "' is not one of trace, debug, info, warn, error, off");
        }
        String debug = environment.getOrDefault("HAWSER_DEBUG", "");
        if (!Set.of("", "0", "1").contains(debug)) {
            problems.add("HAWSER_DEBUG (environment): '" + debug + "' is not 1 or 0");
        }
        return problems;
    }

    /** The problem with a line {@code command.key} for another command; empty if there is none. */
    Optional<String> problemOfLine(String line) {
        String command = line.substring(0, line.indexOf('.'));
        String key = line.substring(line.indexOf('.') + 1);
        Set<String> keys = byCommand.get(command);
        if (keys == null) {
            return Optional.of("the file has the key '" + line + "', but there is no command '" + command + "'"
                    + suggestion(command, byCommand.keySet()));
        }
        return keys.contains(key)
                ? Optional.empty()
                : Optional.of("the file has the key '" + line + "', which 'hawser " + command + "' does not know"
                        + suggestion(key, keys));
    }

    private static String suggestion(String name, Set<String> known) {
        Map<String, Integer> differences = new HashMap<>();
        known.forEach(each -> differences.put(each, difference(name, each)));
        int letters = name.startsWith(PREFIX) ? name.length() - PREFIX.length() : name.length();
        return known.stream()
                .filter(each -> differences.getOrDefault(each, 0) <= Math.min(MAX_DIFFERENCE, letters / 2))
                .min(Comparator.<String>comparingInt(each -> differences.getOrDefault(each, 0))
                        .thenComparing(each -> each))
                .map(each -> " (" + each + "?)")
                .orElse("");
    }

    /** The Levenshtein distance: how many letters must be changed, inserted or deleted. */
    private static int difference(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] now = new int[other.length() + 1];
            now[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(changed, Math.min(before[j], now[j - 1]) + 1);
            }
            before = now;
        }
        return before[other.length()];
    }
}
