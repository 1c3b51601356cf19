package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.file.CredentialFile;
import io.hawser.gsi.file.TrustDirectory;
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
                new CredentialFile(grid.certificate(), grid.key()),
                new TrustDirectory(grid.trusted(), grid.legacyProxies(), LOOK_EVERY));
    }

    @Override
    public LoginSecurity begin() throws IOException {
        trust.refresh();
        Credential credential = credential();
        Instant end = credential.notAfter();
        if (!end.isAfter(Instant.now())) {
            throw new IOException("the credential of " + credential.identity() + " in " + options.certificate()
                    + " has expired at " + end + "; it goes on when that is renewed");
        }
        return new GsiLogin(server, options, credential, trust);
    }

    private Credential credential() throws IOException {
        try {
            return own.get();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no credential to log in with: no file " + e.getFile(), e);
        }
    }
}
