package io.hawser.agenta.ftp.command;

import io.hawser.agenta.data.DataAddress;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * {@code EPRT <SP> <d><net-prt><d><net-addr><d><tcp-port><d>}, RFC 2428 section 2.
 */
final class EprtCommand implements FtpCommand {
    /** The answer to PORT and EPRT that could be read. */
    static void use(FtpSession session, InetSocketAddress named) {
        if (session.dataPort().extendedOnly()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "After EPSV ALL only EPSV is allowed."));
            return;
        }
        String refusal = session.dataPort().connectTo(named);
        session.reply(
                refusal == null
                        ? FtpReply.of(ReplyCode.OK, "OK.")
                        : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, refusal));
    }

    @Override
    public List<String> verbs() {
        return List.of("EPRT");
    }

    @Override
    public String syntax() {
        return "|1 or 2|address|port|";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (DataAddress.isOtherProtocol(argument)) {
            session.reply(FtpReply.of(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Network protocol not supported, use (1,2)"));
            return;
        }
        DataAddress.parseExtended(argument)
                .ifPresentOrElse(
                        named -> use(session, named),
                        () -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "EPRT needs |1|address|port|.")));
    }
}
