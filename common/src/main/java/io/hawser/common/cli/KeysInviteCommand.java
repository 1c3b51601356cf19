package io.hawser.common.cli;

import io.hawser.common.access.Grants;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
import io.hawser.common.tls.Invitations;
import io.hawser.common.tls.JoinToken;
import io.hawser.common.tls.KeyDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser keys invite}.
 *
 * <p>Thread: main only.
 */
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
final class KeysInviteCommand implements Callable<Integer> {
    private static final ConfigKey<Duration> TIME = ConfigKey.duration("for", "24h", "1m", "30d", "");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "the directory with ca.key")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Option(
            names = "--at",
            required = true,
            paramLabel = "HOST:PORT",
            description = "where the node finds 'hawser keys serve', as seen from its machine")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String at;

    @Option(
            names = "--role",
            required = true,
            paramLabel = "ROLE",
            description = "broker, agent-a, agent-b or client: it cannot connect as another")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String role;

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "what it is called in ACL files and logs")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(
            names = "--allow",
            paramLabel = "RIGHTS=TOPICS",
            description =
                    "as in 'hawser keys add'; may be repeated. Without it the broker's ACL file says what it may do")
    private List<String> allow = List.of();

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
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String time;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "825",
            description = "how long the certificate holds (default: 825)")
    private int days;

    @Override
    public Integer call() throws Exception {
        KeyHosts.checkDays(days);
        Grants grants = KeysAddCommand.grants(allow);
        Set<String> names = new TreeSet<>(List.of("localhost", "127.0.0.1", "::1"));
        names.addAll(KeyHosts.only(hosts));
        var terms = new Invitations.Terms(KeysAddCommand.roleOf(role), name, names, grants, Duration.ofDays(days));
        HostPort where = value("--at", () -> HostPort.parse(at));
        Instant until = Instant.now()
                .plus(value("--for", () -> TIME.parser().apply(time)))
                .truncatedTo(ChronoUnit.SECONDS);
        JoinToken token = new Invitations(new KeyDirectory(directory)).invite(terms, until);
        spec.commandLine().getOut().println("hawser join " + where + " " + token.text() + " --into keys-" + name);
        spec.commandLine()
                .getErr()
                .println("Paste this line on the machine of " + terms.who() + ": it is a secret, good once, until "
                        + until + ". 'hawser keys serve " + directory + " --listen …' has to run at " + where
                        + "; 'hawser keys uninvite " + directory + " " + token.id() + "' takes it back.");
        return ExitCode.OK.code();
    }

    private interface Reading<T> {
        T read();
    }

    private static <T> T value(String flag, Reading<T> reading) {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, flag + ": " + e.getMessage());
        }
    }
}
