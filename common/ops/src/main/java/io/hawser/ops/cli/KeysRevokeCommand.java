package io.hawser.ops.cli;

import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.keys.KeyMaker;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser keys revoke}. */
@Command(
        name = "revoke",
        description = {
            "Writes all certificates of a node into the revocation list DIR/ca.crl.",
            "Copy that file into the key directories of the other nodes, above all the broker's: they read it within"
                    + " seconds, and end the sessions of the nodes in it."
        },
        footer = {"", "Example:  hawser keys revoke ./keys agent-a:berlin"})
final class KeysRevokeCommand extends CaDirectoryCommand {
    @Parameters(
            index = "1",
            paramLabel = "WHO",
            description = "ROLE:NAME, a role for the keys that 'keys init' made, or a serial number")
    private String who;

    @Override
    public Integer call() throws Exception {
        KeyDirectory authority = authority();
        List<X509Certificate> revoked =
                new KeyMaker(Set.of(), Duration.ofDays(1), Instant.now()).revoke(authority, who);
        print(revoked.size() + " certificates of " + who + " are revoked; put " + authority.revocations()
                + " into the key directories of the nodes");
        return ExitCode.OK.code();
    }
}
