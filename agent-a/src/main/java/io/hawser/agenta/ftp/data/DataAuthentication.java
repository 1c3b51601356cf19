package io.hawser.agenta.ftp.data;

import io.hawser.agenta.gsi.GsiGate;
import io.hawser.agenta.gsi.GsiLogin;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.token.GsiAcceptor;
import io.hawser.gsi.token.GsiExchange;
import io.hawser.gsi.token.GsiInitiator;
import io.hawser.gsi.token.GsiTls;
import io.hawser.gsi.token.PeerCheck;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a GSI client wants of its data connections (DCAU, GFD.20 section 4.1; PROT is elsewhere). Both ends of one show a credential of
 * the user: the client its own, this server what the client has delegated. The end that opened the connection begins, as TLS client.
 *
 * <p>Thread: the loop.
 */
public final class DataAuthentication {
    private final GsiGate gate;
    private final GsiLogin login;
    private boolean authenticated = true;
    private @Nullable DistinguishedName subject;

    /** As after a login: the peer must be the user. */
    public DataAuthentication(GsiGate gate, GsiLogin login) {
        this.gate = gate;
        this.login = login;
    }

    /** DCAU N: connections are taken as they come. */
    public void anybody() {
        authenticated = false;
        subject = null;
    }

    /** DCAU A: the peer must be the user. */
    public void self() {
        authenticated = true;
        subject = null;
    }

    /** DCAU S: the peer must have that name. */
    public void subject(DistinguishedName name) {
        authenticated = true;
        subject = name;
    }

    public boolean isAuthenticated() {
        return authenticated;
    }

    /** Whether they are to be and cannot, since the client has delegated nothing. */
    public boolean lacksCredential() {
        return authenticated && login.delegated().isEmpty();
    }

    /**
     * Makes a connection as it is wanted. One of the two is called, in this call or later; after a failure it is closed.
     *
     * @param protect whether what goes over it is encrypted (PROT S and P)
     * @param timeout how long the peer may take
     */
    public void secure(
            DataConnection channel, boolean protect, Duration timeout, Runnable ready, Consumer<Throwable> failed) {
        if (!authenticated) {
            ready.run();
            return;
        }
        try {
            Credential own = login.delegated()
                    .orElseThrow(() -> new GsiException("no credential was delegated for data connections"));
            PeerCheck check = PeerCheck.identity(subject != null ? subject : login.identity());
            if (protect) {
                protect(channel, own, check, timeout, ready, failed);
            } else {
                GsiExchange exchange = channel.wasDialled()
                        ? GsiInitiator.ofData(own, gate.trust(), check)
                        : GsiAcceptor.ofData(own, gate.trust(), check);
                channel.authenticate(exchange, gate.threads(), timeout, ready, failed);
            }
        } catch (GsiException e) {
            channel.close();
            failed.accept(new PeerRefusedException(e.why(), e));
        }
    }

    private void protect(
            DataConnection channel,
            Credential own,
            PeerCheck check,
            Duration timeout,
            Runnable ready,
            Consumer<Throwable> failed)
            throws GsiException {
        GsiTls tls = GsiTls.open(channel.wasDialled(), own, check.after(gate.trust()), CertificatePurpose.DATA);
        channel.secure(
                tls.engine(),
                timeout,
                ready,
                cause -> failed.accept(new PeerRefusedException(
                        tls.refusal().orElseGet(() -> String.valueOf(cause.getMessage())), cause)));
    }
}
