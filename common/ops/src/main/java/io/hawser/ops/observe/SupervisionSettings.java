package io.hawser.ops.observe;

import io.hawser.ops.audit.Audit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a node is supervised: admin token, audit log, when it warns, and what it keeps of what has happened.
 *
 * @param token of the admin pages; null for none
 * @param audit its audit log
 * @param warnAfter a node warns of an accepted transfer that makes no progress for so long
 * @param events how long it keeps its events and history
 */
public record SupervisionSettings(@Nullable AdminToken token, Audit audit, Duration warnAfter, EventSettings events) {
    private static final Duration DEFAULT_WARN_AFTER = Duration.ofMinutes(10);

    /** No token and no audit log. */
    public static final SupervisionSettings NONE =
            new SupervisionSettings(null, Audit.NONE, DEFAULT_WARN_AFTER, EventSettings.DEFAULT);
}
