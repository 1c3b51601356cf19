package io.hawser.it.bench.report;

import io.hawser.core.config.ByteSize;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * On what something was measured. What cannot be found out is {@code unknown}, or 0.
 *
 * @param processor its name, as /proc/cpuinfo has it
 * @param processors how many the JVM sees
 * @param memoryBytes of the machine
 * @param fileSystem the kind of the one that the data are on
 * @param device that file system's
 */
public record Machine(
        String processor,
        int processors,
        long memoryBytes,
        String kernel,
        String jvm,
        String fileSystem,
        String device) {
    private static final String UNKNOWN = "unknown";
    private static final int KIB = 1024;

    /** This one; {@code directory} is where the data go. */
    public static Machine here(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return of(store.type(), store.name());
        } catch (IOException e) {
            return of(UNKNOWN, UNKNOWN);
        }
    }

    private static Machine of(String fileSystem, String device) {
        String memory = field(Path.of("/proc/meminfo"), "MemTotal").replaceAll("[^0-9]", "");
        return new Machine(
                field(Path.of("/proc/cpuinfo"), "model name"),
                Runtime.getRuntime().availableProcessors(),
                memory.isEmpty() ? 0 : Long.parseLong(memory) * KIB,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                fileSystem,
                device);
    }

    /** What stands behind {@code NAME:} in a file of lines. */
    static String field(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name) && line.indexOf(':') > 0)
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** How many processes wanted a processor in the last minute, on average; negative where that is not known. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d x %s, %s, %s, %s, %s on %s",
                processors,
                processor,
                ByteSize.human(memoryBytes),
                kernel,
                jvm,
                fileSystem,
                device);
    }
}
