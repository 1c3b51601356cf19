package io.hawser.it.harness;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An unmodified {@code curl -T}: the client that most uploads come from.
 *
 * <p>Thread: one.
 */
public final class Curl implements AutoCloseable {
    private static final int STEP_BYTES = 64 << 10;

    private final Process process;
    private final CountDownLatch rest = new CountDownLatch(1);

    private Curl(Process process) {
        this.process = process;
    }

    /**
     * Starts an upload of {@code source} to {@code path}; directories on the way are made.
     *
     * @param options more of curl's options, such as {@code --limit-rate 8M}
     */
    public static Curl upload(HostPort ftp, Path source, String path, String... options) throws IOException {
        return new Curl(start(ftp, source.toString(), path, options));
    }

    /**
     * Starts an upload ({@code curl -T -}) that gets the first {@code bytes} of {@code source}, and the rest only after {@link
     * #resume}: until then it is in the middle, however slow or fast everything else is.
     */
    public static Curl uploadPart(HostPort ftp, Path source, String path, long bytes) throws IOException {
        Curl curl = new Curl(start(ftp, "-", path));
        Thread feeder = new Thread(() -> curl.feed(source, bytes), "curl-feeder");
        feeder.setDaemon(true);
        feeder.start();
        return curl;
    }

    private static Process start(HostPort ftp, String source, String path, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--ftp-create-dirs", "-T", source));
        command.addAll(List.of(options));
        command.add("ftp://" + ftp + "/" + encode(path));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.start();
    }

    private void feed(Path source, long bytes) {
        try (InputStream in = Files.newInputStream(source);
                OutputStream out = process.getOutputStream()) {
            byte[] step = new byte[STEP_BYTES];
            for (long left = bytes; left > 0; ) {
                int length = in.readNBytes(step, 0, (int) Math.min(left, step.length));
                out.write(step, 0, length);
                left -= length;
            }
            out.flush();
            rest.await();
            in.transferTo(out);
        } catch (IOException e) {
            rest.countDown(); // curl has ended, and says why by itself
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

    /** Lets an upload of {@link #uploadPart} have the rest of its source. */
    public void resume() {
        rest.countDown();
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
