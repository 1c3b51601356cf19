package io.hawser.ops.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * The whole terminal: its alternate screen, without a cursor, with keys one by one. {@link #close}, and the end of the process, gives back what
 * was there before.
 *
 * <p>Thread: main only; the restoring also on {@code hawser-screen}, at Ctrl-C.
 */
final class FullScreen implements AutoCloseable {
    private static final String ESCAPE = "\u001b[";
    private static final String ENTER = ESCAPE + "?1049h" + ESCAPE + "?25l";
    private static final String LEAVE = ESCAPE + "?25h" + ESCAPE + "?1049l";
    private static final String HOME = ESCAPE + "H";
    private static final String ERASE_LINE = ESCAPE + "K";
    private static final String ERASE_BELOW = ESCAPE + "J";

    private final PrintWriter out;
    private final InputStream keys;
    private final String settings;
    private final Thread hook = new Thread(this::restore, "hawser-screen");
    private boolean restored;

    private FullScreen(PrintWriter out, InputStream keys, String settings) {
        this.out = out;
        this.keys = keys;
        this.settings = settings;
    }

    /** Takes the terminal; empty if there is none. */
    static Optional<FullScreen> open(PrintWriter out) throws IOException {
        Optional<String> settings = TerminalDevice.takeKeys();
        if (settings.isEmpty()) {
            return Optional.empty();
        }
        FullScreen screen = new FullScreen(out, new FileInputStream(TerminalDevice.TTY), settings.get());
        Runtime.getRuntime().addShutdownHook(screen.hook);
        out.print(ENTER);
        out.flush();
        return Optional.of(screen);
    }

    /** Draws over what is there, without flicker. */
    void draw(List<String> lines) {
        StringBuilder text = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(ERASE_LINE);
        }
        out.print(text.append(ERASE_BELOW));
        out.flush();
    }

    /** The key that was pressed; -1 if none was. Does not block. */
    int key() throws IOException {
        return keys.available() > 0 ? keys.read() : -1;
    }

    private synchronized void restore() {
        if (!restored) {
            restored = true;
            out.print(LEAVE);
            out.flush();
            TerminalDevice.restore(settings);
        }
    }

    @Override
    public void close() throws IOException {
        restore();
        keys.close();
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the process ends, and the hook has run
        }
    }
}
