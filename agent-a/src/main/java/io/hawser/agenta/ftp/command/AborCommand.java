package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code ABOR}, RFC 959 section 4.1.3. When this runs, the transfer has been ended and answered already: the session lets ABOR overtake.
 * An upload that is aborted is one that broke off.
 */
final class AborCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("ABOR");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        session.reply(FtpReply.of(ReplyCode.TRANSFER_COMPLETE, "Abort done."));
    }
}
