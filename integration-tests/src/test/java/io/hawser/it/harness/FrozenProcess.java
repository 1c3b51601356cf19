package io.hawser.it.harness;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A process that is stopped by SIGSTOP, as a machine stops whose power fails: none of its threads runs a further instruction of its own.
 *
 * <p>Thread: any.
 */
public final class FrozenProcess {
    /** The states of threads (proc(5), the third field of {@code stat}) that have stopped or ended. */
    private static final String STOPPED = "TZX";

    /** The same, or in a call that no signal ends, such as a force: such a thread stops when it returns. */
    private static final String STOPPED_OR_IN_THE_KERNEL = STOPPED + "D";

    private static final int PAUSE_MILLIS = 2;

    private final long pid;

    private FrozenProcess(long pid) {
        this.pid = pid;
    }

    /** Stops it where it is; calls of the disk may still be under way, but nobody will see how they end. */
    public static FrozenProcess anywhere(long pid) throws IOException, InterruptedException {
        return stop(pid, STOPPED_OR_IN_THE_KERNEL);
    }

    /** Stops it when no call of the disk is under way. */
    public static FrozenProcess betweenCalls(long pid) throws IOException, InterruptedException {
        return stop(pid, STOPPED);
    }

    private static FrozenProcess stop(long pid, String states) throws IOException, InterruptedException {
        Shell.signal("STOP", pid);
        long end = System.nanoTime() + TestTimes.LIMIT.toNanos();
        while (!allAre(pid, states)) {
            if (System.nanoTime() > end) {
                throw new IOException("process " + pid + " does not stop");
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return new FrozenProcess(pid);
    }

    /** Lets it go on. */
    public void thaw() throws IOException {
        Shell.signal("CONT", pid);
    }

    private static boolean allAre(long pid, String states) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                if (!isOneOf(thread.resolve("stat"), states)) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException | DirectoryIteratorException e) {
            return true; // it has ended
        }
    }

    private static boolean isOneOf(Path stat, String states) {
        String line;
        try {
            line = Files.readString(stat);
        } catch (IOException e) {
            return false; // the thread has just ended: the next look does not find it
        }
        return states.indexOf(line.charAt(line.lastIndexOf(')') + 2)) >= 0;
    }
}
