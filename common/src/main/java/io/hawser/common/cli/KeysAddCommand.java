package io.hawser.common.cli;

import io.hawser.common.access.Grants;
import io.hawser.common.tls.KeyDirectory;
import io.hawser.common.tls.KeyMaker;
import io.hawser.common.tls.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser keys add}.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "add",
        description = {
            "Makes keys for one node, with a name of its own and, if --allow is given, with its rights on topics.",
            "DIR holds the CA's key; TARGET is made and holds all that the node needs for --tls."
        },
        footer = {
            "",
            "Example:  hawser keys add ./keys ./keys-berlin --role agent-a --name berlin --allow publish,list=site-b"
        })
final class KeysAddCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "the directory with ca.key")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Parameters(index = "1", paramLabel = "TARGET", description = "where the node's keys go")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path target;

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
                    "publish, subscribe, list, read, delete, admin or all, separated by commas, on topics or"
                            + " beginnings of topics (site-*); may be repeated. Without it the broker's ACL file says what it may do")
    private List<String> allow = List.of();

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "name or address under which the node is reached; may be repeated")
    private List<String> hosts = List.of();

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "825",
            description = "how long the certificate holds (default: 825)")
    private int days;

    @Override
    public Integer call() throws Exception {
        KeyHosts.checkDays(days);
        Role wanted = roleOf(role);
        Grants grants = grants(allow);
        new KeyMaker(KeyHosts.of(hosts), Duration.ofDays(days), Instant.now())
                .add(new KeyDirectory(directory), new KeyDirectory(target), wanted, name, grants);
        spec.commandLine()
                .getOut()
                .println("Keys of " + role + ":" + name + " are in " + target + ", valid " + days + " days; "
                        + (grants.lines().isEmpty()
                                ? "the broker's --acl file says what it may do"
                                : "it may " + grants));
        return ExitCode.OK.code();
    }

    static Role roleOf(String word) {
        return Stream.of(Role.values())
                .filter(each -> each.fileName().equals(word))
                .findFirst()
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "--role is one of "
                                + Stream.of(Role.values()).map(Role::fileName).collect(Collectors.joining(", "))
                                + ", not '" + word + "'"));
    }

    static Grants grants(List<String> allow) {
        List<Grants.Line> lines = new ArrayList<>();
        for (String each : allow) {
            try {
                lines.add(Grants.line(each));
            } catch (IllegalArgumentException e) {
                throw new CommandException(ExitCode.USAGE, "--allow " + each + ": " + e.getMessage());
            }
        }
        return new Grants(lines);
    }
}
