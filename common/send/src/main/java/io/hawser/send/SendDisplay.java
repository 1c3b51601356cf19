package io.hawser.send;

import io.hawser.core.config.ByteSize;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a send is, on standard error: a bar on a terminal (rate, time left, durable bytes), a plain line every few
 * seconds elsewhere. What is shown is what the broker has said to be durable, not what was written to a socket.
 *
 * <p>Thread: main only.
 */
final class SendDisplay implements AutoCloseable {
    private static final long PLAIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int BAR_INTERVAL_MILLIS = 200;
    private static final long MIB = 1 << 20;

    private final long totalBytes;
    private final long intervalNanos;
    private final PrintWriter err;
    private final long startedNanos = System.nanoTime();
    private final @Nullable ProgressBar bar;
    private long lastLineNanos = startedNanos;
    private String lastProblem = "";

    SendDisplay(long totalBytes, boolean terminal, PrintWriter err) {
        this(totalBytes, terminal, err, PLAIN_INTERVAL_NANOS);
    }

    /** With another interval of plain lines. */
    SendDisplay(long totalBytes, boolean terminal, PrintWriter err, long intervalNanos) {
        this.totalBytes = totalBytes;
        this.intervalNanos = intervalNanos;
        this.err = err;
        this.bar = terminal
                ? new ProgressBarBuilder()
                        .setTaskName("brokered")
                        .setInitialMax(totalBytes)
                        .setUnit(" MiB", MIB)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(BAR_INTERVAL_MILLIS)
                        .showSpeed()
                        .continuousUpdate() // also when nothing moves: why that is so is beside the bar
                        .build()
                : null;
    }

    /** {@code problem} is what it waits for; empty if it moves. Without a bar it is printed once for each change. */
    void show(long durableBytes, long finished, long transfers, String problem) {
        if (bar != null) {
            bar.stepTo(durableBytes);
            bar.setExtraMessage(problem.isEmpty() ? " " + finished + "/" + transfers : " waiting: " + problem);
            return;
        }
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            err.println(problem.isEmpty() ? "hawser: resumed" : "hawser: waiting: " + problem);
            err.flush();
        }
        long now = System.nanoTime();
        if (now - lastLineNanos >= intervalNanos) {
            lastLineNanos = now;
            double seconds = (now - startedNanos) / 1e9;
            err.printf(
                    "%s of %s durable at the broker, %d of %d transfers, %.1f MB/s%n",
                    ByteSize.human(durableBytes),
                    ByteSize.human(totalBytes),
                    finished,
                    transfers,
                    durableBytes / seconds / 1e6);
            err.flush();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
