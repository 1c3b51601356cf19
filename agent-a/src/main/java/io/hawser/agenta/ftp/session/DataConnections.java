package io.hawser.agenta.ftp.session;

import io.hawser.agenta.ftp.control.CommandPipeline;
import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.login.DataProtection;
import io.hawser.agenta.ftp.modee.ModeEAcceptedConnections;
import io.hawser.agenta.ftp.modee.ModeEDialledConnections;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.ptcp.RefusedDialLogThrottle;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * The ways that a session's data may take: a port for the one connection of stream mode, and the connections of MODE E in either
 * direction, which outlive a transfer.
 *
 * <p>Thread: the loop.
 */
public final class DataConnections {
    private final CommandPipeline pipeline;
    private final TransferSettings settings;
    private final DataProtection protection;
    private final DataPort port;
    private final ModeEAcceptedConnections incoming;
    private final ModeEDialledConnections outgoing;

    DataConnections(
            ControlChannel control,
            DataRules rules,
            RefusedDialLogThrottle refusals,
            TransferSettings settings,
            DataProtection protection,
            IntPredicate mayTakeMore) {
        this.pipeline = control.pipeline();
        this.settings = settings;
        this.protection = protection;
        this.port = new DataPort(this, control, rules, refusals, settings);
        this.incoming = new ModeEAcceptedConnections(control.loop(), port::prepare, mayTakeMore);
        this.outgoing = new ModeEDialledConnections(port::prepare, mayTakeMore);
    }

    public DataPort port() {
        return port;
    }

    /** The connections of MODE E that clients have opened. */
    public ModeEAcceptedConnections incoming() {
        return incoming;
    }

    /** The connections of MODE E that this end has opened. */
    public ModeEDialledConnections outgoing() {
        return outgoing;
    }

    /** How many connections of MODE E there are, also those that are being opened. */
    int count() {
        return incoming.count() + outgoing.count();
    }

    /** Whether an upload has a way in, in the mode that is in force; if not, the refusal has been sent. */
    public boolean hasWayIn() {
        if (lackProtection()) {
            return false;
        }
        if (!settings.extendedBlocks()) {
            return port.isOpen();
        }
        if (!incoming.isOpen()) {
            pipeline.reply(ReplyCode.NO_DATA_CONNECTION, "Use PASV, EPSV or SPAS first.");
            return false;
        }
        return true;
    }

    /** The same for what is sent. In MODE E the sender connects (GFD.20 section 3.2). */
    public boolean hasWayOut() {
        if (lackProtection()) {
            return false;
        }
        if (!settings.extendedBlocks()) {
            return port.isOpen();
        }
        boolean way = outgoing.isCached() || port.hasActiveAddress();
        if (!way) {
            pipeline.reply(
                    ReplyCode.NO_DATA_CONNECTION, "In MODE E the sender connects: use PORT, EPRT or SPOR first.");
        }
        return way;
    }

    /** Whether data connections lack the protection that they need; then the refusal has been sent. */
    private boolean lackProtection() {
        Optional<FtpReply> refusal = protection.refusal();
        refusal.ifPresent(pipeline::reply);
        return refusal.isPresent();
    }

    /** Protects a data connection, see {@link DataProtection#secure}. */
    void protect(DataConnection channel, Runnable ready, Consumer<Throwable> failed) {
        protection.secure(channel, ready, failed);
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
