package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
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
        Optional<FtpPath> path =
                argument.isEmpty() ? Optional.of(session.workingDirectory()) : session.resolve(argument);
        path.ifPresent(p -> session.reply(session.server()
                .heldNames()
                .find(p)
                .map(entry ->
                        new FtpReply(ReplyCode.FILE_ACTION_OK, List.of("Listing", MlstFacts.of(entry) + p, "End")))
                .orElseGet(() -> FtpReply.about(ReplyCode.FILE_UNAVAILABLE, p, "No such file or directory"))));
    }
}
