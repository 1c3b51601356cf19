package io.hawser.common.cli;

import io.hawser.common.access.Identity;
import io.hawser.common.tls.CertificateNames;
import io.hawser.common.tls.Invitations;
import io.hawser.common.tls.Invitations.Invitation;
import io.hawser.common.tls.KeyDirectory;
import io.hawser.common.tls.KeyMaker;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser keys list}.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "list",
        description =
                "Shows what the CA of DIR has signed: who, until when, with which rights, and whether it is revoked; and whom it has"
                        + " invited.",
        footer = {"", "Example:  hawser keys list ./keys"})
final class KeysListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "the directory of the CA")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Override
    public Integer call() throws Exception {
        KeyDirectory authority = new KeyDirectory(directory);
        for (X509Certificate each : KeyMaker.issued(authority)) {
            Identity identity = CertificateNames.identity(each);
            spec.commandLine()
                    .getOut()
                    .println(identity.text() + "  until " + each.getNotAfter().toInstant() + "  serial "
                            + each.getSerialNumber().toString(16)
                            + identity.grants().map(grants -> "  " + grants).orElse("")
                            + (KeyMaker.isRevoked(authority, each) ? "  REVOKED" : ""));
        }
        for (Invitation each : new Invitations(authority).all()) {
            String state = each.taken() ? "USED" : Instant.now().isAfter(each.until()) ? "ENDED" : "open";
            spec.commandLine()
                    .getOut()
                    .println("invitation " + each.id() + "  " + each.terms().who() + "  until " + each.until() + "  "
                            + state);
        }
        return ExitCode.OK.code();
    }
}
