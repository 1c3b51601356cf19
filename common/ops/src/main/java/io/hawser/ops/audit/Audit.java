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

    @Override
    default void close() {}
}
