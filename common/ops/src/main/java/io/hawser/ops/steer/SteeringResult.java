package io.hawser.ops.steer;

import java.util.List;
import java.util.Objects;

/**
 * What came of an operator's request; the JSON answer of the pages of this package.
 *
 * @param dryRun whether nothing was done: {@code changed} then says what would be
 * @param changed the transfers of which it was done, durably
 * @param skipped those that were meant and of which it was not done
 */
public record SteeringResult(boolean dryRun, List<Changed> changed, List<Skipped> skipped) {
    /** In {@link Changed#now} of a dry run. */
    static final String WOULD_BE = "would be ";

    public SteeringResult {
        changed = List.copyOf(changed);
        skipped = List.copyOf(skipped);
    }

    /**
     * A transfer of which it was done.
     *
     * @param key its key
     * @param topic its topic
     * @param name its name
     * @param was its state before
     * @param now its state after; {@code cancelling} until each far end has said what became of it
     */
    public record Changed(String key, String topic, String name, String was, String now) {}

    /**
     * A transfer of which it was not done.
     *
     * @param reason a sentence
     * @param command the command that does it at another node; empty if there is none
     */
    public record Skipped(String key, String reason, String command) {
        public Skipped {
            command = Objects.requireNonNullElse(command, ""); // an older node has none
        }

        /** One that no command at another node does either. */
        public Skipped(String key, String reason) {
            this(key, reason, "");
        }
    }
}
