package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Permission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One FTP command. It has no state of its own; one object serves all sessions.
 *
 * <p>Thread: the loop.
 */
public interface FtpCommand {
    /** Its names, the usual one first. */
    List<String> verbs();

    /** Its argument's syntax for HELP, empty if it has none. */
    String syntax();

    /** Whether it may be used before the login. */
    default boolean allowedBeforeLogin() {
        return false;
    }

    /** Whether it may be used where GSI is demanded and the client has not come in by it. */
    default boolean allowedBeforeSecurity() {
        return false;
    }

    /** Whether that server offers it; what it does not offer is answered 502. */
    default boolean isOfferedBy(FtpServer server) {
        return true;
    }

    /** What an account must be permitted for it; the session refuses the command of others. Null if nothing is needed. */
    default @Nullable Permission permission() {
        return null;
    }

    /**
     * Runs it. It gives exactly one final reply, in this call or later; until then the session runs no other command.
     *
     * @param session whose command it is
     * @param argument what stood behind the verb, may be empty
     */
    void execute(FtpSession session, String argument);
}
