package io.hawser.ops.audit;

/**
 * Records who did what.
 *
 * <p>Thread: any.
 */
@FunctionalInterface
public interface Audit extends AutoCloseable {
    /** Records nothing. */
    Audit NONE = (who, what, object, from, result) -> {};

    /** The result of what was done. */
    String OK = "ok";

    /**
     * Records one action. Does not throw; failures go to the node's log.
     *
     * @param who account, or {@code role:name} of a certificate; {@code -} if unknown
     * @param what a word such as {@code publish}
     * @param object topic, path or page
     * @param from socket address of the peer, or the name of what reports it
     * @param result {@link #OK}, or why it was refused
     */
    void note(String who, String what, String object, Object from, String result);

    /**
     * Records an upload or download. The rest as at {@link #note}.
     *
     * @param moved what it moved
     */
    default void transfer(String who, String what, String object, Object from, String result, Moved moved) {
        note(who, what, object, from, result);
    }

    /**
     * What an upload or download moved.
     *
     * @param key the transfer's key; empty for a download
     * @param bytes how much
     * @param millis how long it took
     */
    record Moved(String key, long bytes, long millis) {}

    @Override
    default void close() {}
}
