package io.hawser.common.observe;

import io.hawser.common.audit.Audit;
import org.jspecify.annotations.Nullable;

/**
 * Who may look at a node from elsewhere, and where it notes what was done.
 *
 * @param token for the admin pages; null for certificates alone
 * @param audit its audit log
 */
public record Oversight(@Nullable AdminToken token, Audit audit) {
    /** No token, and no notes. */
    public static final Oversight NONE = new Oversight(null, Audit.NONE);
}
