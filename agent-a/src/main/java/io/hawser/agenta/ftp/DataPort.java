package io.hawser.agenta.ftp;

import io.hawser.agenta.data.DataChannel;
import io.hawser.agenta.data.PassivePort;
import io.hawser.common.ftp.ReplyCode;
import java.io.IOException;
import java.net.Inet4Address;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's way to its next data connection: what PASV or EPSV has opened and no transfer has taken yet.
 *
 * <p>Thread: the loop.
 */
public final class DataPort {
    private static final Logger LOG = LoggerFactory.getLogger(DataPort.class);

    private final FtpSession session;
    private final ControlChannel control;
    private @Nullable PassivePort port;
    private boolean extendedOnly;

    DataPort(FtpSession session, ControlChannel control) {
        this.session = session;
        this.control = control;
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

    /** The bytes of the address that the client reached, for PASV. */
    public byte[] localAddress() {
        return control.local().getAddress().getAddress();
    }

    /** Opens a port in place of the one that may be open; gives its number, or replies with the refusal. */
    public void open(Consumer<Integer> opened) {
        close();
        FtpServer server = session.server();
        PassivePort.open(
                server.loop(),
                control.local().getAddress(),
                server.config().passivePorts(),
                control.peer().getAddress(),
                server.limits().passiveUnusedTime(),
                (newPort, cause) -> opened(newPort, cause, opened));
    }

    private void opened(@Nullable PassivePort newPort, @Nullable Throwable cause, Consumer<Integer> opened) {
        if (newPort == null) {
            LOG.atError().setCause(cause).log("no passive port could be opened");
            session.ifOpen(() ->
                    session.reply(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "No port is free for a data connection.")));
        } else if (session.isClosing()) {
            newPort.close();
        } else {
            port = newPort;
            opened.accept(newPort.number());
        }
    }

    /** Whether PASV or EPSV was given for the next transfer; if not, the refusal has been sent. */
    public boolean isOpen() {
        if (port == null) {
            session.reply(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "Use PASV or EPSV first."));
        }
        return port != null;
    }

    /**
     * Takes the connection for a transfer. One of the two is called, later.
     *
     * @return the port, to be closed if the connection is no longer wanted before it comes
     */
    @Nullable
    PassivePort take(Consumer<DataChannel> connected, Consumer<Throwable> failed) {
        PassivePort taken = port;
        port = null;
        if (taken == null) {
            session.server().loop().execute(() -> failed.accept(new IOException("no data port is open")));
        } else {
            taken.take(session.server().limits().dataConnectTime(), connected, failed);
        }
        return taken;
    }

    /** Closes what no transfer has taken. */
    void close() {
        if (port != null) {
            port.close();
            port = null;
        }
    }
}
