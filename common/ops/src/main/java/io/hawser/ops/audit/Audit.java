package io.hawser.ops.audit;

/**
 * Takes notes of who did what.
 *
 * <p>Thread: any.
 */
@FunctionalInterface
public interface Audit extends AutoCloseable {
    /** Where no notes are taken. */
    Audit NONE = (who, what, object, from, result) -> {};

    /** What came of it, if it was done. */
    String OK = "ok";

    /**
     * Takes one note. Does not throw: who cannot take notes says so in the node's log.
     *
     * @param who account, or {@code role:name} of a certificate; {@code -} if nobody asked
     * @param what a word such as {@code publish}
     * @param object topic, path or page
     * @param from address and port, or whatever names the place
     * @param result {@link #OK}, or why not
     */
    void note(String who, String what, String object, String from, String result);

    @Override
    default void close() {}
}
