package io.hawser.release.drill;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of the operator's, by {@code sh -c}. What they leave running in the background goes on. Thread: any. */
final class Shell {
    private static final int SAID_CHARS = 300;

    private Shell() {}

    /**
     * Runs it to its end; returns what it printed.
     *
     * @throws IOException if it fails, or takes longer than {@code limit}: then it is ended
     */
    static String run(String command, Duration limit) throws IOException, InterruptedException {
        // A file and no pipe: what it leaves running may keep its output open.
        Path output = Files.createTempFile("hawser-drill-", ".out");
        try {
            Process process = new ProcessBuilder("sh", "-c", command)
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IOException("'" + command + "' still ran after " + limit.toSeconds()
                        + " s; one that stays must end with '&'");
            }
            String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException("'" + command + "' ended with " + process.exitValue() + lastLine(said));
            }
            return said;
        } finally {
            Files.delete(output);
        }
    }

    /** STOP or CONT. */
    static void signal(String signal, long pid) throws IOException, InterruptedException {
        run("kill -" + signal + " " + pid, Duration.ofSeconds(10));
    }

    private static String lastLine(String said) {
        List<String> lines = said.lines().toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        return last.isEmpty() ? "" : ": " + last.substring(0, Math.min(SAID_CHARS, last.length()));
    }
}
