package io.hawser.it.bench.links;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Which programs of others are installed. */
final class Programs {
    private Programs() {}

    /**
     * Those that are not there.
     *
     * @param path directories as in {@code PATH}
     */
    static List<String> missing(List<String> programs, String path) {
        return programs.stream().filter(program -> !isInstalled(program, path)).toList();
    }

    private static boolean isInstalled(String program, String path) {
        return Arrays.stream(path.split(":")).anyMatch(directory -> {
            Path file = Path.of(directory, program);
            return Files.isRegularFile(file) && Files.isExecutable(file);
        });
    }
}
