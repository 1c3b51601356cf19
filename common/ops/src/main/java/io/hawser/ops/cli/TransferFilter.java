package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.observe.TransferStatus;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.regex.PatternSyntaxException;
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
            description = "only transfers whose name fits, such as 'photos/**'; without '/' the last segment counts")
    private @Nullable String name;

    boolean isEmpty() {
        return topic == null && state == null && name == null;
    }

    /** Throws ConfigException if the pattern is none. */
    void check() {
        if (name != null) {
            matcher(name);
        }
    }

    private static PathMatcher matcher(String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw new ConfigException("--name '" + glob + "' is no pattern: " + e.getDescription());
        }
    }

    boolean lets(TransferStatus transfer) {
        return (topic == null || transfer.object().topic().equals(topic))
                && (state == null || isInState(transfer, state))
                && (name == null || isNamed(transfer.object().name(), name));
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

    private static boolean isNamed(String text, String glob) {
        try {
            Path path = Path.of(text);
            Path compared = glob.indexOf('/') < 0 && path.getFileName() != null ? path.getFileName() : path;
            return matcher(glob).matches(compared);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** As it was given; empty if nothing was. */
    @Override
    public String toString() {
        return (topic == null ? "" : " --topic " + topic)
                + (state == null ? "" : " --state " + state)
                + (name == null ? "" : " --name " + name);
    }
}
