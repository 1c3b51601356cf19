package io.hawser.it.bench.links;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Programs of others: which are installed, and where their servers may listen. */
public final class Programs {
    private Programs() {}

    /** Those that are not on the {@code PATH}. */
    public static List<String> missing(List<String> programs) {
        return missing(programs, System.getenv().getOrDefault("PATH", ""));
    }

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

    /** A port of loopback that is free now. */
    public static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}
