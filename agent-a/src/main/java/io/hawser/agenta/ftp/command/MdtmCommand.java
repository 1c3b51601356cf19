package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.PathLookup;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code MDTM <SP> <pathname>}, RFC 3659 section 3: of a file that is on its way, the time of its upload. {@code MDTM YYYYMMDDhhmmss name},
 * in no RFC, sets the time as MFMT does: ncftp and lftp send it to servers without MFMT.
 */
final class MdtmCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("MDTM");
    }

    @Override
    public String syntax() {
        return "[YYYYMMDDhhmmss] file";
    }

    @Override
    public Permission permission() {
        return Permission.LIST;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.split(" ", 2);
        OptionalLong time = words.length == 2 ? FtpTime.parse(words[0]) : OptionalLong.empty();
        if (time.isPresent()) {
            if (session.require(Permission.WRITE)) {
                TimeChange.send(session, words[1], time.getAsLong(), ReplyCode.FILE_STATUS);
            }
            return;
        }
        session.resolve(argument)
                .ifPresent(path -> PathLookup.replyOfFile(
                        session,
                        path,
                        facts -> FtpReply.of(ReplyCode.FILE_STATUS, MlstFacts.time(facts.modifiedMillis()))));
    }
}
