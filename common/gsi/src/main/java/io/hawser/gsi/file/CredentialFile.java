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
 * A credential on disk: a certificate chain and its key, or a proxy, which is both in one file. A file that has changed is read again;
 * while it cannot be read, what was read before is used on, and the log says so.
 *
 * <p>Thread: any; each call may touch the disk.
 */
public final class CredentialFile {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialFile.class);

    private final Path certificate;
    private final Path key;
    private @Nullable Credential loaded;
    private List<FileState> states = List.of();

    /** A certificate chain, the leaf first, and its key, which may be in the same file. Nothing is read yet. */
    public CredentialFile(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** A proxy file: leaf, key, issuers. */
    public static CredentialFile proxy(Path file) {
        return new CredentialFile(file, file);
    }

    /** The credential. {@link IOException} with a sentence for an operator if it could never be read. */
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
                LOG.atInfo().addKeyValue("credential", read).log("the credential has changed and was read");
            }
            loaded = read;
            return read;
        } catch (IOException e) {
            if (before == null) {
                throw e;
            }
            LOG.atError().addKeyValue("reason", e.getMessage()).log("the credential has changed and cannot be used");
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
