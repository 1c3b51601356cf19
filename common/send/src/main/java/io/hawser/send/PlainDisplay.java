package io.hawser.send;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/**
 * Shows how far a send is where there is no terminal: a line on standard error every few seconds, and one whenever what it waits for
 * changes.
 *
 * <p>Thread: main only.
 */
final class PlainDisplay implements SendDisplay {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long intervalNanos;
    private final PrintWriter err;
    private long lastLineNanos = System.nanoTime();
    private String lastProblem = "";

    PlainDisplay(PrintWriter err) {
        this(err, INTERVAL_NANOS);
    }

    PlainDisplay(PrintWriter err, long intervalNanos) {
        this.err = err;
        this.intervalNanos = intervalNanos;
    }

    @Override
    public void show(SendProgress progress) {
        String problem = progress.waits() ? progress.because() : "";
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            err.println(problem.isEmpty() ? "hawser: resumed" : "hawser: waiting: " + problem);
            err.flush();
        }
        long now = System.nanoTime();
        if (now - lastLineNanos >= intervalNanos) {
            lastLineNanos = now;
            err.println(ProgressText.line(progress));
            err.flush();
        }
    }
}
