package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.PathLookup;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Optional;

/**
 * {@code MLST [<SP> <pathname>]}, RFC 3659 section 7: what is known of one path, on the control connection.
 */
final class MlstCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MLST");
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
        Optional<FtpPath> resolved =
                argument.isEmpty() ? Optional.of(session.workingDirectory()) : session.resolve(argument);
        resolved.ifPresent(path -> session.server()
                .paths()
                .findFacts(
                        path,
                        session.account(),
                        PathLookup.orReply(
                                session,
                                found -> session.reply(new FtpReply(
                                        ReplyCode.FILE_ACTION_OK,
                                        List.of("Listing", MlstFacts.of(session).of(found.facts()) + path, "End"))))));
    }
}
