package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code LIST [<SP> <pathname>]}, RFC 959 section 4.1.3: a directory for humans, in the form of {@code ls -l}, which programs read too.
 * Options such as {@code -a} (wget sends them) are ignored. The last part of the path may be a pattern.
 */
final class ListCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("LIST");
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
        long now = System.currentTimeMillis();
        Listings.sendMatching(session, Listings.withoutOptions(argument), facts -> LongFormat.of(facts, now));
    }
}
