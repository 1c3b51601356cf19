package io.hawser.ops.cli;

import io.hawser.core.access.Identity;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.keys.Invitations;
import io.hawser.ops.keys.Invitations.Invitation;
import io.hawser.ops.keys.KeyMaker;
import java.security.cert.X509Certificate;
import java.time.Instant;
import picocli.CommandLine.Command;

/** {@code hawser keys list}. */
@Command(
        name = "list",
        description =
                "Lists the certificates of the CA of DIR: name, end, rights, and whether it is revoked; and its invitations.",
        footer = {"", "Example:  hawser keys list ./keys"})
final class KeysListCommand extends CaDirectoryCommand {
    @Override
    public Integer call() throws Exception {
        KeyDirectory authority = authority();
        for (X509Certificate each : KeyMaker.issued(authority)) {
            Identity identity = CertificateIdentity.identity(each);
            print(identity.text() + "  until " + each.getNotAfter().toInstant() + "  serial "
                    + each.getSerialNumber().toString(16)
                    + identity.grants().map(grants -> "  " + grants).orElse("")
                    + (KeyMaker.isRevoked(authority, each) ? "  REVOKED" : ""));
        }
        for (Invitation each : new Invitations(authority).all()) {
            String state = each.taken() ? "USED" : Instant.now().isAfter(each.until()) ? "ENDED" : "open";
            print("invitation " + each.id() + "  " + each.terms().who() + "  until " + each.until() + "  " + state);
        }
        return ExitCode.OK.code();
    }
}
