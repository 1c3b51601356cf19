package io.hawser.agenta.ftp;

import io.hawser.agenta.gsi.DataSecurity;
import io.hawser.agenta.modee.BlockConnections;
import io.hawser.agenta.modee.BlockOutputs;
import io.hawser.core.ftp.ReplyCode;

/**
 * The ways that a session's data may take: a port for the one connection of stream mode, and the connections of MODE E in either
 * direction, which outlive a transfer.
 *
 * <p>Thread: the loop.
 */
public final class DataPaths {
    private final FtpSession session;
    private final DataPort port;
    private final BlockConnections incoming;
    private final BlockOutputs outgoing;

    DataPaths(FtpSession session, ControlChannel control) {
        this.session = session;
        this.port = new DataPort(session, control);
        this.incoming = new BlockConnections(session.server().loop(), port::prepare);
        this.outgoing = new BlockOutputs(port::prepare);
    }

    /** The way to the next data connection. */
    DataPort port() {
        return port;
    }

    /** The connections of MODE E that clients have opened. */
    BlockConnections incoming() {
        return incoming;
    }

    /** The connections of MODE E that this end has opened. */
    BlockOutputs outgoing() {
        return outgoing;
    }

    /** Whether an upload has a way in, in the mode that is in force; if not, the refusal has been sent. */
    boolean hasWayIn() {
        if (lackProtection()) {
            return false;
        }
        if (!session.settings().extendedBlocks()) {
            return port.isOpen();
        }
        if (!incoming.isOpen()) {
            session.reply(ReplyCode.NO_DATA_CONNECTION, "Use PASV, EPSV or SPAS first.");
            return false;
        }
        return true;
    }

    /**
     * Whether something can be sent in MODE E, where the sender connects (GFD.20 section 3.2); if not, the refusal has been sent.
     */
    boolean hasWayOut() {
        if (lackProtection()) {
            return false;
        }
        boolean way = outgoing.isCached() || port.hasActiveAddress();
        if (!way) {
            session.reply(ReplyCode.NO_DATA_CONNECTION, "In MODE E the sender connects: use PORT, EPRT or SPOR first.");
        }
        return way;
    }

    /**
     * Whether TLS is required and data connections are clear (RFC 4217 section 12), or they are to be authenticated and the client has
     * delegated nothing for that; then the refusal has been sent.
     */
    boolean lackProtection() {
        DataSecurity gsi = session.gsi().data();
        if (gsi != null && gsi.lacksCredential()) {
            session.reply(
                    ReplyCode.NO_DATA_CONNECTION,
                    "Data connections cannot be authenticated without a delegated credential: delegate one, or send DCAU N.");
            return true;
        }
        FtpTls tls = session.server().config().tls();
        boolean lack = tls != null && tls.required() && !session.protection().data();
        if (lack) {
            session.reply(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Data connections need PROT P here.");
        }
        return lack;
    }

    /** PROT or DCAU has changed: connections that are kept for the next transfer do not have the protection that it asks for. */
    public void protectionChanged() {
        outgoing.close();
        if (incoming.isCached()) {
            incoming.close();
        }
    }

    /** Closes all that PASV, PORT and their like have opened. */
    public void close() {
        port.close();
        incoming.close();
        outgoing.close();
    }
}
