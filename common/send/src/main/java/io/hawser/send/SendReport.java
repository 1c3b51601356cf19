package io.hawser.send;

import io.hawser.client.FarEnd;
import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Says what became of what was sent, for people, and what the exit code is.
 *
 * <p>Thread: main only.
 */
final class SendReport {
    private final SendPlan plan;
    private final List<SentObject> sendings;
    private final SendRun.Order order;

    SendReport(SendPlan plan, List<SentObject> sendings, SendRun.Order order) {
        this.plan = plan;
        this.sendings = sendings;
        this.order = order;
    }

    /** What went wrong, and what else a person should know. */
    void problems(PrintWriter err) {
        for (SentObject sending : sendings) {
            String problem = ObjectLine.problem(sending, order, Optional.empty());
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
                    + (unclaimed == 1 ? "" : " and " + (unclaimed - 1) + " more") + ": " + ObjectLine.UNCLAIMED);
        }
        err.flush();
    }

    /** @param seconds how long it took */
    void summary(double seconds, PrintWriter out) {
        long done = sendings.stream()
                .filter(each -> each.done().isDone() && each.failure() == null)
                .count();
        long earlier = sendings.stream().filter(SentObject::wasFinishedEarlier).count();
        out.printf(
                "%d of %d %s%s, %s in %.1f s%s%s%n",
                done,
                sendings.size(),
                ObjectLine.word(order.level()),
                earlier == 0 ? "" : " (" + earlier + " sent earlier)",
                ByteSize.human(
                        sendings.stream().mapToLong(SentObject::sentBytes).sum()),
                seconds,
                skipped(),
                order.level().needsReceipts() ? "" : farEnds());
        out.flush();
    }

    private String skipped() {
        return plan.skipped().isEmpty() ? "" : "; skipped " + plan.skippedText();
    }

    /** How many each far end has published by now, since that was not waited for. */
    private String farEnds() {
        Map<String, Long> delivered = new TreeMap<>();
        for (SentObject sending : sendings) {
            if (sending.transfer() != null) {
                sending.transfer()
                        .farEnds()
                        .forEach(each -> delivered.merge(
                                each.subscription(), each.state() == FarEnd.State.DELIVERED ? 1L : 0L, Long::sum));
            }
        }
        return delivered.isEmpty()
                ? ""
                : "; delivered by now: "
                        + delivered.entrySet().stream()
                                .map(each -> Printable.text(each.getKey()) + " " + each.getValue())
                                .collect(Collectors.joining(", "));
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
