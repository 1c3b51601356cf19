package io.hawser.agenta.gsi;

import io.hawser.gsi.file.CredentialFile;
import io.hawser.gsi.file.GridMapFile;
import io.hawser.gsi.file.TrustDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * What GSI needs of the disk. All of it is read again when it has changed.
 *
 * @param host this server's certificate and key
 * @param trust the CAs that are believed
 * @param map whom they are mapped to
 */
public record GsiFiles(CredentialFile host, TrustDirectory trust, GridMapFile map) {
    /** Often enough for a list that revokes somebody, and no burden. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** Reads them once. {@link IOException} with a sentence for the operator if one of them cannot be used. */
    public static GsiFiles open(Path certificate, Path key, Path trusted, Path map, boolean legacyProxies)
            throws IOException {
        GsiFiles files = new GsiFiles(
                new CredentialFile(certificate, key),
                new TrustDirectory(trusted, legacyProxies, LOOK_EVERY),
                new GridMapFile(map));
        Instant end = files.host.get().notAfter();
        if (end.isBefore(Instant.now())) {
            throw new IOException("the host certificate " + certificate + " has expired at " + end);
        }
        var unused = files.map.get();
        return files;
    }
}
