package io.hawser.gsi.file;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a credential from disk: a certificate chain and its key, or a proxy, which has both in one file. It reads a changed file again; while that
 * fails, it keeps the old credential and logs the reason.
 *
 * <p>Thread: any; each call may touch the disk.
 */
public final class CredentialFile {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialFile.class);

    private final Path certificate;
    private final Path key;
    private @Nullable Credential loaded;
    private List<FileState> states = List.of();

    /** A certificate chain, the leaf first, and its key, which may be in the same file. Reads nothing yet. */
    public CredentialFile(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** The credential. Throws {@link IOException} with a sentence for an operator if it could never be read. */
    public synchronized Credential get() throws IOException {
        Credential before = loaded;
        try {
            List<FileState> now = List.of(FileState.of(certificate), FileState.of(key));
            if (before != null && now.equals(states)) {
                return before;
            }
            states = now;
            Credential read = read();
            if (before != null) {
                LOG.atInfo().addKeyValue("credential", read).log("read the changed credential");
            }
            loaded = read;
            return read;
        } catch (IOException e) {
            if (before == null) {
                throw e;
            }
            LOG.atError()
                    .addKeyValue("reason", e.getMessage())
                    .log("cannot use the changed credential; keeping the old one");
            return before;
        }
    }

    private Credential read() throws IOException {
        PemFile certificates = PemFile.read(certificate);
        PemFile keys = key.equals(certificate) ? certificates : PemFile.read(key);
        try {
            return new Credential(keys.key(), certificates.certificates());
        } catch (GsiException e) {
            throw new IOException(certificate + ": " + e.why(), e);
        }
    }
}
