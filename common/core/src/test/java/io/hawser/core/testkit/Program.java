package io.hawser.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A real client program in a process of its own. */
public final class Program {
    private static final long PATIENCE_SECONDS = 2 * TestTimes.SECONDS;

    private Program() {}

    /** How a program ended. */
    public record Result(int exitStatus, String output) {
        /** It says that all went well. */
        public Result succeeded() {
            assertThat(exitStatus).as(output).isZero();
            return this;
        }
    }

    /** Skips the test where the program is missing, and says so; fails it where it must not be missing (CI=true). */
    public static void needs(String program) {
        if (!isThere(program)) {
            missing(program, program);
        }
    }

    /** Whether there is such a program on the PATH. */
    public static boolean isThere(String program) {
        for (String directory : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Skips the test since something is missing, and says so; fails it where nothing must be missing (CI=true).
     *
     * @param what is missing
     * @param debianPackage what to install
     */
    public static void missing(String what, String debianPackage) {
        unavailable(what + " is not installed; apt-get install " + debianPackage);
    }

    /** The same for something that nobody can install. */
    public static void unavailable(String why) {
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail(why);
        }
        System.err.println("SKIPPED " + caller() + ": " + why);
        Assumptions.abort(why + ": this test says nothing");
    }

    /** The test that asks, as a word for people. */
    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.endsWith("Test") || name.endsWith("IT"))
                        .findFirst())
                .orElse("a test");
    }

    /** Starts it in {@code directory}, its output going to a file there. */
    public static Process start(Path directory, Path output, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    /** Whether it ends well. */
    static boolean runs(Path directory, String... command) throws IOException, InterruptedException {
        return toItsEnd(directory, command).exitStatus() == 0;
    }

    /** Runs it to its end. */
    public static Result run(Path directory, String... command) throws IOException, InterruptedException {
        needs(command[0]);
        return toItsEnd(directory, command);
    }

    private static Result toItsEnd(Path directory, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("program", ".out");
        try {
            Process process = start(directory, output, command);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                Assertions.fail(String.join(" ", command) + " did not end:\n" + Files.readString(output));
            }
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            return new Result(process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }
}
