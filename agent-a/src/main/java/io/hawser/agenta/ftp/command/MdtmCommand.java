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
 * {@code MDTM <SP> <pathname>}, RFC 3659 section 3: of a file that the spool holds, the time of its upload. The form that sets a time
 * ({@code MDTM time name}, in no RFC) is not offered and looks like a file that is not there.
 */
final class MdtmCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MDTM");
    }

    @Override
    public String syntax() {
        return "file";
    }

    @Override
    public Permission permission() {
        return Permission.LIST;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        Optional<FtpPath> path = session.resolve(argument);
        if (path.isEmpty()) {
            return;
        }
        session.reply(session.server()
                .heldNames()
                .find(path.get())
                .filter(entry -> !entry.directory())
                .map(entry -> FtpReply.of(ReplyCode.FILE_STATUS, MlstFacts.time(entry.modifiedMillis())))
                .orElseGet(() -> FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path.get(), "No such file or directory")));
    }
}
