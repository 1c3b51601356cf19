package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How far something is, on one line of a terminal that is written over; nothing where there is no terminal.
 *
 * <p>Thread: main only.
 */
public final class ProgressLine {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int WIDTH = 79;

    private final PrintWriter terminal;
    private final boolean shown;
    private String where = "";
    private long lastNanos = System.nanoTime();
    private boolean dirty;

    /** @param shown whether there is a terminal, which the launcher says */
    public ProgressLine(PrintWriter terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    /** What is being read. */
    void at(String text) {
        where = text;
    }

    void progress(long bytes) {
        show(() -> "  " + where + ": " + ByteSize.human(bytes) + " read");
    }

    /** Shows a text of at most 79 characters, unless the last one was shown only a moment ago. */
    public void show(Supplier<String> text) {
        if (shown && System.nanoTime() - lastNanos >= INTERVAL_NANOS) {
            lastNanos = System.nanoTime();
            String whole = text.get();
            terminal.printf("\r%-" + WIDTH + "s", whole.substring(0, Math.min(WIDTH, whole.length())));
            terminal.flush();
            dirty = true;
        }
    }

    /** Makes room for a line. */
    public void clear() {
        if (dirty) {
            terminal.printf("\r%-" + WIDTH + "s\r", "");
            terminal.flush();
            dirty = false;
        }
    }
}
