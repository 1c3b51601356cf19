package io.hawser.agenta.ftp.login;

import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.DataAuthentication;
import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.core.ftp.ReplyCode;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What protects the data connections of a session: GSI, TLS, or nothing.
 *
 * <p>Thread: the loop.
 */
public final class DataProtection {
    private final ControlChannel control;
    private final SessionTls tls;
    private final SessionGsi gsi;

    public DataProtection(ControlChannel control, SessionTls tls, SessionGsi gsi) {
        this.control = control;
        this.tls = tls;
        this.gsi = gsi;
    }

    /**
     * The refusal of a transfer whose data connections lack protection: TLS is required and they are clear (RFC 4217 section 12), or they
     * are to be authenticated and the client has delegated nothing for that.
     */
    public Optional<FtpReply> refusal() {
        DataAuthentication security = gsi.data();
        if (security != null && security.lacksCredential()) {
            return Optional.of(
                    FtpReply.of(
                            ReplyCode.NO_DATA_CONNECTION,
                            "Data connections cannot be authenticated without a delegated credential: delegate one, or send DCAU N."));
        }
        return tls.isRequired() && !tls.protection().data()
                ? Optional.of(FtpReply.of(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Data connections need PROT P here."))
                : Optional.empty();
    }

    /** Protects a connection as the client has asked for. One of the two is called, in this call or later. */
    public void secure(DataConnection channel, Runnable ready, Consumer<Throwable> failed) {
        DataAuthentication security = gsi.data();
        if (security != null) {
            security.secure(
                    channel, tls.protection().data(), control.limits().times().dataConnect(), ready, failed);
        } else if (tls.protection().data()) {
            tls.secure(channel, ready, failed);
        } else {
            ready.run();
        }
    }
}
