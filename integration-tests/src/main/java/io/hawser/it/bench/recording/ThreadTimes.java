package io.hawser.it.bench.recording;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the threads of a process have used of the processors so far, as the kernel counts it (proc(5), /proc/PID/task/TID/stat; in steps
 * of 10 ms).
 *
 * @param byThread by thread id
 */
record ThreadTimes(Map<String, Used> byThread) {
    /** The kernel tells times in these, whatever its own clock. */
    private static final int TICKS_PER_SECOND = 100;

    /** Fields behind the name: the state is the third of all. */
    private static final int USER_FIELD = 11;

    private static final int SYSTEM_FIELD = 12;

    /** @param name its first 15 characters */
    record Used(String name, double userSeconds, double systemSeconds) {
        Used minus(Used before) {
            return new Used(name, userSeconds - before.userSeconds, systemSeconds - before.systemSeconds);
        }
    }

    /** Of a process that runs. A thread that ends meanwhile is left out. */
    static ThreadTimes of(long pid) throws IOException {
        Map<String, Used> byThread = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                add(thread, byThread);
            }
        }
        return new ThreadTimes(byThread);
    }

    private static void add(Path thread, Map<String, Used> to) {
        try {
            to.put(String.valueOf(thread.getFileName()), parse(Files.readString(thread.resolve("stat"))));
        } catch (IOException e) {
            return; // it has ended
        }
    }

    /** A line {@code 12 (name) R 1 …}; a name may have blanks and parentheses. */
    static Used parse(String line) {
        int nameEnd = line.lastIndexOf(')');
        String[] fields = line.substring(nameEnd + 2).strip().split(" ");
        return new Used(
                line.substring(line.indexOf('(') + 1, nameEnd),
                Double.parseDouble(fields[USER_FIELD]) / TICKS_PER_SECOND,
                Double.parseDouble(fields[SYSTEM_FIELD]) / TICKS_PER_SECOND);
    }

    /** What was used since. */
    ThreadTimes since(ThreadTimes before) {
        Map<String, Used> used = new HashMap<>(byThread);
        used.replaceAll((thread, now) -> {
            Used then = before.byThread.get(thread);
            return then == null ? now : now.minus(then);
        });
        return new ThreadTimes(used);
    }
}
