package io.hawser.ops.cli;

import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.keys.KeyMaker;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hawser keys renew}. */
@Command(
        name = "renew",
        description = {
            "Makes new keys and certificates, with the same names and rights, in the place of those in DIR, or in TARGET.",
            "Nodes that run with them take the new ones within seconds; nothing has to be restarted. The old ones hold"
                    + " until they end or are revoked."
        },
        footer = {"", "Example:  hawser keys renew ./keys ./keys-berlin"})
final class KeysRenewCommand extends CaDirectoryCommand {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TARGET",
            description = "a directory that 'keys add' made; DIR itself if not given")
    private @Nullable Path target;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "name or address to add to those of the certificates; may be repeated")
    private List<String> hosts = List.of();

    @Mixin
    private KeyValidity validity;

    @Override
    public Integer call() throws Exception {
        KeyDirectory of = target == null ? authority() : new KeyDirectory(target);
        List<X509Certificate> made =
                new KeyMaker(KeyHosts.only(hosts), validity.duration(), Instant.now()).renew(authority(), of);
        made.forEach(each -> print(CertificateIdentity.identity(each).text() + " until "
                + each.getNotAfter().toInstant()));
        return ExitCode.OK.code();
    }
}
