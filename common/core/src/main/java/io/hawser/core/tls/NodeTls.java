package io.hawser.core.tls;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.FileChangeDetector;
import io.hawser.core.config.FileReload;
import io.hawser.ptcp.TlsProviders;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of one node: loads the keys of its role, and creates contexts for both sides of PTCP and for the admin pages.
 *
 * <p>A handshake or a call asks for a look at the files, at most once a second, and does not wait for it: see {@link FileReload}. If changed files
 * cannot be used, the previous keys stay in use, and {@link #warning} says so.
 *
 * <p>A dialler refuses an acceptor with a revoked certificate in the handshake. An acceptor refuses a revoked certificate after the handshake
 * ({@link #isRevoked}), where it can send the reason.
 *
 * <p>TLS 1.3 with AES-GCM only (RFC 8446 §9.1): machines that move files have AES in hardware, where ChaCha20 is several times slower.
 *
 * <p>Thread: any.
 */
public final class NodeTls {
    /** The cipher suites, best first. */
    public static final List<String> CIPHERS = List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384");

    /** A node warns this long before its certificate expires. */
    public static final Duration WARN_BEFORE = Duration.ofDays(30);

    private static final Logger LOG = LoggerFactory.getLogger(NodeTls.class);
    private static final String PROTOCOL = "TLSv1.3";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final KeyDirectory files;
    private final Role role;
    private final FileChangeDetector detector;
    private final FileReload reload = new FileReload(this::refresh);
    private final ReloadingKeys managers = new ReloadingKeys(this::current);
    private final List<SSLSessionContext> resumable = new CopyOnWriteArrayList<>();
    private volatile CheckedKeys keys;
    private volatile long lookedNanos;
    private volatile @Nullable String problem;
    private volatile int generation;

    private NodeTls(KeyDirectory files, Role role, FileChangeDetector detector, CheckedKeys keys) {
        this.files = files;
        this.role = role;
        this.detector = detector;
        this.keys = keys;
        this.lookedNanos = System.nanoTime();
    }

    /**
     * Reads the keys of {@code role}.
     *
     * @throws ConfigException with the problem and its remedy
     */
    public static NodeTls load(Path directory, Role role) {
        return load(directory, role, Instant.now());
    }

    static NodeTls load(Path directory, Role role, Instant now) {
        KeyDirectory files = new KeyDirectory(directory);
        FileChangeDetector detector = new FileChangeDetector(
                List.of(files.caCertificate(), files.revocations(), files.certificate(role), files.key(role)));
        return new NodeTls(files, role, detector, CheckedKeys.read(files, role, now));
    }

    /** For the side that listens; requires a certificate of the CA from the peer. */
    public SslContext serverContext() {
        try {
            return TlsProviders.build(
                    common(SslContextBuilder.forServer(keyManager())).clientAuth(ClientAuth.REQUIRE),
                    managers.trustManager());
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /** For servers whose clients have no certificate of the CA, such as FTPS. */
    public OneWayTls openServerTls() {
        return OneWayTls.of(keyManager());
    }

    /**
     * For the side that dials a broker: checks that the acceptor's certificate is a broker's and has the dialled name. Create the handler with
     * {@code newHandler(alloc, host, port)}.
     */
    public SslContext clientContext() {
        try {
            SslContext context = TlsProviders.build(
                    common(SslContextBuilder.forClient().keyManager(keyManager()))
                            .endpointIdentificationAlgorithm("HTTPS"),
                    managers.brokerTrustManager());
            resumable.add(context.sessionContext());
            return context;
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /** For the admin pages and their clients. */
    public SSLContext jdkContext() {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {managers.keyManager()}, trustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    /** The trust managers of this node, for a program without a certificate. */
    public TrustManager[] trustManagers() {
        return new TrustManager[] {managers.trustManager()};
    }

    /** Subject of the own certificate (RFC 2253). */
    public String principal() {
        return current().certificate().getSubjectX500Principal().getName();
    }

    /** The rights in the own certificate; empty if it names none. */
    public Optional<Grants> grants() {
        return CertificateIdentity.identity(current().certificate()).grants();
    }

    /** When the own certificate expires. */
    public Instant validUntil() {
        return current().certificate().getNotAfter().toInstant();
    }

    /** Increases when the files are read again. */
    public int generation() {
        current();
        return generation;
    }

    /** Whether that certificate is in the revocation list. */
    public boolean isRevoked(X509Certificate peer) {
        return current().isRevoked(peer);
    }

    /**
     * A warning for the operator: the changed files cannot be used, or the own certificate has expired or expires within {@link #WARN_BEFORE};
     * otherwise empty.
     */
    public Optional<String> warning(Instant now) {
        Duration left = Duration.between(now, validUntil());
        String unusable = problem;
        if (unusable != null) {
            return Optional.of(unusable);
        }
        if (left.compareTo(WARN_BEFORE) > 0) {
            return Optional.empty();
        }
        String when = left.isNegative() ? "expired on " : "expires in " + left.toDays() + " days, on ";
        return Optional.of(when + validUntil()
                + "; 'hawser keys renew DIR' renews it next to the CA's key ('hawser keys init DIR' replaces all keys);"
                + " nodes reload the files by themselves");
    }

    private CheckedKeys current() {
        long now = System.nanoTime();
        if (now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            reload.ask();
        }
        return keys;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one look at a time
    private void refresh() {
        if (!detector.hasChanged()) {
            return;
        }
        try {
            keys = CheckedKeys.read(files, role, Instant.now());
            problem = null;
            resumable.forEach(NodeTls::forget);
            generation++;
            LOG.atInfo()
                    .addKeyValue("directory", files.path())
                    .addKeyValue("validUntil", keys.certificate().getNotAfter().toInstant())
                    .log("The keys were read again");
        } catch (ConfigException e) {
            problem = e.getMessage() + "; the previous keys stay in use";
            LOG.atWarn().addKeyValue("problem", problem).log("The keys have changed and cannot be used");
        }
    }

    /** Forgets resumable sessions, which would use the certificates of their first handshake. */
    private static void forget(SSLSessionContext sessions) {
        for (byte[] id : Collections.list(sessions.getIds())) {
            SSLSession session = sessions.getSession(id);
            if (session != null) {
                session.invalidate();
            }
        }
    }

    private KeyManager keyManager() {
        return managers.keyManager();
    }

    private static SslContextBuilder common(SslContextBuilder builder) {
        return builder.protocols(PROTOCOL).ciphers(CIPHERS);
    }

    private static IllegalStateException unusable(Exception e) {
        return new IllegalStateException("this JVM cannot use the keys: " + e.getMessage(), e);
    }
}
