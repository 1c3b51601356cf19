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
import io.hawser.gsi.path.Purpose;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;

/**
 * GSI towards a far server: the credential with which agent-b logs in, and the CAs that it believes. Both are read again when they have
 * changed, so a credential that was renewed counts with the next login.
 *
 * <p>Thread: any; a login touches the disk.
 */
final class FarGsi implements FarSecurity {
    /** Often enough for a list that revokes a server, and no burden. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    private final FarServer server;
    private final GridOptions options;
    private final CredentialFile own;
    private final TrustDirectory trust;

    private FarGsi(FarServer server, GridOptions options, CredentialFile own, TrustDirectory trust) {
        this.server = server;
        this.options = options;
        this.own = own;
        this.trust = trust;
    }

    /** Reads the CAs. The credential may still be missing: somebody may make it. */
    static FarGsi create(FarServer server, FarOptions options) throws IOException {
        GridOptions grid = options.grid()
                .orElseThrow(
                        () -> new IOException(server + " is logged in to by GSI, and there is no credential for it"));
        return new FarGsi(
                server,
                grid,
                new CredentialFile(grid.files().certificate(), grid.files().key()),
                new TrustDirectory(grid.files().trusted(), grid.legacyProxies(), LOOK_EVERY));
    }

    @Override
    public LoginSecurity begin() throws IOException {
        Credential credential = credential();
        if (hasExpired(credential)) {
            throw new IOException("the credential of " + credential.identity() + " in "
                    + options.files().certificate() + " has expired at " + credential.notAfter()
                    + "; it goes on when that is renewed");
        }
        return login(credential);
    }

    static boolean hasExpired(Credential credential) {
        return !credential.notAfter().isAfter(Instant.now());
    }

    /** A login with another credential than agent-b's own. */
    LoginSecurity login(Credential credential) {
        trust.refresh();
        return new GsiLogin(server, options, credential, trust);
    }

    /**
     * The credential that came along with a transfer. It may have expired meanwhile; that it was its user's is certain. IOException with a
     * sentence if there is none that counts.
     */
    Credential cameWith(Manifest manifest) throws IOException {
        GridCredential told = GridCredential.of(manifest)
                .orElseThrow(
                        () -> new IOException(
                                "no credential of its user came with it, and this far edge logs in as users only:"
                                        + " who uploads must come to agent-a by GSI and delegate, and agent-a pass that on (--delegate-to)"));
        trust.refresh();
        try {
            Credential opened =
                    SealedCredential.open(told.sealedBytes(), credential().key(), told.purpose(manifest));
            Instant last = opened.notAfter().minusSeconds(1);
            Instant when = hasExpired(opened) ? last : Instant.now();
            String identity = trust.validateAsOf(opened.chain(), Purpose.DATA, when)
                    .identity()
                    .toString();
            if (!identity.equals(told.identity())) {
                throw new GsiException("it is of " + identity + " and not, as was told, of " + told.identity());
            }
            return opened;
        } catch (GsiException e) {
            throw new IOException(
                    "the credential of " + told.identity() + " that came with it cannot be used: " + e.why(), e);
        }
    }

    private Credential credential() throws IOException {
        try {
            return own.get();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no credential to log in with: no file " + e.getFile(), e);
        }
    }
}
