package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.DataAddress;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The commands that open or name the next data connection. */
final class DataPortCommands {
    private static final int MAX_ADDRESSES = 16;

    private DataPortCommands() {}

    /**
     * {@code PASV}, RFC 959 section 4.1.2. IPv4 only, as its reply has room for nothing else. After {@code OPTS
     * PASV AllowDelayed=1;} the address comes as reply 127 to the transfer command (GridFTP).
     */
    static void pasv(FtpSession session, String argument) {
        if (isIpv4Allowed(session, "PASV")) {
            session.dataPort().open(port -> opened(session, port));
        }
    }

    /** Whether {@code verb}, which knows IPv4 only, may open a port; if not, the refusal has been sent. */
    private static boolean isIpv4Allowed(FtpSession session, String verb) {
        if (refusesOldCommands(session)) {
            return false;
        }
        boolean ipv4 = session.dataPort().isIpv4();
        if (!ipv4) {
            session.reply(ReplyCode.NO_DATA_CONNECTION, verb + " needs IPv4; use EPSV.");
        }
        return ipv4;
    }

    /** Whether EPSV ALL was given; then the refusal has been sent. */
    private static boolean refusesOldCommands(FtpSession session) {
        boolean refuses = session.dataPort().extendedOnly();
        if (refuses) {
            session.reply(ReplyCode.BAD_SEQUENCE, "After EPSV ALL only EPSV is allowed.");
        }
        return refuses;
    }

    private static void opened(FtpSession session, int port) {
        String text = "Entering Passive Mode ("
                + DataAddress.format(session.dataPort().announcedAddress(), port) + ").";
        if (session.settings().passiveDelayed()) {
            session.settings().delayAddress(text);
            session.reply(ReplyCode.OK, "Passive delayed.");
        } else {
            session.reply(ReplyCode.PASSIVE, text);
        }
    }

    /** {@code EPSV [<SP> (net-prt / "ALL")]}, RFC 2428 section 3. */
    static void epsv(FtpSession session, String argument) {
        String own = session.dataPort().isIpv4() ? "1" : "2";
        String asked = argument.strip();
        if (asked.equalsIgnoreCase("ALL")) {
            session.dataPort().allowExtendedOnly();
            session.reply(ReplyCode.OK, "Only EPSV from now on.");
        } else if (asked.isEmpty() || asked.equals(own)) {
            session.dataPort()
                    .open(port -> session.reply(
                            ReplyCode.EXTENDED_PASSIVE, "Entering Extended Passive Mode (|||" + port + "|)"));
        } else {
            session.reply(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Network protocol not supported, use (" + own + ")");
        }
    }

    /** {@code PORT <SP> <host-port>}, RFC 959 section 4.1.2: this end opens the next data connection, to the address that is named. */
    static void port(FtpSession session, String argument) {
        DataAddress.parsePort(argument)
                .ifPresentOrElse(
                        named -> connectTo(session, List.of(named)),
                        () -> session.reply(
                                ReplyCode.ARGUMENT_ERROR, "PORT needs h1,h2,h3,h4,p1,p2 with numbers to 255."));
    }

    /** The answer to PORT, EPRT and SPOR that could be read. */
    private static void connectTo(FtpSession session, List<InetSocketAddress> named) {
        if (!refusesOldCommands(session)) {
            String refusal = session.dataPort().connectTo(named);
            session.reply(
                    refusal == null
                            ? FtpReply.of(ReplyCode.OK, "Data connections will go there.")
                            : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, refusal));
        }
    }

    /** {@code EPRT <SP> <d><net-prt><d><net-addr><d><tcp-port><d>}, RFC 2428 section 2. */
    static void eprt(FtpSession session, String argument) {
        if (DataAddress.isOtherProtocol(argument)) {
            session.reply(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Network protocol not supported, use (1,2)");
            return;
        }
        DataAddress.parseExtended(argument)
                .ifPresentOrElse(
                        named -> connectTo(session, List.of(named)),
                        () -> session.reply(ReplyCode.ARGUMENT_ERROR, "EPRT needs |1|address|port|."));
    }

    /** {@code SPAS}, GFD.20 section 4.1: PASV for a server of several nodes. This one is one node, so there is one address. */
    static void spas(FtpSession session, String argument) {
        if (!session.settings().extendedBlocks()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "SPAS needs MODE E.");
        } else if (isIpv4Allowed(session, "SPAS")) {
            session.dataPort()
                    .open(port -> session.reply(new FtpReply(
                            ReplyCode.EXTENDED_PASSIVE,
                            List.of(
                                    "Entering Striped Passive Mode",
                                    DataAddress.format(session.dataPort().announcedAddress(), port),
                                    "End"))));
        }
    }

    /**
     * {@code SPOR <SP> <host-port> *(<SP> <host-port>)}, GFD.20 section 4.1: PORT for a receiver of several nodes. Each address gets
     * connections and an end of its own; one that is named twice counts once.
     */
    static void spor(FtpSession session, String argument) {
        if (!session.settings().extendedBlocks()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "SPOR needs MODE E.");
            return;
        }
        Set<InetSocketAddress> addresses = new LinkedHashSet<>();
        for (String word : argument.strip().split(" +", MAX_ADDRESSES + 1)) {
            Optional<InetSocketAddress> address = DataAddress.parsePort(word);
            if (address.isEmpty() || addresses.size() == MAX_ADDRESSES) {
                session.reply(
                        ReplyCode.ARGUMENT_ERROR, "SPOR needs 1 to " + MAX_ADDRESSES + " times h1,h2,h3,h4,p1,p2.");
                return;
            }
            addresses.add(address.get());
        }
        connectTo(session, List.copyOf(addresses));
    }
}
