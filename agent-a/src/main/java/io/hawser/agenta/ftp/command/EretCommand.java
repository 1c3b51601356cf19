package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.DownloadOpening;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code ERET <SP> P <SP> <offset> <SP> <length> <SP> <pathname>}, GFD.20 section 4.2: RETR of a part. In MODE E its blocks are
 * counted from 0.
 */
final class EretCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("ERET");
    }

    @Override
    public String syntax() {
        return "P offset length file";
    }

    @Override
    public Permission permission() {
        return Permission.READ;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.stripLeading().split(" +", 4);
        if (!words[0].equalsIgnoreCase("P")) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only ERET P is offered."));
            return;
        }
        OptionalLong offset = words.length == 4 ? Numbers.parse(words[1]) : OptionalLong.empty();
        OptionalLong length = words.length == 4 ? Numbers.parse(words[2]) : OptionalLong.empty();
        if (offset.isEmpty() || length.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "ERET P needs an offset, a length and a path."));
        } else {
            DownloadOpening.retrievePart(session, offset.getAsLong(), length.getAsLong(), words[3]);
        }
    }
}
