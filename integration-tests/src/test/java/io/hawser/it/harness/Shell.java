package io.hawser.it.harness;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs commands of the system to their end, for harnesses that run with and without JUnit. Thread: any. */
public final class Shell {
    private Shell() {}

    /**
     * Runs one; returns what it printed.
     *
     * @throws IOException if it fails, or does not end within {@link TestTimes#LIMIT}: then it is killed
     */
    public static String run(String... command) throws IOException {
        Path output = Files.createTempFile("hawser-shell", ".out"); // what it leaves running may keep a pipe open
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(String.join(" ", command) + " did not end within " + TestTimes.SECONDS + " s");
            }
            String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " ended with " + process.exitValue() + ": " + said);
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(String.join(" ", command));
        } finally {
            process.toHandle().destroyForcibly();
            Files.delete(output);
        }
    }

    /** Sends {@code signal}, such as {@code STOP}, to a process; fails if it has ended. */
    public static void signal(String signal, long pid) throws IOException {
        run("kill", "-" + signal, Long.toString(pid));
    }
}
