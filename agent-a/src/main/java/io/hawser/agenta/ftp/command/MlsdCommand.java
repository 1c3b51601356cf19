package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code MLSD [<SP> <pathname>]}, RFC 3659 section 7: the entries of a directory with their facts.
 */
final class MlsdCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MLSD");
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
        MlstFacts facts = MlstFacts.of(session);
        Listings.send(session, argument, false, entry -> facts.of(entry) + entry.name());
    }
}
