package io.hawser.store.check;

/**
 * Something that a check has found.
 *
 * @param severity what it means for the exit code
 * @param kind a stable word for scripts, such as {@code log.payload}; {@code docs/reference/fsck.md} lists them
 * @param place the file, and where in it
 * @param bytes how many bytes it concerns; 0 if that says nothing
 * @param meaning what it is and what follows from it, a sentence
 * @param advice what to do, a sentence
 */
public record Finding(Severity severity, String kind, String place, long bytes, String meaning, String advice) {
    /** What a finding means. */
    public enum Severity {
        /** Something is not as it was written, or is gone. */
        DAMAGE,
        /** Harmless: what a crash leaves, or space that can be had back. */
        NOTE
    }
}
