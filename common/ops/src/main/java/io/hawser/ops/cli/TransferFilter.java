package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.model.NamePattern;
import io.hawser.ops.observe.TransferStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which transfers a command shows: picocli's options, and what they mean.
 *
 * <p>Thread: main only.
 */
final class TransferFilter {
    @Option(names = "--topic", paramLabel = "TOPIC", description = "only transfers of that topic")
    private @Nullable String topic;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "only transfers in that state, such as receiving, committed, failed; 'open' is all that are not at their end")
    private @Nullable String state;

    @Option(
            names = "--name",
            paramLabel = "GLOB",
            description = "only names that match: '*' and '?' within a directory, '**' across directories")
    private @Nullable String name;

    private @Nullable NamePattern pattern;

    boolean isEmpty() {
        return topic == null && state == null && name == null;
    }

    /** Throws ConfigException if the pattern is none. */
    void check() {
        if (name != null) {
            try {
                pattern = new NamePattern(name);
            } catch (IllegalArgumentException e) {
                throw new ConfigException("--name: " + e.getMessage());
            }
        }
    }

    boolean lets(TransferStatus transfer) {
        return (topic == null || transfer.object().topic().equals(topic))
                && (state == null || isInState(transfer, state))
                && (pattern == null || pattern.matches(transfer.object().name()));
    }

    private static boolean isInState(TransferStatus transfer, String wanted) {
        return wanted.equals("open") ? !isAtItsEnd(transfer) : transfer.state().equals(wanted);
    }

    /** Whether nothing more becomes of it. */
    static boolean isAtItsEnd(TransferStatus transfer) {
        return switch (transfer.state()) {
            case "delivered", "cancelled", "failed", "expired" -> true;
            default -> false;
        };
    }

    /** As it was given; empty if nothing was. */
    @Override
    public String toString() {
        return (topic == null ? "" : " --topic " + topic)
                + (state == null ? "" : " --state " + state)
                + (name == null ? "" : " --name " + name);
    }
}
