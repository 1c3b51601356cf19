package io.hawser.agenta.sftp.session;

import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.NameEncoding;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of scp's older protocol have in common: lines that end with LF, and an answer of one byte to each. 0 is yes; 1 stands before a
 * sentence that says what failed.
 *
 * <p>Thread: the loop.
 */
abstract class ScpSession implements ByteSession {
    private static final int MAX_LINE_BYTES = 8192;
    private static final int FAILED = 1;

    final ClientContext client;
    final Outlet outlet;
    private final ArrayDeque<ByteBuffer> input = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean pumping;
    private boolean paused;
    private boolean failed;
    private boolean clientEnded;
    private boolean over;

    ScpSession(ClientContext client, Outlet outlet) {
        this.client = client;
        this.outlet = outlet;
    }

    /** Whether the next bytes are a file's. */
    abstract boolean takesData();

    /** Takes bytes of the file, perhaps not all. The rest follows after {@link #goOn}. */
    abstract void data(ByteBuffer bytes);

    /** One byte outside of files; whether it is no part of a line. */
    abstract boolean single(int value);

    abstract void line(String text);

    /** The client is gone, or has nothing more to send. Whether it left in order. */
    abstract boolean clientLeft();

    @Override
    public final void received(byte[] bytes) {
        if (!over) {
            input.add(ByteBuffer.wrap(bytes));
            pump();
        }
    }

    /** Nothing more is taken until {@link #goOn}. */
    final void pause() {
        paused = true;
    }

    final void goOn() {
        paused = false;
        pump();
    }

    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        while (!over && !paused && !input.isEmpty()) {
            ByteBuffer bytes = input.getFirst();
            if (!bytes.hasRemaining()) {
                input.remove();
            } else if (takesData()) {
                data(bytes);
            } else {
                control(bytes.get());
            }
        }
        pumping = false;
        if (clientEnded && !over && !paused) {
            end(true);
        }
    }

    private void control(int value) {
        outlet.consumed(1);
        if (line.size() == 0 && single(value)) {
            return;
        }
        if (value != '\n') {
            line.write(value);
            if (line.size() > MAX_LINE_BYTES) {
                end(false);
            }
            return;
        }
        byte[] text = line.toByteArray();
        line.reset();
        line(NameEncoding.decode(text, 0, text.length));
    }

    final void yes() {
        outlet.send(new byte[] {0});
    }

    final void say(String text) {
        outlet.send(NameEncoding.encode(text));
    }

    /** Tells what failed; the client goes on with what follows. */
    final void failed(FtpPath path, RequestFailure failure) {
        failed = true;
        outlet.send(new byte[] {FAILED});
        say("scp: " + path + ": " + failure.words() + "\n");
    }

    /** The client says that something failed there. */
    final void failedThere() {
        failed = true;
    }

    final void end(boolean inOrder) {
        if (!over) {
            over = true;
            input.clear();
            outlet.finish(inOrder && !failed ? 0 : 1);
        }
    }

    @Override
    public final void ended() {
        if (over || clientEnded) {
            return;
        }
        clientEnded = true;
        boolean inOrder = clientLeft();
        if (!inOrder || !paused) {
            end(inOrder);
        }
    }

    /** Whether nobody sends more, or waits for what is told. */
    final boolean isLeft() {
        return over || clientEnded;
    }

    /** The child {@code name} of a directory; null if no file has that name. */
    static @Nullable FtpPath child(FtpPath directory, String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/")) {
            return null;
        }
        try {
            return directory.resolve(name);
        } catch (FtpPath.BadNameException e) {
            return null;
        }
    }
}
