package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.DownloadOpening;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code RETR <SP> <pathname>}, RFC 959 section 4.1.3; with REST before it, RFC 3659 section 5, or RANG (draft-bryan-ftp-range).
 */
final class RetrCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("RETR");
    }

    @Override
    public String syntax() {
        return "file";
    }

    @Override
    public Permission permission() {
        return Permission.READ;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        DownloadOpening.retrieve(session, argument);
    }
}
