package io.hawser.gsi.file;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PathValidator;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.TrustAnchors;
import io.hawser.gsi.path.ValidatedPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Validates peers by a directory of trusted CAs as grid sites have it: {@code HASH.0} is a CA, {@code HASH.signing_policy} the names that it may sign,
 * {@code HASH.r0} its revocation list. {@link #refresh} reads the directory again when it has changed; while that fails, the old CAs stay.
 *
 * <p>Thread: any. Only {@link #refresh} touches the disk.
 */
public final class TrustDirectory implements PeerValidator {
    private static final Logger LOG = LoggerFactory.getLogger(TrustDirectory.class);

    private final Path directory;
    private final boolean legacyProxies;
    private final long checkIntervalNanos;
    private List<FileState> states = List.of();
    private long checkedNanos;
    private volatile PathValidator validator;

    /**
     * @param legacyProxies whether GT2 proxies are accepted
     * @param checkInterval the shortest time between checks
     * @throws IOException with a sentence for an operator if it cannot be read or holds no CA
     */
    public TrustDirectory(Path directory, boolean legacyProxies, Duration checkInterval) throws IOException {
        this.directory = directory;
        this.legacyProxies = legacyProxies;
        this.checkIntervalNanos = checkInterval.toNanos();
        TrustFiles files = TrustFiles.list(directory);
        TrustAnchors anchors = files.read();
        if (anchors.size() == 0) {
            throw new IOException(directory + " holds no CA: files named HASH.0 as 'openssl rehash' makes them");
        }
        this.validator = new PathValidator(anchors, legacyProxies);
        this.states = files.states();
        this.checkedNanos = System.nanoTime();
    }

    /** Checks the directory, if the last check was long enough ago, and reads it again if it has changed. */
    public synchronized void refresh() {
        if (System.nanoTime() - checkedNanos < checkIntervalNanos) {
            return;
        }
        checkedNanos = System.nanoTime();
        try {
            TrustFiles files = TrustFiles.list(directory);
            if (!files.states().equals(states)) {
                validator = new PathValidator(files.read(), legacyProxies);
                states = files.states();
                LOG.atInfo().addKeyValue("directory", directory).log("read the changed directory of trusted CAs");
            }
        } catch (IOException e) {
            LOG.atError()
                    .addKeyValue("reason", e.getMessage())
                    .log("cannot read the trusted CAs; keeping the old ones");
        }
    }

    /** Validates as of another time, such as the last moment of a credential that has expired. */
    public ValidatedPeer validateAsOf(List<X509Certificate> chain, CertificatePurpose purpose, Instant when)
            throws GsiException {
        return validator.validate(chain, purpose, when);
    }

    @Override
    public ValidatedPeer validate(List<X509Certificate> chain, CertificatePurpose purpose) throws GsiException {
        return validator.validate(chain, purpose, Instant.now());
    }
}
