package io.hawser.gsi.file;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.PathValidator;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.Purpose;
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
 * Who is trusted, by a directory as grid sites have it: {@code HASH.0} is a CA, {@code HASH.signing_policy} which names it may sign,
 * {@code HASH.r0} what it has revoked. {@link #refresh} reads it again when it has changed; while it cannot be read, what was
 * read before stands.
 *
 * <p>Thread: {@link #refresh} any, and it touches the disk; {@link #validate} any, and it does not.
 */
public final class TrustDirectory implements PeerValidator {
    private static final Logger LOG = LoggerFactory.getLogger(TrustDirectory.class);

    private final Path directory;
    private final boolean legacyProxies;
    private final long lookNanos;
    private List<FileState> states = List.of();
    private long lookedNanos;
    private volatile PathValidator validator;

    /**
     * Reads a directory.
     *
     * @param legacyProxies whether proxies of GT2 are accepted
     * @param lookEvery how often at most it is looked at
     * @throws IOException with a sentence for an operator if it cannot be read or holds no CA
     */
    public TrustDirectory(Path directory, boolean legacyProxies, Duration lookEvery) throws IOException {
        this.directory = directory;
        this.legacyProxies = legacyProxies;
        this.lookNanos = lookEvery.toNanos();
        TrustFiles files = TrustFiles.list(directory);
        TrustAnchors anchors = files.read();
        if (anchors.size() == 0) {
            throw new IOException(directory + " holds no CA: files named HASH.0 as 'openssl rehash' makes them");
        }
        this.validator = new PathValidator(anchors, legacyProxies);
        this.states = files.states();
        this.lookedNanos = System.nanoTime();
    }

    /** Reads the directory again if it has changed since it was last looked at, and that was long enough ago. */
    public synchronized void refresh() {
        if (System.nanoTime() - lookedNanos < lookNanos) {
            return;
        }
        lookedNanos = System.nanoTime();
        try {
            TrustFiles files = TrustFiles.list(directory);
            if (!files.states().equals(states)) {
                validator = new PathValidator(files.read(), legacyProxies);
                states = files.states();
                LOG.atInfo().addKeyValue("directory", directory).log("trusted CAs have changed and were read");
            }
        } catch (IOException e) {
            LOG.atError().addKeyValue("reason", e.getMessage()).log("trusted CAs cannot be read");
        }
    }

    /** As of another time, such as the last moment of what has expired since. */
    public ValidatedPeer validateAsOf(List<X509Certificate> chain, Purpose purpose, Instant when) throws GsiException {
        return validator.validate(chain, purpose, when);
    }

    @Override
    public ValidatedPeer validate(List<X509Certificate> chain, Purpose purpose) throws GsiException {
        return validator.validate(chain, purpose, Instant.now());
    }
}
