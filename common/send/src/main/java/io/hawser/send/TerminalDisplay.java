package io.hawser.send;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Shows how far a send is on a terminal: a few lines that are written over, and removed at the end.
 *
 * <p>Thread: main only.
 */
final class TerminalDisplay implements SendDisplay {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long WIDTH_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final String ESCAPE = "\u001b[";
    private static final String ERASE_LINE = ESCAPE + "K";
    private static final String ERASE_BELOW = ESCAPE + "J";

    private final PrintWriter err;
    private final IntSupplier columns;
    private final long intervalNanos;
    private int width;
    private long widthNanos;
    private long lastNanos;
    private int drawn;

    /** @param columns the width of the terminal, which may change */
    TerminalDisplay(PrintWriter err, IntSupplier columns) {
        this(err, columns, INTERVAL_NANOS);
    }

    TerminalDisplay(PrintWriter err, IntSupplier columns, long intervalNanos) {
        this.err = err;
        this.columns = columns;
        this.intervalNanos = intervalNanos;
        this.lastNanos = System.nanoTime() - intervalNanos;
    }

    @Override
    public void show(SendProgress progress) {
        long now = System.nanoTime();
        if (now - lastNanos < intervalNanos) {
            return;
        }
        lastNanos = now;
        if (width == 0 || now - widthNanos >= WIDTH_NANOS) {
            width = columns.getAsInt();
            widthNanos = now;
        }
        List<String> lines = ProgressText.lines(progress, width);
        StringBuilder text = new StringBuilder(home());
        lines.forEach(line -> text.append(line).append(ERASE_LINE).append('\n'));
        err.print(text.append(ERASE_BELOW));
        err.flush();
        drawn = lines.size();
    }

    private String home() {
        return drawn == 0 ? "\r" : "\r" + ESCAPE + drawn + "A";
    }

    @Override
    public void close() {
        if (drawn > 0) {
            err.print(home() + ERASE_BELOW);
            err.flush();
            drawn = 0;
        }
    }
}
