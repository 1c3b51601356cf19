package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.ForwardingSocket;
import io.hawser.store.storage.Storage;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS towards a far server (RFC 4217): the certificate must be for the host and lead to a trusted CA, unless the operator gave {@code
 * --into-insecure} or {@code --serve-insecure}.
 *
 * <p>Only TLS 1.2, since its sessions can be resumed any number of times, which some servers require (vsftpd's {@code require_ssl_reuse}).
 *
 * <p>Thread: any.
 */
final class FarTls {
    private static final String TICKETS = "jdk.tls.client.enableSessionTicketExtension";
    private static final String[] PROTOCOLS = {"TLSv1.2"};

    private final SSLContext context;
    private final TrustManager @Nullable [] trust;
    private final String host;
    private final boolean insecure;

    private FarTls(TrustManager @Nullable [] trust, String host, boolean insecure) throws GeneralSecurityException {
        this.context = withoutTickets();
        this.trust = trust;
        this.host = host;
        this.insecure = insecure;
        context.init(null, trust, null);
    }

    /** Loads the CAs. Throws IOException with a sentence if they cannot be used. */
    static FarTls create(Storage storage, String host, FarOptions options) throws IOException {
        try {
            return new FarTls(trust(storage, options), host, options.tls().insecure());
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    /**
     * The same with a session cache of its own, for one control connection and its data connections. A server with a process for each control
     * connection (vsftpd) knows only that connection's sessions, and refuses a data connection that offers another.
     */
    FarTls forOneLogin() throws IOException {
        try {
            return new FarTls(trust, host, insecure);
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    private static IOException unusable(GeneralSecurityException cause) {
        return new IOException("TLS to the far server cannot be set up: " + cause.getMessage(), cause);
    }

    /**
     * A context that resumes by session id. vsftpd gives tickets a lifetime of 68 years, and JSSE drops tickets of more than a week (RFC 8446
     * §4.6.1), so with tickets it would never resume there. JSSE reads the property only when it makes the context.
     */
    private static synchronized SSLContext withoutTickets() throws GeneralSecurityException {
        String before = System.getProperty(TICKETS);
        System.setProperty(TICKETS, "false");
        try {
            return SSLContext.getInstance("TLS");
        } finally {
            if (before == null) {
                System.clearProperty(TICKETS);
            } else {
                System.setProperty(TICKETS, before);
            }
        }
    }

    private static TrustManager @Nullable [] trust(Storage storage, FarOptions options)
            throws IOException, GeneralSecurityException {
        if (options.tls().insecure()) {
            return InsecureTrustManagerFactory.INSTANCE.getTrustManagers();
        }
        if (options.tls().authorities().isEmpty()) {
            return null; // the JVM's
        }
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        byte[] pem = storage.readAll(options.tls().authorities().get());
        int number = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            trusted.setCertificateEntry("ca-" + number, certificate);
            number++;
        }
        if (number == 0) {
            throw new IOException(options.tls().authorities().get() + " holds no certificate");
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    /**
     * Begins TLS on a connected socket and waits for the handshake.
     *
     * @param controlPort the port of the control connection, also for a data connection: JSSE finds the session to resume by the host and port of
     *     the socket below TLS, so a data connection resumes the control connection's session, without reflection into JSSE
     */
    SSLSocket wrap(Socket plain, int controlPort) throws IOException {
        Socket atControlPort = new ForwardingSocket(plain) {
            @Override
            public int getPort() {
                return controlPort;
            }
        };
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(atControlPort, host, controlPort, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        if (!insecure) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        socket.setSSLParameters(parameters);
        socket.setUseClientMode(true);
        socket.startHandshake();
        return socket;
    }
}
