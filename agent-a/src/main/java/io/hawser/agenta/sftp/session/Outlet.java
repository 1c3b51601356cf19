package io.hawser.agenta.sftp.session;

/**
 * The way from a session to its client.
 *
 * <p>Thread: the loop; it never blocks.
 */
public interface Outlet {
    /** Sends a packet after those that were sent before. */
    void send(byte[] packet);

    /** Whether so much waits for the client that no file is read for it. */
    boolean isFull();

    /** Runs {@code again} once, on the loop, when it is no longer full. */
    void whenDrained(Runnable again);

    /** The client may send so many bytes more. */
    void consumed(int bytes);

    /** Closes the channel when all has been sent, with the exit status of a command. */
    void finish(int exitStatus);

    /** Closes the channel: nothing more is sent. */
    void close(String why);
}
