package io.hawser.it.power;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that are run to their end. Thread: any. */
final class Shell {
    private static final int PATIENCE_SECONDS = 60;

    private Shell() {}

    /** Runs it; returns what it printed. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " does not end");
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    String.join(" ", command) + " ended with " + process.exitValue() + ": " + output.strip());
        }
        return output.strip();
    }
}
