package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.DelegationRequest;
import io.hawser.gsi.credential.KeySupply;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PeerValidator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of the exchange: it is logged in to, or accepted the connection.
 *
 * <pre>
 *   HANDSHAKE ──complete──► FLAGS ──'0'──► DONE
 *                             └──'D': a request goes out──► CERTIFICATE ──the proxy comes──► DONE
 * </pre>
 *
 * <p>When the handshake is complete and TLS itself sends nothing (as in TLS 1.3), it sends one byte 0, since the initiator waits for a token.
 */
public final class GsiAcceptor extends TlsExchange {
    private static final byte[] NOTHING = {};
    private static final byte[] FILLER = {0};

    private final PeerValidator validator;
    private final @Nullable KeySupply keys;
    private @Nullable DelegationRequest request;
    private @Nullable Credential delegated;

    private GsiAcceptor(GsiTls tls, PeerValidator validator, @Nullable KeySupply keys) {
        super(tls);
        this.validator = validator;
        this.keys = keys;
    }

    /** For a control connection, on which the peer may delegate; {@code keys} are for that. */
    public static GsiAcceptor ofLogin(Credential own, PeerValidator validator, KeySupply keys) throws GsiException {
        return new GsiAcceptor(GsiTls.open(false, own, validator, CertificatePurpose.CLIENT), validator, keys);
    }

    /** For a data connection, whose peer must pass {@code check}. */
    public static GsiAcceptor ofData(Credential own, PeerValidator validator, PeerCheck check) throws GsiException {
        return new GsiAcceptor(
                GsiTls.open(false, own, check.after(validator), CertificatePurpose.DATA), validator, null);
    }

    @Override
    byte[] authenticated(byte[] reply) throws GsiException {
        return reply.length == 0 ? tls.wrap(FILLER) : reply;
    }

    @Override
    byte[] delegate(byte[] reply) throws GsiException {
        return request == null ? onFlag(reply) : onCertificate(reply, request);
    }

    private byte[] onFlag(byte[] reply) throws GsiException {
        byte[] flags = tls.takeClear();
        if (flags.length == 0) {
            return reply;
        }
        KeySupply supply = keys;
        if (flags.length == 1 && flags[0] == '0') {
            return end(NOTHING);
        }
        if (flags.length == 1 && flags[0] == 'D' && supply != null) {
            DelegationRequest made = new DelegationRequest(supply.next());
            request = made;
            return tls.wrap(made.encoded());
        }
        throw new GsiException(
                flags.length == 1 && flags[0] == 'D'
                        ? "the peer delegates where it must not"
                        : "the peer sent no delegation flag");
    }

    private byte[] onCertificate(byte[] reply, DelegationRequest asked) throws GsiException {
        byte[] certificate = tls.takeClear();
        if (certificate.length == 0) {
            return reply;
        }
        delegated = asked.complete(certificate, peer(), validator);
        return end(NOTHING);
    }

    public Optional<Credential> delegated() {
        return Optional.ofNullable(delegated);
    }
}
