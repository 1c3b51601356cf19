package io.hawser.watch;

import io.hawser.core.model.Printable;
import io.hawser.ops.observe.Json;
import io.hawser.send.SendOutput;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what {@code hawser watch} does: a line for each file that is delivered, and each that is not.
 *
 * <p>Thread: main only.
 */
final class WatchReport {
    private final SendOutput output;
    private final String level;
    private final Set<String> problems = new HashSet<>();
    private boolean failures;

    WatchReport(SendOutput output, Enum<?> level) {
        this.output = output;
        this.level = level.name().toLowerCase(Locale.ROOT);
    }

    /** What happened to a file, as JSON. */
    private record Line(
            String event,
            String path,
            @Nullable String then,
            @Nullable String problem) {}

    void taken(String path) {
        if (output.mode() == SendOutput.Mode.JSON) {
            json(new Line("taken", path, null, null));
        }
    }

    void reached(String path, String then) {
        switch (output.mode()) {
            case JSON -> json(new Line(level, path, then.isEmpty() ? null : then, null));
            case TEXT -> {
                output.out().println(Printable.text(level + "  " + path + (then.isEmpty() ? "" : "  (" + then + ")")));
                output.out().flush();
            }
            case QUIET -> {}
        }
    }

    void failed(String path, String problem) {
        failures = true;
        if (output.mode() == SendOutput.Mode.JSON) {
            json(new Line("failed", path, null, problem));
        } else {
            error(path + ": " + problem);
        }
    }

    /** Said once. */
    void problem(String sentence) {
        if (problems.add(sentence)) {
            failures = true;
            error(sentence);
        }
    }

    void note(String sentence) {
        output.note(Printable.text("hawser: " + sentence));
    }

    boolean hasFailures() {
        return failures;
    }

    private void error(String sentence) {
        output.err().println(Printable.text("hawser: " + sentence));
        output.err().flush();
    }

    private void json(Line line) {
        output.out().println(Json.line(line));
        output.out().flush();
    }
}
