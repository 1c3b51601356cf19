package io.hawser.agenta.gsi;

import io.hawser.gsi.file.CredentialFile;
import io.hawser.gsi.file.GridMapFile;
import io.hawser.gsi.file.RecipientDirectory;
import io.hawser.gsi.file.TrustDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What GSI needs of the disk. All of it is read again when it has changed.
 *
 * @param host this server's certificate and key
 * @param trust the CAs that are believed
 * @param map the accounts that certificates are mapped to
 * @param recipients the far ends that get what users delegate, by topic
 */
public record GsiFiles(
        CredentialFile host, TrustDirectory trust, GridMapFile map, Optional<RecipientDirectory> recipients) {
    /** Often enough for a revocation list, and no burden. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** Reads them once. {@link IOException} with a sentence for the operator if one of them cannot be used. */
    public static GsiFiles open(Path certificate, Path key, Path trusted, Path map, boolean legacyProxies)
            throws IOException {
        GsiFiles files = new GsiFiles(
                new CredentialFile(certificate, key),
                new TrustDirectory(trusted, legacyProxies, LOOK_EVERY),
                new GridMapFile(map),
                Optional.empty());
        Instant end = files.host.get().notAfter();
        if (end.isBefore(Instant.now())) {
            throw new IOException("the host certificate " + certificate + " has expired at " + end);
        }
        var unused = files.map.get();
        return files;
    }

    /** The same that passes on what users delegate to the far ends whose certificates are in {@code directory}. */
    public GsiFiles withRecipients(Path directory) throws IOException {
        RecipientDirectory known = new RecipientDirectory(directory);
        var unused = known.get();
        return new GsiFiles(host, trust, map, Optional.of(known));
    }
}
