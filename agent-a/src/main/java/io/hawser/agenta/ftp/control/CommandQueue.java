package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.CommandLineParser.Parsed;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The commands of a session that wait. One runs at a time, until its final reply, and so the replies come in the
 * order of the commands.
 *
 * <p>Thread: the loop.
 */
final class CommandQueue {
    private final int limit;
    private final BooleanSupplier repliesAreRead;
    private final Consumer<Parsed> runner;
    private final ArrayDeque<Parsed> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean pumping;
    private boolean closed;

    /**
     * @param limit how many may wait, 1 or more
     * @param repliesAreRead false while the client leaves its replies unread: then nothing further runs
     * @param runner runs a command; when its final reply was sent, {@link #replied} is to be called
     */
    CommandQueue(int limit, BooleanSupplier repliesAreRead, Consumer<Parsed> runner) {
        this.limit = limit;
        this.repliesAreRead = repliesAreRead;
        this.runner = runner;
    }

    /** Puts a command at the end. False if too many wait. */
    boolean add(Parsed command) {
        boolean room = waiting.size() < limit;
        if (room) {
            waiting.addLast(command);
        }
        return room;
    }

    /** Puts a command ahead of all that wait; there is room for one when {@link #add} has none. False if too many wait. */
    boolean addFirst(Parsed command) {
        boolean room = waiting.size() <= limit;
        if (room) {
            waiting.addFirst(command);
        }
        return room;
    }

    /** Runs what waits, unless a reply is outstanding or the client does not read its replies. */
    void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        while (!running && !waiting.isEmpty() && repliesAreRead.getAsBoolean()) {
            running = true;
            runner.accept(waiting.removeFirst());
        }
        pumping = false;
    }

    /** The command that runs has its final reply. What waits after it runs at the next {@link #pump}. */
    void replied() {
        running = false;
    }

    /** Whether a command runs whose final reply is outstanding. */
    boolean isRunning() {
        return running;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Nothing further is run; what waits is dropped. */
    void close() {
        closed = true;
        waiting.clear();
    }

    /** Whether nothing further is run. */
    boolean isClosed() {
        return closed;
    }
}
