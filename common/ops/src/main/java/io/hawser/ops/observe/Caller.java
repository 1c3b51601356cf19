package io.hawser.ops.observe;

import io.hawser.core.access.Access;

/**
 * A client of the admin pages.
 *
 * @param name for the audit log
 * @param access what it may see and do
 */
public record Caller(String name, Access access) {
    /** A process of this machine, or a caller with the admin token. */
    public static final Caller OPERATOR = new Caller("operator", Access.OPEN);
}
