package io.hawser.core.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * The values of a command's keys, each from the first source that has it: flag, environment, file, default. All values are parsed when it is
 * created.
 *
 * <p>Thread: immutable.
 */
public final class Config {
    private final Map<ConfigKey<?>, Object> values;
    /** Where each value that is no default comes from. */
    private final Map<ConfigKey<?>, String> places;

    private Config(Map<ConfigKey<?>, Object> values, Map<ConfigKey<?>, String> places) {
        this.values = Map.copyOf(values);
        this.places = Map.copyOf(places);
    }

    /**
     * Reads the values of {@code keys}.
     *
     * @param command the command's name, which is the prefix of its own lines in the file, such as {@code broker.admin=…}
     * @param flags values given on the command line, by key name
     * @param file lines of the configuration file
     * @param known the names of all commands
     * @throws ConfigException with all problems
     */
    public static Config of(
            String command,
            List<? extends ConfigKey<?>> keys,
            Map<String, String> flags,
            Map<String, String> environment,
            Map<String, String> file,
            SettingNames known) {
        List<String> problems = new ArrayList<>();
        Map<ConfigKey<?>, Object> values = new HashMap<>();
        Map<ConfigKey<?>, String> places = new HashMap<>();
        for (ConfigKey<?> key : keys) {
            Optional<Source> source = source(command, key, flags, environment, file);
            source.filter(s -> !s.isDefault()).ifPresent(s -> places.put(key, s.place()));
            try {
                source.ifPresent(s -> values.put(key, key.parser().apply(s.text())));
            } catch (IllegalArgumentException e) {
                problems.add(source.map(Source::place).orElse("") + ": " + e.getMessage());
            }
        }
        file.keySet().stream()
                .filter(name -> name.indexOf('.') > 0 && !name.startsWith(command + "."))
                .sorted()
                .forEach(name -> known.problemOfLine(name).ifPresent(problems::add));
        unknownKeys(command, keys, file)
                .forEach(name -> problems.add("the file has the key '" + name + "', which 'hawser " + command
                        + "' does not know; a key of another command is written with its name, such as agent-b.data"));
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new Config(values, places);
    }

    /** Reads a properties file in UTF-8. */
    public static Map<String, String> readFile(Path path) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("cannot read the configuration file " + path + ": "
                    + (e instanceof java.nio.file.NoSuchFileException ? "there is no such file" : e.getMessage()));
        }
        Map<String, String> lines = new HashMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> lines.put(name, properties.getProperty(name).strip()));
        return lines;
    }

    /** The value of a key. {@link ConfigException} if it is not set and has no default. */
    public <T> T get(ConfigKey<T> key) {
        return find(key)
                .orElseThrow(() -> new ConfigException(
                        key.flag() + (key.isToggle() ? "" : " " + key.label()) + " is needed: " + key.sentence()));
    }

    /** The value of a key; empty if it is not set and has no default. */
    @SuppressWarnings("unchecked") // only a key's own parser puts values under it
    public <T> Optional<T> find(ConfigKey<T> key) {
        return Optional.ofNullable((T) values.get(key));
    }

    /** Refuses keys that were set and mean nothing without {@code partner}, if that was not. Throws ConfigException. */
    public void requirePartner(ConfigKey<?> partner, ConfigKey<?>... keys) {
        if (find(partner).isEmpty()) {
            refuseWithout(partner.flag() + " " + partner.label(), keys);
        }
    }

    /**
     * Refuses keys that were set and have no effect.
     *
     * @param partner the flag, with its value, that gives them one
     * @throws ConfigException names the partner
     */
    public void refuseWithout(String partner, ConfigKey<?>... keys) {
        List<String> problems = Arrays.stream(keys)
                .filter(places::containsKey)
                .map(key -> places.get(key) + " needs " + partner)
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private static Optional<Source> source(
            String command,
            ConfigKey<?> key,
            Map<String, String> flags,
            Map<String, String> environment,
            Map<String, String> file) {
        String name = key.name();
        if (flags.containsKey(name)) {
            return Optional.of(Source.set(key.flag(), flags.get(name)));
        }
        if (environment.containsKey(key.variable())) {
            return Optional.of(Source.set(key.variable() + " (environment)", environment.get(key.variable())));
        }
        for (String line : List.of(command + "." + name, name)) {
            if (file.containsKey(line)) {
                return Optional.of(Source.set(line + " (configuration file)", file.get(line)));
            }
        }
        String defaultText = key.defaultText();
        return defaultText == null ? Optional.empty() : Optional.of(new Source(name + " (default)", defaultText, true));
    }

    private static Set<String> unknownKeys(
            String command, List<? extends ConfigKey<?>> keys, Map<String, String> file) {
        Set<String> known = new HashSet<>();
        keys.forEach(key -> {
            known.add(key.name());
            known.add(command + "." + key.name());
        });
        Set<String> unknown = new TreeSet<>(file.keySet());
        unknown.removeAll(known);
        unknown.removeIf(name -> name.indexOf('.') > 0 && !name.startsWith(command + "."));
        return unknown;
    }

    private record Source(String place, String text, boolean isDefault) {
        static Source set(String place, String text) {
            return new Source(place, text, false);
        }
    }
}
