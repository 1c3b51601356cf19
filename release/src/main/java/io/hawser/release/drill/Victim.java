package io.hawser.release.drill;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * A node that the drill may do faults to: one that it started itself, or was pointed at.
 *
 * <p>Thread: one.
 */
interface Victim {
    /** {@code kill -9}; returns when it is gone. */
    void kill() throws IOException, InterruptedException;

    /**
     * Starts it again and waits until it is ready.
     *
     * @return ms from the start until then; empty if there is no way to know
     */
    OptionalLong start() throws IOException, InterruptedException;

    /** SIGSTOP. */
    void pause() throws IOException, InterruptedException;

    /** SIGCONT. */
    void resume() throws IOException, InterruptedException;

    /** What is wrong with it although nobody has done anything to it, as a sentence; empty if nothing is, or nobody can tell. */
    String complaint();
}
