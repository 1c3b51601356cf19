package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code EPSV [<SP> (net-prt / "ALL")]}, RFC 2428 section 3.
 */
final class EpsvCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("EPSV");
    }

    @Override
    public String syntax() {
        return "[1|2|ALL]";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String own = session.dataPort().isIpv4() ? "1" : "2";
        String asked = argument.strip();
        if (asked.equalsIgnoreCase("ALL")) {
            session.dataPort().allowExtendedOnly();
            session.reply(FtpReply.of(ReplyCode.OK, "Only EPSV from now on."));
        } else if (asked.isEmpty() || asked.equals(own)) {
            session.dataPort()
                    .open(port -> session.reply(FtpReply.of(
                            ReplyCode.EXTENDED_PASSIVE, "Entering Extended Passive Mode (|||" + port + "|)")));
        } else {
            session.reply(
                    FtpReply.of(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Network protocol not supported, use (" + own + ")"));
        }
    }
}
