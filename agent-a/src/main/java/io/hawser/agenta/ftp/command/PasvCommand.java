package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code PASV}, RFC 959 section 4.1.2. IPv4 only, as its reply has room for nothing else. After {@code OPTS
 * PASV AllowDelayed=1;} the address comes as reply 127 to the transfer command (GridFTP).
 */
final class PasvCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("PASV");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (session.dataPort().extendedOnly()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "After EPSV ALL only EPSV is allowed."));
        } else if (!session.dataPort().isIpv4()) {
            session.reply(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "PASV needs IPv4; use EPSV."));
        } else {
            session.dataPort().open(port -> opened(session, port));
        }
    }

    private static void opened(FtpSession session, int port) {
        String text = "Entering Passive Mode ("
                + HostAndPort.format(session.dataPort().announcedAddress(), port) + ").";
        if (session.settings().passiveDelayed()) {
            session.settings().delayAddress(text);
            session.reply(FtpReply.of(ReplyCode.OK, "Passive delayed."));
        } else {
            session.reply(FtpReply.of(ReplyCode.PASSIVE, text));
        }
    }
}
