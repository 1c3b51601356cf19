package io.hawser.agentb.deliver.gsi;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PeerValidator;
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
 * Authenticates data connections: the far end must present a credential of the same user, such as the delegated one (DCAU A). The end that dialled is
 * the TLS client.
 *
 * <p>Thread: any, for several connections at once.
 */
public final class DataAuthenticator {
    private final Credential own;
    private final PeerValidator validator;
    private final PeerCheck check;
    private final boolean encrypts;

    /** @param encrypts whether the data are encrypted (PROT P), or in clear text after the authentication (PROT C) */
    public DataAuthenticator(Credential own, PeerValidator validator, boolean encrypts) {
        this(own, validator, PeerCheck.identity(own.identity()), encrypts);
    }

    /** @param check what the far end must prove instead */
    DataAuthenticator(Credential own, PeerValidator validator, PeerCheck check, boolean encrypts) {
        this.own = own;
        this.validator = validator;
        this.check = check;
        this.encrypts = encrypts;
    }

    /**
     * Secures {@code socket}. Waits for the far end, each read at most for the socket's timeout.
     *
     * @param dialled whether agent-b dialled it
     */
    public Socket secure(Socket socket, boolean dialled) throws IOException {
        try {
            if (encrypts) {
                GsiTls tls = GsiTls.open(dialled, own, check.after(validator), CertificatePurpose.DATA);
                TlsEngineSocket secured = new TlsEngineSocket(socket, tls.engine());
                try {
                    secured.handshake();
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
        return new AuthenticationException("data connection refused: " + why, cause);
    }

    private static void exchange(Socket socket, GsiExchange exchange, boolean first) throws IOException, GsiException {
        byte[] token = first ? exchange.step(new byte[0]) : new byte[0];
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

    /** Reads exactly one record: data follow the last one. */
    private static byte[] record(InputStream in) throws IOException, GsiException {
        byte[] header = in.readNBytes(TlsRecordHeader.BYTES);
        if (header.length < TlsRecordHeader.BYTES) {
            throw new EOFException("the far server closed a data connection before its authentication");
        }
        int length = TlsRecordHeader.contentLength(header);
        byte[] record = Arrays.copyOf(header, TlsRecordHeader.BYTES + length);
        if (in.readNBytes(record, TlsRecordHeader.BYTES, length) < length) {
            throw new EOFException("the far server closed a data connection during its authentication");
        }
        return record;
    }
}
