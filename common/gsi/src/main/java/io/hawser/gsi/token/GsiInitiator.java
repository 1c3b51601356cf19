package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.credential.ProxySigner;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.Purpose;
import io.hawser.gsi.path.ValidatedPeer;
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
public final class GsiInitiator implements GsiExchange {
    private static final byte[] WITH_DELEGATION = {'D'};
    private static final byte[] WITHOUT_DELEGATION = {'0'};

    private enum State {
        HANDSHAKE,
        FLAGS,
        REQUEST,
        DONE
    }

    private final TokenTls tls;
    private final Credential own;
    private final Delegation delegation;
    private final Duration lifetime;
    private State state = State.HANDSHAKE;

    GsiInitiator(GsiTls tls, Credential own, Delegation delegation, Duration lifetime) {
        this.tls = new TokenTls(tls);
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
        GsiTls tls = GsiTls.open(true, own, check.after(validator), Purpose.SERVER);
        return new GsiInitiator(tls, own, delegation, lifetime);
    }

    /** For a data connection. */
    public static GsiInitiator ofData(Credential own, PeerValidator validator, PeerCheck check) throws GsiException {
        GsiTls tls = GsiTls.open(true, own, check.after(validator), Purpose.DATA);
        return new GsiInitiator(tls, own, Delegation.NONE, Duration.ZERO);
    }

    @Override
    public byte[] step(byte[] token) throws GsiException {
        byte[] reply = tls.feed(token);
        return switch (state) {
            case HANDSHAKE -> afterHandshake(reply);
            case FLAGS -> flag();
            case REQUEST -> delegate(reply);
            case DONE -> throw new GsiException("the peer sent a token after the end of the exchange");
        };
    }

    private byte[] afterHandshake(byte[] reply) throws GsiException {
        if (!tls.isComplete()) {
            return reply;
        }
        var unused = tls.tls().peer(); // throws unless the peer was validated
        state = State.FLAGS;
        return reply.length == 0 ? flag() : reply;
    }

    private byte[] flag() throws GsiException {
        var unused = tls.takeClear(); // the filler
        boolean delegates = delegation != Delegation.NONE;
        state = delegates ? State.REQUEST : State.DONE;
        return tls.wrap(delegates ? WITH_DELEGATION : WITHOUT_DELEGATION);
    }

    private byte[] delegate(byte[] reply) throws GsiException {
        byte[] request = tls.takeClear();
        if (request.length == 0) {
            return reply;
        }
        state = State.DONE;
        boolean limited = delegation == Delegation.LIMITED;
        return tls.wrap(new ProxySigner(own, limited, lifetime).sign(request, Instant.now()));
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public ValidatedPeer peer() throws GsiException {
        return tls.tls().peer();
    }

    @Override
    public byte[] wrap(byte[] clear) throws GsiException {
        return tls.wrap(clear);
    }

    @Override
    public byte[] unwrap(byte[] token) throws GsiException {
        return tls.unwrap(token);
    }
}
