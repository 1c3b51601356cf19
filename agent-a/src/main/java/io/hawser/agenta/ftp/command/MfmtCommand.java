package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code MFMT <SP> YYYYMMDDhhmmss <SP> <pathname>}, draft-somers-ftp-mfxx section 3: sets the modification time, in UTC. See {@link
 * TimeChange}.
 */
final class MfmtCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MFMT");
    }

    @Override
    public String syntax() {
        return "YYYYMMDDhhmmss path";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.split(" ", 2);
        OptionalLong time = FtpTime.parse(words[0]);
        if (words.length < 2 || time.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "Syntax: MFMT " + syntax()));
        } else {
            TimeChange.send(session, words[1], time.getAsLong(), ReplyCode.FILE_STATUS);
        }
    }
}
