package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.PathFacts;
import java.util.List;

/**
 * {@code NLST [<SP> <pathname>]}, RFC 959 section 4.1.3: the names in a directory. Options such as {@code -a} are ignored.
 */
final class NlstCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("NLST");
    }

    @Override
    public String syntax() {
        return "[path]";
    }

    @Override
    public Permission permission() {
        return Permission.LIST;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        Listings.send(session, Listings.withoutOptions(argument), true, PathFacts::name);
    }
}
