package io.hawser.send;

import io.hawser.ops.cli.Errors;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of one object, as JSON.
 *
 * @param event {@code object}, in a stream that also has lines of progress
 * @param key its transfer; null if none was begun
 * @param name its name
 * @param level the custody level that was asked for if it has reached that; else the one that it has reached by now, {@code accepted}
 *     if none, {@code none} if it was not begun; {@code failed} or {@code skipped}
 * @param sent {@code now}, {@code resumed} if an earlier run has begun it, {@code earlier} if one has finished it, {@code no}
 * @param problem why it failed, was skipped, or has not reached the level in time; null if it has
 * @param warning what else a person should know; null if nothing
 */
record ObjectLine(
        String event,
        @Nullable String key,
        String name,
        String level,
        String sent,
        @Nullable String problem,
        @Nullable String warning) {
    static final String UNCLAIMED =
            "no subscription is on its topic yet: the broker keeps it until one comes, or as long as its --retain-unclaimed says";
    private static final String OBJECT = "object";
    private static final String NOT_SENT = "no";

    /** @param end why the run ended before everything was as far as was asked for; empty if it came to its end or its timeout */
    static ObjectLine of(SentObject object, SendRun.Order order, Optional<String> end) {
        String problem = problem(object, order, end);
        return new ObjectLine(
                OBJECT,
                object.id() == null ? null : object.id().toString(),
                object.entry().name(),
                reached(object, order),
                object.id() == null ? NOT_SENT : word(object.origin()),
                problem.isEmpty() ? null : problem,
                object.isUnclaimed() ? UNCLAIMED : null);
    }

    /** One that the run did not come to. */
    static ObjectLine notBegun(SendPlan.Entry entry, @Nullable String why) {
        return new ObjectLine(OBJECT, null, entry.name(), "none", NOT_SENT, why, null);
    }

    static ObjectLine of(SendPlan.Skipped skipped) {
        return new ObjectLine(OBJECT, null, skipped.name(), "skipped", NOT_SENT, skipped.reason(), null);
    }

    private static String reached(SentObject object, SendRun.Order order) {
        if (object.failure() != null) {
            return "failed";
        } else if (object.done().isDone()) {
            return word(order.level());
        } else if (object.id() == null) {
            return "none";
        }
        return object.reached(order.rule()).map(ObjectLine::word).orElse("accepted");
    }

    /** Why it is not as far as was asked for; empty if it is. */
    static String problem(SentObject object, SendRun.Order order, Optional<String> end) {
        Throwable failure = object.failure();
        if (failure != null) {
            return Errors.sentence(failure);
        } else if (object.done().isDone()) {
            return "";
        }
        if (end.isPresent()) {
            return end.get();
        }
        long millis = order.timeout().orElseThrow().toMillis();
        String limit = millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
        return "not " + word(order.level()) + " within " + limit + ": " + object.heldBack();
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
