package io.hawser.it.chaos;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.PreloadedLibrary;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * One process's wall clock: a small library (clock.c), compiled here and preloaded, adds the offset in a file. The monotonic
 * clock stays true. libfaketime does the same, and makes the start of a JVM take half a minute.
 *
 * <p>Thread: any.
 */
final class NodeClock {
    private final Path file;
    private final Path library;

    /** @param file for the offset; the library is made beside it */
    NodeClock(Path file) throws IOException {
        this.file = file;
        library = PreloadedLibrary.compile(
                NodeClock.class, "clock", file.toAbsolutePath().getParent());
        jump(0);
    }

    /** Why there can be none; empty if there can. */
    static String problem() {
        return Program.isThere("cc") ? "" : "no C compiler (cc), which makes the library that turns a process's clock";
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
