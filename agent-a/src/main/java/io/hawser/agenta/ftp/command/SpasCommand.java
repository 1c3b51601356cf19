package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;

/**
 * {@code SPAS}, GFD.20 section 4.1: PASV for a server of several nodes. This one is one node, so there is one address.
 */
final class SpasCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("SPAS");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (!session.settings().extendedBlocks()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "SPAS needs MODE E."));
        } else if (session.dataPort().extendedOnly()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "After EPSV ALL only EPSV is allowed."));
        } else if (!session.dataPort().isIpv4()) {
            session.reply(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "SPAS needs IPv4; use EPSV."));
        } else {
            session.dataPort()
                    .open(port -> session.reply(new FtpReply(
                            ReplyCode.EXTENDED_PASSIVE,
                            List.of(
                                    "Entering Striped Passive Mode",
                                    HostAndPort.format(session.dataPort().announcedAddress(), port),
                                    "End"))));
        }
    }
}
