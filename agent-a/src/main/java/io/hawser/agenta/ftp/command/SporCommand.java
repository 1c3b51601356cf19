package io.hawser.agenta.ftp.command;

import io.hawser.agenta.data.DataAddress;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code SPOR <SP> <host-port> *(<SP> <host-port>)}, GFD.20 section 4.1: PORT for a receiver of several nodes. Each address gets
 * connections and an end of its own.
 */
final class SporCommand implements FtpCommand {
    private static final int MAX_ADDRESSES = 16;

    @Override
    public List<String> verbs() {
        return List.of("SPOR");
    }

    @Override
    public String syntax() {
        return "h1,h2,h3,h4,p1,p2 ...";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (!session.settings().extendedBlocks()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "SPOR needs MODE E."));
            return;
        }
        if (session.dataPort().extendedOnly()) {
            session.reply(FtpReply.of(ReplyCode.BAD_SEQUENCE, "After EPSV ALL only EPSV is allowed."));
            return;
        }
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String word : argument.strip().split(" +", MAX_ADDRESSES + 1)) {
            Optional<InetSocketAddress> address = DataAddress.parsePort(word);
            if (address.isEmpty() || addresses.size() == MAX_ADDRESSES) {
                session.reply(FtpReply.of(
                        ReplyCode.ARGUMENT_ERROR, "SPOR needs 1 to " + MAX_ADDRESSES + " times h1,h2,h3,h4,p1,p2."));
                return;
            }
            addresses.add(address.get());
        }
        String refusal = session.dataPort().connectTo(addresses);
        session.reply(
                refusal == null
                        ? FtpReply.of(ReplyCode.OK, "Data connections will go there.")
                        : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, refusal));
    }
}
