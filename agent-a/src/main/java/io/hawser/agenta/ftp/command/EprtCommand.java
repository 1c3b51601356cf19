package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.HostPortArgument;
import io.hawser.common.ftp.ReplyCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * {@code EPRT <SP> <d><net-prt><d><net-addr><d><tcp-port><d>}, RFC 2428 section 2.
 */
final class EprtCommand implements FtpCommand {
    /** The answer to PORT and EPRT that could be read. */
    static void use(FtpSession session, HostPortArgument named) {
        if (session.dataPort().extendedOnly()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "After EPSV ALL only EPSV is allowed."));
            return;
        }
        String refusal = session.dataPort().connectTo(address(named));
        session.reply(
                refusal == null
                        ? FtpReply.of(ReplyCode.OK, "OK.")
                        : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, refusal));
    }

    private static InetSocketAddress address(HostPortArgument named) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(named.address()), named.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
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
        if (HostPortArgument.isOtherProtocol(argument)) {
            session.reply(FtpReply.of(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Network protocol not supported, use (1,2)"));
            return;
        }
        HostPortArgument.parseExtended(argument)
                .ifPresentOrElse(
                        named -> use(session, named),
                        () -> session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "EPRT needs |1|address|port|.")));
    }
}
