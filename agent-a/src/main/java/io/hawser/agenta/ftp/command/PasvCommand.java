package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;

/**
 * {@code PASV}, RFC 959 section 4.1.2. IPv4 only, as its reply has room for nothing else.
 */
final class PasvCommand implements FtpCommand {
    private static String hostAndPort(byte[] host, int port) {
        StringBuilder out = new StringBuilder();
        for (byte b : host) {
            out.append(b & 0xFF).append(',');
        }
        return out.append(port >> 8).append(',').append(port & 0xFF).toString();
    }

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
            session.dataPort()
                    .open(port -> session.reply(FtpReply.of(
                            ReplyCode.PASSIVE,
                            "Entering Passive Mode ("
                                    + hostAndPort(session.dataPort().announcedAddress(), port) + ").")));
        }
    }
}
