package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.core.model.GridCredential;
import io.hawser.core.model.Manifest;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.SealedCredential;
import io.hawser.gsi.file.CredentialFile;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.path.CertificatePurpose;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;

/**
 * GSI towards a far server: holds the credential with which agent-b logs in, and the CAs that it trusts. It reads both again when they have
 * changed, so the next login uses a renewed credential.
 *
 * <p>Thread: any; a login touches the disk.
 */
record FarGsi(FarServer server, GridOptions options, CredentialFile own, TrustDirectory trust)
        implements LoginSecurityFactory {
    private static final Duration TRUST_CHECK_INTERVAL = Duration.ofSeconds(10);

    /** Reads the CAs. The credential may be missing until the first login. */
    static FarGsi create(FarServer server, FarOptions options) throws IOException {
        GridOptions grid =
                options.grid().orElseThrow(() -> new IOException("no credential for the login by GSI at " + server));
        return new FarGsi(
                server,
                grid,
                new CredentialFile(grid.files().certificate(), grid.files().key()),
                new TrustDirectory(grid.files().trusted(), grid.legacyProxies(), TRUST_CHECK_INTERVAL));
    }

    @Override
    public LoginSecurity newLogin() throws IOException {
        Credential credential = credential();
        if (hasExpired(credential)) {
            throw new IOException("the credential of " + credential.identity() + " in "
                    + options.files().certificate() + " has expired at " + credential.notAfter()
                    + "; renew it, and deliveries resume");
        }
        return login(credential);
    }

    static boolean hasExpired(Credential credential) {
        return !credential.notAfter().isAfter(Instant.now());
    }

    LoginSecurity login(Credential credential) {
        trust.refresh();
        return new GsiClientLogin(server, options, credential, trust);
    }

    /**
     * The validated credential that a transfer carries; it may have expired. Throws IOException with a sentence if there is none, or it is not
     * valid.
     */
    Credential carriedBy(Manifest manifest) throws IOException {
        GridCredential carried = GridCredential.of(manifest)
                .orElseThrow(() -> new IOException(
                        "the transfer carries no credential of its user, and this agent-b logs in as users only (--into-as-user):"
                                + " log in at agent-a by GSI, delegate, and start agent-a with --delegate-to"));
        trust.refresh();
        try {
            Credential opened =
                    SealedCredential.open(carried.sealedBytes(), credential().key(), carried.purpose(manifest));
            Instant last = opened.notAfter().minusSeconds(1);
            Instant when = hasExpired(opened) ? last : Instant.now();
            String identity = trust.validateAsOf(opened.chain(), CertificatePurpose.DATA, when)
                    .identity()
                    .toString();
            if (!identity.equals(carried.identity())) {
                throw new GsiException("it is of " + identity + ", and the transfer names " + carried.identity());
            }
            return opened;
        } catch (GsiException e) {
            throw new IOException(
                    "the credential of " + carried.identity() + " that the transfer carries cannot be used: " + e.why(),
                    e);
        }
    }

    private Credential credential() throws IOException {
        try {
            return own.get();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no credential to log in with: missing file " + e.getFile(), e);
        }
    }
}
