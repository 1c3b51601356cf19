package io.hawser.core.tls;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.FileWatch;
import io.hawser.ptcp.TlsEngines;
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
 * The keys of one role, read and checked: files are there, keys are private, the key belongs to the certificate, the
 * certificate is of the CA and valid now. Gives contexts for both sides of PTCP and for the admin pages.
 *
 * <p>Files that change are read again, at most once a second, when a handshake or a question needs them: the next handshake uses
 * what they hold now. If they cannot be used as they stand, those of before hold, and {@link #warning} says so.
 *
 * <p>A dialler refuses an acceptor whose certificate is revoked in the handshake. An acceptor lets a revoked certificate through the
 * handshake and refuses it at the first word ({@link #isRevoked}), where it can say why.
 *
 * <p>TLS 1.3 with AES-GCM only (RFC 8446 §9.1): every machine that moves files has AES in hardware, and ChaCha20 would be
 * several times slower there.
 *
 * <p>Thread: any.
 */
public final class NodeTls {
    /** The cipher suites, best first. */
    public static final List<String> CIPHERS = List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384");

    /** How long before its certificate's end a node warns. */
    public static final Duration WARN_BEFORE = Duration.ofDays(30);

    private static final Logger LOG = LoggerFactory.getLogger(NodeTls.class);
    private static final String PROTOCOL = "TLSv1.3";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final KeyDirectory files;
    private final Role role;
    private final FileWatch watch;
    private final ReloadingKeys managers = new ReloadingKeys(this::current);
    private final List<SSLSessionContext> resumable = new CopyOnWriteArrayList<>();
    private volatile KeyFiles keys;
    private volatile long lookedNanos;
    private volatile @Nullable String problem;
    private volatile int generation;

    private NodeTls(KeyDirectory files, Role role, FileWatch watch, KeyFiles keys) {
        this.files = files;
        this.role = role;
        this.watch = watch;
        this.keys = keys;
        this.lookedNanos = System.nanoTime();
    }

    /**
     * Reads the keys of {@code role}.
     *
     * @throws ConfigException with a sentence that says what is wrong and what to do
     */
    public static NodeTls load(Path directory, Role role) {
        return load(directory, role, Instant.now());
    }

    static NodeTls load(Path directory, Role role, Instant now) {
        KeyDirectory files = new KeyDirectory(directory);
        FileWatch watch = new FileWatch(
                List.of(files.caCertificate(), files.revocations(), files.certificate(role), files.key(role)));
        return new NodeTls(files, role, watch, KeyFiles.read(files, role, now));
    }

    /** For the side that listens; asks the other for a certificate of the CA. */
    public SslContext serverContext() {
        try {
            return TlsEngines.build(
                    common(SslContextBuilder.forServer(keyManager())).clientAuth(ClientAuth.REQUIRE),
                    managers.trustManager());
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /** For the server side of protocols whose clients have no keys of ours, such as FTPS. */
    public OneWayTls openServerTls() {
        return OneWayTls.of(keyManager());
    }

    /**
     * For the side that dials a broker; shows its certificate, and checks that the other's is for a broker of the name that was dialled:
     * make the handler with {@code newHandler(alloc, host, port)}.
     */
    public SslContext clientContext() {
        try {
            SslContext context = TlsEngines.build(
                    common(SslContextBuilder.forClient().keyManager(keyManager()))
                            .endpointIdentificationAlgorithm("HTTPS"),
                    managers.brokerTrustManager());
            resumable.add(context.sessionContext());
            return context;
        } catch (SSLException e) {
            throw unusable(e);
        }
    }

    /** For the admin pages and their readers. */
    public SSLContext jdkContext() {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {managers.keyManager()}, trustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw unusable(e);
        }
    }

    /** Those that believe what this node believes, for a program that shows no certificate. */
    public TrustManager[] trustManagers() {
        return new TrustManager[] {managers.trustManager()};
    }

    /** Subject of the own certificate (RFC 2253). */
    public String principal() {
        return current().certificate().getSubjectX500Principal().getName();
    }

    /** The rights that stand in the own certificate; empty if it says nothing of rights. */
    public Optional<Grants> grants() {
        return CertificateNames.identity(current().certificate()).grants();
    }

    /** When the own certificate ends. */
    public Instant validUntil() {
        return current().certificate().getNotAfter().toInstant();
    }

    /** Rises when the files are read again. */
    public int generation() {
        current();
        return generation;
    }

    /** Whether that certificate stands in the revocation list. */
    public boolean isRevoked(X509Certificate peer) {
        return current().isRevoked(peer);
    }

    /**
     * What an operator is told: that the files have changed and cannot be used, that the own certificate has ended or ends within
     * {@link #WARN_BEFORE}; else empty.
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
        String when = left.isNegative() ? "ended on " : "ends in " + left.toDays() + " days, on ";
        return Optional.of(when + validUntil()
                + "; 'hawser keys renew DIR' makes new ones beside the CA's key (or 'hawser keys init DIR' all anew), and"
                + " nodes take them when the files are in their place");
    }

    private KeyFiles current() {
        if (System.nanoTime() - lookedNanos >= LOOK_NANOS) {
            refresh();
        }
        return keys;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
    private synchronized void refresh() {
        lookedNanos = System.nanoTime();
        if (!watch.hasChanged()) {
            return;
        }
        try {
            keys = KeyFiles.read(files, role, Instant.now());
            problem = null;
            generation++;
            resumable.forEach(NodeTls::forget);
            LOG.atInfo()
                    .addKeyValue("directory", files.path())
                    .addKeyValue("validUntil", keys.certificate().getNotAfter().toInstant())
                    .log("the keys were read again");
        } catch (ConfigException e) {
            problem = e.getMessage() + "; the keys of before hold";
            LOG.atWarn().addKeyValue("problem", problem).log("the keys have changed and cannot be used");
        }
    }

    /** A session that is resumed shows the certificates of its first handshake: from here on each connection begins anew. */
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
