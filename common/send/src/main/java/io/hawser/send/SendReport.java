package io.hawser.send;

import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what became of what was sent: a sentence, or one line of JSON for each object.
 *
 * <p>Thread: main only.
 */
final class SendReport {
    private static final String UNCLAIMED =
            "no subscription is on its topic yet: the broker keeps it until one comes, or as long as its --retain-unclaimed says";

    private final SendPlan plan;
    private final List<SentObject> sendings;
    private final SendRun.Order order;
    private final String level;
    private final Optional<String> end;

    /** @param end why the run ended before everything was as far as was asked for; empty if it came to its end or its timeout */
    SendReport(SendPlan plan, List<SentObject> sendings, SendRun.Order order, Optional<String> end) {
        this.end = end;
        this.plan = plan;
        this.sendings = sendings;
        this.order = order;
        this.level = word(order.level());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * What became of one object, as JSON.
     *
     * @param key its transfer; null if none was begun
     * @param name its name
     * @param level the custody level that was asked for if it has reached that; else the one that it has reached by now, {@code accepted}
     *     if none, {@code none} if it was not begun; {@code failed} or {@code skipped}
     * @param sent {@code now}, {@code resumed} if an earlier run has begun it, {@code earlier} if one has finished it, {@code no}
     * @param problem why it failed, was skipped, or has not reached the level in time; null if it has
     * @param warning what else a person should know; null if nothing
     */
    private record Line(
            @Nullable String key,
            String name,
            String level,
            String sent,
            @Nullable String problem,
            @Nullable String warning) {}

    void json(PrintWriter out) {
        for (SentObject sending : sendings) {
            String problem = problem(sending);
            out.println(Json.line(new Line(
                    sending.id() == null ? null : sending.id().toString(),
                    sending.entry().name(),
                    reached(sending),
                    sending.id() == null ? "no" : word(sending.origin()),
                    problem.isEmpty() ? null : problem,
                    sending.isUnclaimed() ? UNCLAIMED : null)));
        }
        plan.entries().stream()
                .skip(sendings.size())
                .forEach(entry ->
                        out.println(Json.line(new Line(null, entry.name(), "none", "no", end.orElse(null), null))));
        for (SendPlan.Skipped skipped : plan.skipped()) {
            out.println(Json.line(new Line(null, skipped.name(), "skipped", "no", skipped.reason(), null)));
        }
        out.flush();
    }

    private String reached(SentObject sending) {
        if (sending.failure() != null) {
            return "failed";
        } else if (sending.done().isDone()) {
            return level;
        } else if (sending.id() == null) {
            return "none";
        }
        return sending.reached(order.rule()).map(SendReport::word).orElse("accepted");
    }

    /** Why it is not as far as was asked for; empty if it is. */
    private String problem(SentObject sending) {
        Throwable failure = sending.failure();
        if (failure != null) {
            return Errors.sentence(failure);
        } else if (sending.done().isDone()) {
            return "";
        }
        if (end.isPresent()) {
            return end.get();
        }
        long millis = order.timeout().orElseThrow().toMillis();
        String limit = millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
        return "not " + level + " within " + limit + ": " + sending.heldBack();
    }

    /** @param seconds how long it took */
    void text(double seconds, PrintWriter out, PrintWriter err) {
        for (SentObject sending : sendings) {
            String problem = problem(sending);
            if (!problem.isEmpty()) {
                err.println(Printable.text("hawser: " + sending.entry().name() + ": " + problem));
            }
        }
        long unclaimed = sendings.stream().filter(SentObject::isUnclaimed).count();
        if (unclaimed > 0) {
            err.println("hawser: warning: "
                    + sendings.stream()
                            .filter(SentObject::isUnclaimed)
                            .map(sending -> sending.entry().name())
                            .findFirst()
                            .map(Printable::text)
                            .orElse("")
                    + (unclaimed == 1 ? "" : " and " + (unclaimed - 1) + " more") + ": " + UNCLAIMED);
        }
        err.flush();
        long done = sendings.stream()
                .filter(each -> each.done().isDone() && each.failure() == null)
                .count();
        long earlier = sendings.stream().filter(SentObject::wasFinishedEarlier).count();
        out.printf(
                "%d of %d %s%s, %s in %.1f s%n",
                done,
                sendings.size(),
                level,
                earlier == 0 ? "" : " (" + earlier + " sent earlier)",
                ByteSize.human(
                        sendings.stream().mapToLong(SentObject::sentBytes).sum()),
                seconds);
        out.flush();
    }

    /** Whether something was accepted that has not come as far as was asked for. */
    boolean isLate() {
        return sendings.stream().anyMatch(each -> !each.done().isDone());
    }

    /** The worst that happened; refused, or not yet, only if nothing else went wrong. */
    ExitCode exitCode() {
        List<SentObject> failed =
                sendings.stream().filter(each -> each.failure() != null).toList();
        if (failed.isEmpty()) {
            return isLate() ? ExitCode.NOT_YET : ExitCode.OK;
        }
        return failed.stream().allMatch(SentObject::isRefused) && !isLate() ? ExitCode.REFUSED : ExitCode.FAILED;
    }
}
