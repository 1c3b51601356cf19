package io.hawser.agenta.ftp.command;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.ftp.CustodyWait;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code SITE WAIT <SP> transfer-id <SP> level}: replied when one of the account's own transfers is brokered, landed or delivered
 * (250), has failed (550), or has not come that far in the time of {@code --custody-wait} (450). In no RFC.
 */
final class SiteWaitCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("WAIT");
    }

    @Override
    public String syntax() {
        return "transfer-id spooled|brokered|landed|delivered";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.strip().split(" +");
        if (words.length != 2) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "SITE WAIT needs a transfer and a level."));
            return;
        }
        CustodyLevel level;
        try {
            level = CustodyLevel.parse(words[1]);
        } catch (IllegalArgumentException e) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, String.valueOf(e.getMessage())));
            return;
        }
        SiteReceiptCommand.find(session, words[0]).ifPresent(state -> CustodyWait.until(session, state.key(), level));
    }
}
