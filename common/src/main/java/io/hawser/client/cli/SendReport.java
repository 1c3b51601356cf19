package io.hawser.client.cli;

import io.hawser.common.cli.Errors;
import io.hawser.common.cli.ExitCode;
import io.hawser.common.config.ByteSize;
import io.hawser.common.observe.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says what became of what was sent: a sentence, or one line of JSON for each transfer.
 *
 * <p>Thread: main only.
 */
final class SendReport {
    private final List<Sending> sendings;
    private final String level;

    /** @param wait the level that the command has waited for */
    SendReport(List<Sending> sendings, Wait wait) {
        this.sendings = sendings;
        this.level = wait.name().toLowerCase(Locale.ROOT);
    }

    /**
     * What became of one transfer, as JSON.
     *
     * @param key its key; null if none was begun
     * @param name its name
     * @param level the custody level that it reached, or {@code failed}
     * @param problem why it failed; null if it did not
     */
    private record Line(
            @Nullable String key,
            String name,
            String level,
            @Nullable String problem) {}

    void json(PrintWriter out) {
        for (Sending sending : sendings) {
            Throwable failure = sending.failure();
            out.println(Json.line(new Line(
                    sending.key() == null ? null : sending.key().toString(),
                    sending.entry().name(),
                    failure == null ? level : "failed",
                    failure == null ? null : Errors.sentence(failure))));
        }
        out.flush();
    }

    /** @param seconds how long it took */
    void text(long sizeBytes, double seconds, PrintWriter out, PrintWriter err) {
        for (Sending sending : sendings) {
            Throwable failure = sending.failure();
            if (failure != null) {
                err.println("hawser: " + sending.entry().name() + ": " + Errors.sentence(failure));
            }
        }
        err.flush();
        long failed = sendings.stream().filter(each -> each.failure() != null).count();
        long earlier = sendings.stream().filter(Sending::wasFinishedEarlier).count();
        out.printf(
                "%d of %d %s%s, %s in %.1f s%n",
                sendings.size() - failed,
                sendings.size(),
                level,
                earlier == 0 ? "" : " (" + earlier + " of them by the run that was interrupted)",
                ByteSize.human(sizeBytes),
                seconds);
        out.flush();
    }

    /** The worst that happened; refused only if nothing else went wrong. */
    ExitCode exitCode() {
        List<Sending> failed =
                sendings.stream().filter(each -> each.failure() != null).toList();
        if (failed.isEmpty()) {
            return ExitCode.OK;
        }
        return failed.stream().allMatch(Sending::isRefused) ? ExitCode.REFUSED : ExitCode.FAILED;
    }
}
