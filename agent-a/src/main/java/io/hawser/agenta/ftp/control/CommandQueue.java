package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.CommandLineParser.Parsed;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The commands of a session that wait. One runs at a time, until its final reply, and so the replies come in the
 * order of the commands.
 *
 * <p>Thread: the loop.
 */
final class CommandQueue {
    private final Supplier<FtpLimits.Ahead> limits;
    private final BooleanSupplier repliesAreRead;
    private final Consumer<Parsed> runner;
    private final ArrayDeque<Parsed> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean running;
    private boolean pumping;
    private boolean closed;

    /**
     * @param limits how many may wait, 1 or more, and how much memory they may take
     * @param repliesAreRead false while the client leaves its replies unread: then nothing further runs
     * @param runner runs a command; when its final reply was sent, {@link #replied} is to be called
     */
    CommandQueue(Supplier<FtpLimits.Ahead> limits, BooleanSupplier repliesAreRead, Consumer<Parsed> runner) {
        this.limits = limits;
        this.repliesAreRead = repliesAreRead;
        this.runner = runner;
    }

    /** Puts a command at the end. False if too much waits; a command that runs at once always has room. */
    boolean add(Parsed command) {
        boolean runsNow = waiting.isEmpty() && runsNext();
        boolean room = runsNow || (waiting.size() < limits.get().maxQueued() && fits(command));
        if (room) {
            waiting.addLast(command);
            waitingBytes += bytes(command);
        }
        return room;
    }

    /** Puts a command ahead of all that wait; there is room for one more than {@link #add} has. False if too much waits. */
    boolean addFirst(Parsed command) {
        boolean room = waiting.size() <= limits.get().maxQueued() && fits(command);
        if (room) {
            waiting.addFirst(command);
            waitingBytes += bytes(command);
        }
        return room;
    }

    private boolean fits(Parsed command) {
        return waitingBytes + bytes(command) <= limits.get().maxQueuedBytes();
    }

    private static int bytes(Parsed parsed) {
        return parsed instanceof Parsed.Command command
                ? Character.BYTES * command.line().argument().length()
                : 0;
    }

    private boolean runsNext() {
        return !running && repliesAreRead.getAsBoolean();
    }

    /** Runs what waits, unless a reply is outstanding or the client does not read its replies. */
    void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        while (!waiting.isEmpty() && runsNext()) {
            running = true;
            Parsed next = waiting.removeFirst();
            waitingBytes -= bytes(next);
            runner.accept(next);
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
