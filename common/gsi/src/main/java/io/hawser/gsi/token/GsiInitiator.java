package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.credential.ProxySigner;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PeerValidator;
import java.time.Duration;
import java.time.Instant;

/**
 * The client's end of the exchange: it logs in, or dialled the connection. It checks the peer within the handshake, before it delegates anything.
 *
 * <pre>
 *   HANDSHAKE ──complete──► FLAGS ──'0' goes out──► DONE
 *                             └──'D' goes out──► REQUEST ──the request comes, the proxy goes out──► DONE
 * </pre>
 *
 * <p>In TLS 1.2 the flag is sent as soon as the handshake is complete at this end; in TLS 1.3 it answers the acceptor's filler byte.
 */
public final class GsiInitiator extends TlsExchange {
    private static final byte[] WITH_DELEGATION = {'D'};
    private static final byte[] WITHOUT_DELEGATION = {'0'};

    private final Credential own;
    private final Delegation delegation;
    private final Duration lifetime;
    private boolean flagged;

    GsiInitiator(GsiTls tls, Credential own, Delegation delegation, Duration lifetime) {
        super(tls);
        this.own = own;
        this.delegation = delegation;
        this.lifetime = lifetime;
    }

    /**
     * For a control connection.
     *
     * @param check what the server must prove
     * @param delegation what it gets
     * @param lifetime how long that is valid
     */
    public static GsiInitiator ofLogin(
            Credential own, PeerValidator validator, PeerCheck check, Delegation delegation, Duration lifetime)
            throws GsiException {
        GsiTls tls = GsiTls.open(true, own, check.after(validator), CertificatePurpose.SERVER);
        return new GsiInitiator(tls, own, delegation, lifetime);
    }

    /** For a data connection. */
    public static GsiInitiator ofData(Credential own, PeerValidator validator, PeerCheck check) throws GsiException {
        GsiTls tls = GsiTls.open(true, own, check.after(validator), CertificatePurpose.DATA);
        return new GsiInitiator(tls, own, Delegation.NONE, Duration.ZERO);
    }

    @Override
    byte[] authenticated(byte[] reply) throws GsiException {
        return reply.length == 0 ? flag() : reply;
    }

    @Override
    byte[] delegate(byte[] reply) throws GsiException {
        if (!flagged) {
            return flag();
        }
        byte[] request = tls.takeClear();
        if (request.length == 0) {
            return reply;
        }
        boolean limited = delegation == Delegation.LIMITED;
        return end(tls.wrap(new ProxySigner(own, limited, lifetime).sign(request, Instant.now())));
    }

    private byte[] flag() throws GsiException {
        var unused = tls.takeClear(); // the filler
        flagged = true;
        return delegation == Delegation.NONE ? end(tls.wrap(WITHOUT_DELEGATION)) : tls.wrap(WITH_DELEGATION);
    }
}
