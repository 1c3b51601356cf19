package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code NLST [<SP> <pathname>]}, RFC 959 section 4.1.3: the names in a directory. Options such as {@code -a} are ignored. The last part of the path
 * may be a pattern.
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
        String path = Listings.withoutOptions(argument);
        int behindDirectory = path.lastIndexOf('/') + 1;
        // As shells do it: what a pattern has found can be asked for as it is listed.
        String prefix = NamePattern.isOne(path.substring(behindDirectory)) ? path.substring(0, behindDirectory) : "";
        Listings.sendMatching(session, path, facts -> prefix + facts.name());
    }
}
