package io.hawser.it.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One process's wall clock: a small library (clock.c), compiled here and preloaded, adds an offset that stands in a file. The monotonic
 * clock stays true. libfaketime does the same, and makes the start of a JVM take half a minute.
 *
 * <p>Thread: any.
 */
final class NodeClock {
    private static final String COMPILER = "cc";
    private static final int LIMIT_SECONDS = 60;

    private final Path file;
    private final Path library;

    /** @param file for the offset; the library is made beside it */
    NodeClock(Path file) throws IOException {
        this.file = file;
        library = file.resolveSibling("clock.so");
        jump(0);
        if (!Files.exists(library)) {
            compile();
        }
    }

    /** Why there can be none; empty if there can. */
    static String problem() {
        boolean compiler = Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, COMPILER)));
        return compiler ? "" : "no C compiler (cc), which makes the library that turns a process's clock";
    }

    private void compile() throws IOException {
        Path source = library.resolveSibling("clock.c");
        try (InputStream in = NodeClock.class.getResourceAsStream("clock.c")) {
            if (in == null) {
                throw new IOException("clock.c is missing");
            }
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Process compiler = new ProcessBuilder(
                        COMPILER, "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .inheritIO()
                .start();
        try {
            if (!compiler.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                throw new IOException("clock.c does not compile");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** What its process is to be started with. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "CHAOS_CLOCK_FILE", file.toString());
    }

    /** Sets it to so many seconds after the true time, at once: a process that looks at it meanwhile must not see half of the number. */
    void jump(int seconds) throws IOException {
        try (FileChannel offset =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            offset.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .putLong(0, seconds); // one store
        }
    }
}
