package io.hawser.ops.observe;

import io.hawser.ops.audit.Audit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who may look at a node from elsewhere, where it notes what was done, and when it warns.
 *
 * @param token for the admin pages; null for certificates alone
 * @param audit its audit log
 * @param warnAfter an accepted transfer that has not moved for so long is a warning
 */
public record Oversight(@Nullable AdminToken token, Audit audit, Duration warnAfter) {
    private static final Duration DEFAULT_WARN_AFTER = Duration.ofMinutes(10);

    /** No token, and no notes. */
    public static final Oversight NONE = new Oversight(null, Audit.NONE, DEFAULT_WARN_AFTER);
}
