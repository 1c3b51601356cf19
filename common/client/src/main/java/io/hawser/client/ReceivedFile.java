package io.hawser.client;

/**
 * What came to its end in the directory of a {@link Receiver}.
 *
 * @param id the transfer's identity
 * @param name its name, segments joined by {@code /}
 * @param kind what it is
 * @param sizeBytes its size
 * @param problem why it was not published; empty if it was
 */
public record ReceivedFile(TransferId id, String name, ObjectKind kind, long sizeBytes, String problem) {
    /** Whether it is published in the directory. */
    public boolean isPublished() {
        return problem.isEmpty();
    }
}
