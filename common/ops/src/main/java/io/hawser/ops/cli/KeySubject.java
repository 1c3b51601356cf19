package io.hawser.ops.cli;

import io.hawser.core.access.Grants;
import io.hawser.core.tls.Role;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * Whom a certificate is for: the options by which that is said.
 *
 * <p>Thread: main only.
 */
final class KeySubject {
    @Option(
            names = "--role",
            required = true,
            paramLabel = "ROLE",
            description = "broker, agent-a, agent-b or client: it cannot connect as another")
    private String role;

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "what it is called in ACL files and logs")
    private String name;

    @Option(
            names = "--allow",
            paramLabel = "RIGHTS=TOPICS",
            description =
                    "publish, subscribe, serve, join, list, read, delete, admin, cancel or all, separated by commas, on topics or"
                            + " beginnings of topics (site-*); may be repeated. Without it the broker's ACL file says what it may do")
    private List<String> allow = List.of();

    /** Throws CommandException if there is no such role. */
    Role role() {
        return Stream.of(Role.values())
                .filter(each -> each.fileName().equals(role))
                .findFirst()
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "--role is one of "
                                + Stream.of(Role.values()).map(Role::fileName).collect(Collectors.joining(", "))
                                + ", not '" + role + "'"));
    }

    String name() {
        return name;
    }

    /** Throws CommandException if one cannot be read. */
    Grants grants() {
        return new Grants(allow.stream()
                .map(each -> UsageErrors.value("--allow " + each, () -> Grants.line(each)))
                .toList());
    }
}
