package io.hawser.agenta.account;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.core.ftp.FtpPath;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An account.
 *
 * @param name the name; uploads belong to it
 * @param root the directory of the namespace that is the account's root; it sees nothing above
 * @param permissions what it may do
 * @param custody the custody level of its uploads, or null: then the path decides
 */
public record Account(
        String name,
        FtpPath root,
        Set<Permission> permissions,
        @Nullable CustodyLevel custody) {
    /** The name of the account for logins without one. */
    public static final String ANONYMOUS = "anonymous";

    public Account {
        permissions = Set.copyOf(permissions);
    }

    /** An account without bounds. */
    public static Account unlimited(String name) {
        return new Account(name, FtpPath.ROOT, Permission.all(), null);
    }

    /** The account for logins without one. */
    public static Account anonymous(Set<Permission> permissions) {
        return new Account(ANONYMOUS, FtpPath.ROOT, permissions, null);
    }

    public boolean may(Permission permission) {
        return permissions.contains(permission);
    }

    /** Whether it may know what exists: an account that only uploads is told nothing of others' names. */
    public boolean seesNames() {
        return may(Permission.LIST) || may(Permission.READ);
    }
}
