package io.hawser.ops.observe;

import io.hawser.core.access.Access;

/**
 * Who asks for an admin page.
 *
 * @param name for the audit log
 * @param access what he may see and do
 */
public record Caller(String name, Access access) {
    /** Somebody on this machine, or with the admin token. */
    public static final Caller OPERATOR = new Caller("operator", Access.OPEN);
}
