package io.hawser.ops.observe;

/**
 * What needs an operator, on {@code /health}. {@link WarningCode} makes it.
 *
 * @param code a {@link WarningCode#word}; a newer node may have one that this version does not know
 * @param subject what it is about, such as a directory's flag or a subscription; empty if the code says it
 * @param sentence what happened, and what to do
 *
 * <p>Thread: immutable.
 */
public record HealthWarning(String code, String subject, String sentence) {
    /** For people, in one line. */
    public String text() {
        return code + (subject.isEmpty() ? "" : " (" + subject + ")") + ": " + sentence;
    }
}
