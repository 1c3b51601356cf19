package io.hawser.it.client;

import io.hawser.it.harness.Shell;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A main class in its own process. Its output goes to two files. */
public final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final Path out;
    private final Path err;

    private JavaProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** @param directory its working directory; its output goes to {@code name.out} and {@code name.err} there */
    public static JavaProcess start(
            Path directory, String name, Map<String, String> environment, Class<?> main, List<String> arguments)
            throws IOException {
        return start(directory, name, environment, System.getProperty("java.class.path"), main.getName(), arguments);
    }

    /** As the other method, with another class path. */
    public static JavaProcess start(
            Path directory,
            String name,
            Map<String, String> environment,
            String classPath,
            String main,
            List<String> arguments)
            throws IOException {
        // A shell that starts the build in the background has it ignore SIGINT, and what it starts inherits that.
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Dfile.encoding=UTF-8"));
        words.addAll(List.of("-Dsun.jnu.encoding=UTF-8", "-cp", classPath, main));
        words.addAll(arguments);
        Path out = directory.resolve(name + ".out");
        Path err = directory.resolve(name + ".err");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        return new JavaProcess(builder.start(), out, err);
    }

    /** SIGINT: what Ctrl-C sends. */
    public void interrupt() throws IOException {
        Shell.signal("INT", process.pid());
    }

    /** Waits until it ends; the exit code. */
    public int await() throws InterruptedException, IOException {
        if (!process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("still runs; it said: " + err());
        }
        return process.exitValue();
    }

    public String out() throws IOException {
        return Files.readString(out);
    }

    public String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join(); // its locks are free then
    }
}
