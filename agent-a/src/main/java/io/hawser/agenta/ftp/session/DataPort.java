package io.hawser.agenta.ftp.session;

import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.ActivePort;
import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.data.PassivePort;
import io.hawser.agenta.ftp.data.PeerRefusedException;
import io.hawser.agenta.ftp.data.PendingDataConnection;
import io.hawser.agenta.ftp.data.SessionNotResumedException;
import io.hawser.agenta.ftp.modee.ModeEAcceptedConnections;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.ptcp.RefusedDialLogThrottle;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles PASV, EPSV, PORT and EPRT, and keeps the port or address for the session's next data connection.
 *
 * <p>Thread: the loop.
 */
public final class DataPort {
    private static final Logger LOG = LoggerFactory.getLogger(DataPort.class);

    private final DataConnections connections;
    private final ControlChannel control;
    private final DataRules rules;
    private final RefusedDialLogThrottle refusals;
    private final TransferSettings settings;
    private @Nullable PendingDataConnection pending;
    private List<InetSocketAddress> activeAddresses = List.of();
    private boolean extendedOnly;

    DataPort(
            DataConnections connections,
            ControlChannel control,
            DataRules rules,
            RefusedDialLogThrottle refusals,
            TransferSettings settings) {
        this.connections = connections;
        this.control = control;
        this.rules = rules;
        this.refusals = refusals;
        this.settings = settings;
    }

    /** Whether EPSV ALL was given, after which no other way to a data port is allowed (RFC 2428 section 4). */
    public boolean extendedOnly() {
        return extendedOnly;
    }

    /** EPSV ALL was given. */
    public void allowExtendedOnly() {
        extendedOnly = true;
    }

    /** Whether the control connection runs over IPv4, which PASV needs. */
    public boolean isIpv4() {
        return control.local().getAddress() instanceof Inet4Address;
    }

    /** The bytes of the address that PASV announces: the one that the client reached, or the one that is configured. */
    public byte[] announcedAddress() {
        Inet4Address configured = rules.passiveAddress();
        return (configured != null ? configured : control.local().getAddress()).getAddress();
    }

    /**
     * PORT and EPRT: the next data connection goes to that address; SPOR: the next ones go to several, 1 or more. Whatever was open before is
     * closed.
     *
     * @return why they must not, or null
     */
    public @Nullable String connectTo(List<InetSocketAddress> addresses) {
        connections.close();
        for (InetSocketAddress address : addresses) {
            String refusal = rules.whyNot(control.peer().getAddress(), address);
            if (refusal != null) {
                logRefused(control.peer(), "address", address, "data address refused");
                return refusal;
            }
        }
        pending = opening(addresses.get(0));
        activeAddresses = List.copyOf(addresses);
        return null;
    }

    private boolean admits(InetSocketAddress from) {
        boolean allowed = rules.allows(control.peer().getAddress(), from.getAddress());
        if (!allowed) {
            logRefused(from, "client", control.peer(), "data connection refused: not from an allowed address");
        }
        return allowed;
    }

    private void logRefused(InetSocketAddress peer, String key, InetSocketAddress other, String what) {
        int suppressed = refusals.refused(peer, what, System.nanoTime());
        if (suppressed >= 0) {
            LOG.atWarn()
                    .addKeyValue("peer", peer)
                    .addKeyValue(key, other)
                    .addKeyValue("suppressed", suppressed)
                    .log(what);
        }
    }

    private PendingDataConnection opening(InetSocketAddress address) {
        return new ActivePort(control.loop(), control.local().getAddress(), address);
    }

    /**
     * {@code wanted} connections to each address of the last PORT, EPRT or SPOR, or as many as a session may have; empty if there was
     * none. The addresses stay, for further transfers.
     */
    public List<List<PendingDataConnection>> activeOpenings(int wanted) {
        int each = Math.min(wanted, ModeEAcceptedConnections.MAX_CONNECTIONS / Math.max(1, activeAddresses.size()));
        List<List<PendingDataConnection>> openings = new ArrayList<>();
        for (InetSocketAddress address : activeAddresses) {
            List<PendingDataConnection> group = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                group.add(opening(address));
            }
            openings.add(group);
        }
        return openings;
    }

    /** Whether PORT, EPRT or SPOR named an address that is still valid. */
    boolean hasActiveAddress() {
        return !activeAddresses.isEmpty();
    }

    /** Opens a port in place of the one that may be open; gives its number, or replies with the refusal. */
    public void open(Consumer<Integer> opened) {
        connections.close();
        if (settings.extendedBlocks()) {
            openForBlocks(opened);
            return;
        }
        PassivePort.open(
                control.loop(),
                control.local().getAddress(),
                rules.passivePorts(),
                this::admits,
                control.limits().times().passiveUnused(),
                (newPort, cause) -> opened(newPort, cause, opened));
    }

    /** The port of MODE E belongs to the session's block connections, which outlive a transfer. */
    private void openForBlocks(Consumer<Integer> opened) {
        connections.incoming().listen(control.local().getAddress(), rules.passivePorts(), this::admits, number -> {
            if (number > 0) {
                opened.accept(number);
            } else {
                replyNoPort("No port is free for data connections.");
            }
        });
    }

    private void opened(@Nullable PassivePort newPort, @Nullable Throwable cause, Consumer<Integer> opened) {
        if (newPort == null) {
            LOG.atError().setCause(cause).log("no passive port could be opened");
            replyNoPort("No port is free for a data connection.");
        } else if (control.pipeline().isClosing()) {
            newPort.close();
        } else {
            pending = newPort;
            opened.accept(newPort.number());
        }
    }

    /** Whether the way was named for the next transfer; if not, the refusal has been sent. */
    boolean isOpen() {
        if (pending == null) {
            control.pipeline().reply(ReplyCode.NO_DATA_CONNECTION, "Use PASV, EPSV, PORT or EPRT first.");
        }
        return pending != null;
    }

    /**
     * Takes the connection for a transfer. One of the two is called, later.
     *
     * @return the port, to be closed if the connection is no longer wanted before it comes
     */
    public @Nullable PendingDataConnection take(Consumer<DataConnection> connected, Consumer<Throwable> failed) {
        PendingDataConnection taken = pending;
        pending = null;
        if (taken == null) {
            control.loop().execute(() -> failed.accept(new IOException("no data port is open")));
        } else {
            taken.take(
                    control.limits().times().dataConnect(),
                    channel -> prepare(channel, () -> connected.accept(channel), failed),
                    failed);
        }
        return taken;
    }

    /** Makes of a connection what the client has asked for. One of the two is called, in this call or later. */
    void prepare(DataConnection channel, Runnable ready, Consumer<Throwable> failed) {
        int buffers = settings.socketBufferBytes();
        if (buffers != 0) {
            channel.socketBuffers(buffers);
        }
        connections.protect(channel, ready, failed);
    }

    private void replyNoPort(String text) {
        if (control.isOpen()) {
            control.pipeline().reply(ReplyCode.NO_DATA_CONNECTION, text);
        }
    }

    /** The reply to a client whose data connection did not come about. It gives the cause if the peer was refused. */
    public static FtpReply noConnection(Throwable cause) {
        String refused = "The data connection was refused: " + cause.getMessage();
        if (cause instanceof SessionNotResumedException) {
            return FtpReply.of(ReplyCode.PROTOCOL_NOT_SUPPORTED, refused);
        }
        boolean telling = cause instanceof PeerRefusedException;
        return FtpReply.of(ReplyCode.NO_DATA_CONNECTION, telling ? refused : "No data connection was opened.");
    }

    /** Closes what no transfer has taken. */
    public void close() {
        activeAddresses = List.of();
        if (pending != null) {
            pending.close();
            pending = null;
        }
    }
}
