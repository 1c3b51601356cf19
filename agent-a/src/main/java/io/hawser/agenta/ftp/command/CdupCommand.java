package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code CDUP}, RFC 959 section 4.1.1. The root is its own parent.
 */
final class CdupCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("CDUP", "XCUP");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        CwdCommand.enter(session, session.workingDirectory().parent());
    }
}
