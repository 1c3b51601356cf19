package io.hawser.ops.event;

import io.hawser.core.model.Printable;
import io.hawser.core.thread.DaemonThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a stream to its end, so that its writer never waits, and keeps the beginning of its last line that is not empty.
 *
 * <p>Thread: any; one of its own reads.
 */
final class LastLine {
    private static final Logger LOG = LoggerFactory.getLogger(LastLine.class);
    private static final int MAX_BYTES = 300;
    private static final int CHUNK = 4096;
    /** The writer has ended; a process that it left behind may hold the stream open. */
    private static final long END_MILLIS = 1000;

    private final Thread thread;

    private final Object lock = new Object();
    private String last = "";
    private final ByteArrayOutputStream current = new ByteArrayOutputStream();

    /** @param threadName of the thread that reads */
    LastLine(InputStream in, String threadName) {
        thread = DaemonThreads.start(threadName, () -> read(in));
    }

    private void read(InputStream in) {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                add(chunk, count);
            }
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("A command was killed while its standard error was read");
        }
    }

    private void add(byte[] bytes, int count) {
        synchronized (lock) {
            for (int i = 0; i < count; i++) {
                if (bytes[i] == '\n') {
                    last = text();
                    current.reset();
                } else if (current.size() < MAX_BYTES) {
                    current.write(bytes[i]);
                }
            }
        }
    }

    // Called with the lock.
    private String text() {
        String text = Printable.text(current.toString(StandardCharsets.UTF_8).strip());
        return text.isEmpty() ? last : text;
    }

    /** The line, printable; empty if there is none. Blocks shortly, for the end of the stream. */
    String await() throws InterruptedException {
        thread.join(END_MILLIS);
        synchronized (lock) {
            return text();
        }
    }
}
