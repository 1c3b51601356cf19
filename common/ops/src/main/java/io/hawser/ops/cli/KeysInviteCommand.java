package io.hawser.ops.cli;

import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.keys.Invitations;
import io.hawser.ops.keys.JoinToken;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hawser keys invite}. */
@Command(
        name = "invite",
        description = {
            "Invites one node: prints the line to paste on its machine. It is good once and for a while, for a certificate"
                    + " whose role, name and rights are fixed here.",
            "'hawser keys serve DIR' has to run until the node has joined."
        },
        footer = {
            "",
            "Example:  hawser keys invite ./keys --at ca.example.org:7403 --role agent-a --name berlin --allow"
                    + " publish,list=site-b"
        })
final class KeysInviteCommand extends CaDirectoryCommand {
    private static final ConfigKey<Duration> TIME = ConfigKey.duration("for", "24h", "1m", "30d", "");

    @Option(
            names = "--at",
            required = true,
            paramLabel = "HOST:PORT",
            description = "where the node finds 'hawser keys serve', as seen from its machine")
    private String at;

    @Mixin
    private KeySubject subject;

    @Mixin
    private KeyValidity validity;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "name or address under which the node is reached, beside localhost; may be repeated")
    private List<String> hosts = List.of();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "24h",
            description = "how long the invitation is good, 1m to 30d (default: 24h)")
    private String time;

    @Override
    public Integer call() throws Exception {
        Set<String> names = new TreeSet<>(List.of("localhost", "127.0.0.1", "::1"));
        names.addAll(KeyHosts.only(hosts));
        var terms = new Invitations.Terms(subject.role(), subject.name(), names, subject.grants(), validity.duration());
        HostPort where = UsageErrors.value("--at", () -> HostPort.parse(at));
        Instant until = Instant.now()
                .plus(UsageErrors.value("--for", () -> TIME.parser().apply(time)))
                .truncatedTo(ChronoUnit.SECONDS);
        KeyDirectory authority = authority();
        JoinToken token = new Invitations(authority).invite(terms, until);
        print("hawser join " + where + " " + token.text() + " --into keys-" + subject.name());
        explain("Paste this line on the machine of " + terms.who() + ": it is a secret, good once, until " + until
                + ". 'hawser keys serve " + authority.path() + " --listen …' has to run at " + where
                + "; 'hawser keys uninvite " + authority.path() + " " + token.id() + "' takes it back.");
        return ExitCode.OK.code();
    }
}
