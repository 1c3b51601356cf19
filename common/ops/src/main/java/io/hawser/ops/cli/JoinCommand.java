package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.JoinClient;
import io.hawser.ops.keys.JoinClient.Joined;
import io.hawser.ops.keys.JoinToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser join}. */
@Command(
        name = "join",
        header = "Get the keys of an invited node.",
        description = {
            "Makes the keys of a node that was invited: 'hawser keys invite' prints the whole line.",
            "The private key is made here and does not leave this machine. What is asked is known by the token to be the"
                    + " CA's machine, and nothing else gets the token."
        },
        footer = {"", "Example:  hawser join ca.example.org:7403 TOKEN --into ./keys-berlin"})
public final class JoinCommand implements Subcommand {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "HOST:PORT", description = "where 'hawser keys serve' listens")
    private String at;

    @Parameters(
            index = "1",
            paramLabel = "TOKEN",
            description =
                    "from 'hawser keys invite'; '-' reads it from standard input, where no list of processes shows it")
    private String token;

    @Option(
            names = "--into",
            paramLabel = "DIR",
            defaultValue = "keys",
            description = "where the keys go, for --tls of the node; made if it is not there (default: keys)")
    private Path into;

    @Override
    public CommandSection section() {
        return CommandSection.SECURE;
    }

    @Override
    public Integer call() throws Exception {
        HostPort address;
        try {
            address = HostPort.parse(at);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, Errors.sentence(e));
        }
        JoinToken given = JoinToken.parse(token.equals("-") ? fromInput() : token);
        Joined joined;
        try {
            joined = new JoinClient(given, new KeyDirectory(into)).join(address, TIMEOUT);
        } catch (NotInvitedException e) {
            throw new CommandException(ExitCode.REFUSED, e.reason(), e);
        } catch (SSLHandshakeException e) {
            throw new CommandException(
                    ExitCode.REFUSED,
                    address + " is not where this token is from, and has not seen it: " + Errors.sentence(e),
                    e);
        } catch (IOException e) {
            throw new CommandException(
                    Errors.exitCode(e) == ExitCode.FAILED ? ExitCode.FAILED : ExitCode.CANNOT_CONNECT,
                    "cannot join at " + address + ": " + Errors.sentence(e) + "; is 'hawser keys serve' running there?",
                    e);
        }
        String role = joined.role().fileName();
        spec.commandLine()
                .getOut()
                .println("The keys of " + role + ":" + joined.name() + " are in " + into + ", valid until "
                        + joined.tls().validUntil() + "; start it with: hawser "
                        + (role.equals("client") ? "send" : role) + " --tls " + into + " …");
        return ExitCode.OK.code();
    }

    private static String fromInput() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine();
        if (line == null) {
            throw new ConfigException("there is no token on standard input");
        }
        return line;
    }
}
