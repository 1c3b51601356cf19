package io.hawser.it.harness;

import io.hawser.common.config.HostPort;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An unmodified {@code curl -T}: the client that most uploads come from.
 *
 * <p>Thread: one.
 */
public final class Curl implements AutoCloseable {
    private final Process process;

    private Curl(Process process) {
        this.process = process;
    }

    /**
     * Starts an upload of {@code source} to {@code path}; directories on the way are made.
     *
     * @param options more of curl's options, such as {@code --limit-rate 8M}
     */
    public static Curl upload(HostPort ftp, Path source, String path, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--ftp-create-dirs", "-T", source.toString()));
        command.addAll(List.of(options));
        command.add("ftp://" + ftp + "/" + encode(path));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return new Curl(builder.start());
    }

    /** Waits for the end; returns curl's exit code, 0 only after the server's final reply. */
    public int await(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            throw new IllegalStateException("curl still runs after " + limit);
        }
        return process.exitValue();
    }

    /** What curl complained about; after its end. */
    public String complaints() throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Stops it in the middle of what it does (SIGSTOP); its connections stay. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Lets it go on after {@link #pause}. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IllegalStateException("curl had ended before it could get SIG" + name);
        }
    }

    /** {@code kill -9}; the kernel closes its connections. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly();
    }

    private static String encode(String path) {
        return Arrays.stream(path.split("/"))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
