package io.hawser.common.cli;

import io.hawser.common.config.ByteSize;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/**
 * How many bytes were read so far, on one line of a terminal that is written over; nothing where there is no terminal.
 *
 * <p>Thread: main only.
 */
final class ProgressLine {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int WIDTH = 60;

    private final PrintWriter terminal;
    private final boolean shown;
    private String where = "";
    private long lastNanos = System.nanoTime();
    private boolean dirty;

    ProgressLine(PrintWriter terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    /** What is being read. */
    void at(String text) {
        where = text;
    }

    void progress(long bytes) {
        if (shown && System.nanoTime() - lastNanos >= INTERVAL_NANOS) {
            lastNanos = System.nanoTime();
            terminal.printf("\r%-" + WIDTH + "s", "  " + where + ": " + ByteSize.human(bytes) + " read");
            terminal.flush();
            dirty = true;
        }
    }

    /** Makes room for a line. */
    void clear() {
        if (dirty) {
            terminal.printf("\r%-" + WIDTH + "s\r", "");
            terminal.flush();
            dirty = false;
        }
    }
}
