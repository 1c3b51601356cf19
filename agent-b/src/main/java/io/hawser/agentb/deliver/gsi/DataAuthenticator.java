package io.hawser.agentb.deliver.gsi;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.Purpose;
import io.hawser.gsi.token.GsiAcceptor;
import io.hawser.gsi.token.GsiExchange;
import io.hawser.gsi.token.GsiInitiator;
import io.hawser.gsi.token.GsiTls;
import io.hawser.gsi.token.PeerCheck;
import io.hawser.gsi.token.TlsRecordHeader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;

/**
 * Authenticates data connections: the far end must show a credential of the same user, which is what was delegated to it (DCAU A). Who
 * opened the connection begins, as TLS client.
 *
 * <p>Thread: any, for several connections at once.
 */
public final class DataAuthenticator {
    private final Credential own;
    private final PeerValidator validator;
    private final PeerCheck check;
    private final boolean encrypts;

    /** @param encrypts whether the data go within TLS (PROT P), or behind the exchange in clear (PROT C) */
    public DataAuthenticator(Credential own, PeerValidator validator, boolean encrypts) {
        this(own, validator, PeerCheck.identity(own.identity()), encrypts);
    }

    /** @param check who the far end must be instead */
    DataAuthenticator(Credential own, PeerValidator validator, PeerCheck check, boolean encrypts) {
        this.own = own;
        this.validator = validator;
        this.check = check;
        this.encrypts = encrypts;
    }

    /**
     * Makes {@code socket} one that the data may go over. Waits for the far end, no longer than the socket's own limit for each read.
     *
     * @param dialled whether it was opened here
     */
    public Socket secure(Socket socket, boolean dialled) throws IOException {
        try {
            if (encrypts) {
                GsiTls tls = GsiTls.open(dialled, own, check.after(validator), Purpose.DATA);
                TlsEngineSocket secured = new TlsEngineSocket(socket, tls.engine());
                try {
                    secured.shake();
                } catch (IOException e) {
                    throw tls.refusal().isPresent() ? refused(tls.refusal().get(), e) : e;
                }
                return secured;
            }
            exchange(
                    socket,
                    dialled ? GsiInitiator.ofData(own, validator, check) : GsiAcceptor.ofData(own, validator, check),
                    dialled);
            return socket;
        } catch (GsiException e) {
            throw refused(e.why(), e);
        }
    }

    private static AuthenticationException refused(String why, Exception cause) {
        return new AuthenticationException("a data connection was refused: " + why, cause);
    }

    private static void exchange(Socket socket, GsiExchange exchange, boolean begins) throws IOException, GsiException {
        byte[] token = begins ? exchange.step(new byte[0]) : new byte[0];
        while (true) {
            if (token.length > 0) {
                socket.getOutputStream().write(token);
            }
            if (exchange.isDone()) {
                return;
            }
            token = exchange.step(record(socket.getInputStream()));
        }
    }

    /** Exactly one record is read: what is behind the last one are data. */
    private static byte[] record(InputStream in) throws IOException, GsiException {
        byte[] header = in.readNBytes(TlsRecordHeader.BYTES);
        if (header.length < TlsRecordHeader.BYTES) {
            throw new EOFException("the far server closed a data connection that was to be authenticated");
        }
        int length = TlsRecordHeader.contentLength(header);
        byte[] record = Arrays.copyOf(header, TlsRecordHeader.BYTES + length);
        if (in.readNBytes(record, TlsRecordHeader.BYTES, length) < length) {
            throw new EOFException("the far server cut off the authentication of a data connection");
        }
        return record;
    }
}
