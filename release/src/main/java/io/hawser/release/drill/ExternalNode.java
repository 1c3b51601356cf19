package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A node of a running deployment that the operator has pointed at: by its pid, or by commands of his that kill and start it.
 *
 * <p>Thread: one.
 */
final class ExternalNode implements Victim {
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);
    private static final long KILL_LIMIT_SECONDS = 30;
    private static final long POLL_MILLIS = 10;

    private final Part node;
    private final @Nullable PidSource pid;
    private final @Nullable String killCommand;
    private final @Nullable String restartCommand;
    private final @Nullable BooleanSupplier isReady;
    private final Duration timeout;
    private @Nullable ProcessHandle paused;

    /**
     * @param isReady whether it answers; null if there is nothing to ask
     * @param timeout how long it may take until then
     */
    ExternalNode(
            Part node,
            @Nullable PidSource pid,
            @Nullable String killCommand,
            @Nullable String restartCommand,
            @Nullable BooleanSupplier isReady,
            Duration timeout) {
        this.node = node;
        this.pid = pid;
        this.killCommand = killCommand;
        this.restartCommand = restartCommand;
        this.isReady = isReady;
        this.timeout = timeout;
    }

    @Override
    public void kill() throws IOException, InterruptedException {
        if (killCommand != null) {
            Shell.run(killCommand, COMMAND_LIMIT);
            return;
        }
        ProcessHandle process = process();
        process.destroyForcibly();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(KILL_LIMIT_SECONDS);
        while (process.isAlive()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(node.command() + ", process " + process.pid() + ", is still there after kill -9");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    @Override
    public OptionalLong start() throws IOException, InterruptedException {
        long began = System.nanoTime();
        if (restartCommand != null) {
            Shell.run(restartCommand, COMMAND_LIMIT);
        }
        if (isReady == null) {
            return OptionalLong.empty();
        }
        while (!isReady.getAsBoolean()) {
            if (System.nanoTime() - began > timeout.toNanos()) {
                throw new IOException("nothing answers there after " + timeout.toSeconds() + " s");
            }
            Thread.sleep(POLL_MILLIS);
        }
        return OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    @Override
    public void pause() throws IOException, InterruptedException {
        ProcessHandle process = process();
        paused = process;
        Shell.signal("STOP", process.pid());
    }

    @Override
    public void resume() throws IOException, InterruptedException {
        ProcessHandle process = paused;
        if (process != null) {
            Shell.signal("CONT", process.pid());
            paused = null;
        }
    }

    @Override
    public String complaint() {
        return "";
    }

    private ProcessHandle process() throws IOException, InterruptedException {
        if (pid == null) {
            throw new IOException("nobody has said which process the " + node.command() + " is");
        }
        return pid.find();
    }
}
