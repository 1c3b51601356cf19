package io.hawser.agentb;

import io.hawser.core.config.ConfigKey;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;

/**
 * Where a new subscription begins: the value of {@code --from}.
 *
 * @param startAt now, or the earliest that the broker keeps
 * @param sinceEpochMillis only what was committed then or later; 0 for all
 */
record StartPosition(StartAt startAt, long sinceEpochMillis) {
    /** Throws IllegalArgumentException with a sentence that lists the forms. */
    static StartPosition parse(String text, long nowEpochMillis) {
        String stripped = text.strip();
        if (stripped.equals("now")) {
            return new StartPosition(StartAt.NOW, 0);
        } else if (stripped.equals("earliest")) {
            return new StartPosition(StartAt.EARLIEST, 0);
        }
        try {
            long since = stripped.indexOf('T') > 0
                    ? OffsetDateTime.parse(stripped).toInstant().toEpochMilli()
                    : nowEpochMillis - span(stripped).toMillis();
            return new StartPosition(StartAt.EARLIEST, Math.min(SubscriptionTerms.MAX_VALUE, Math.max(1, since)));
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is not now, earliest, a time such as 2026-03-01T09:00:00Z, or how long ago, such as 12h",
                    e);
        }
    }

    private static Duration span(String text) {
        return ConfigKey.duration("span", null, "").parser().apply(text);
    }
}
