package io.hawser.ops.cli;

import io.hawser.core.access.Grants;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.KeyMaker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hawser keys add}. */
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
final class KeysAddCommand extends CaDirectoryCommand {
    @Parameters(index = "1", paramLabel = "TARGET", description = "where the node's keys go")
    private Path target;

    @Mixin
    private KeySubject subject;

    @Mixin
    private KeyValidity validity;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "name or address under which the node is reached; may be repeated")
    private List<String> hosts = List.of();

    @Override
    public Integer call() throws Exception {
        Duration time = validity.duration();
        Role role = subject.role();
        Grants grants = subject.grants();
        KeyDirectory place = new KeyDirectory(target);
        KeyDirectory authority = authority();
        if (KeyMaker.finish(place)) {
            print("The keys that an earlier command made when it was interrupted are in " + target + " now.");
            return ExitCode.OK.code();
        }
        new KeyMaker(KeyHosts.of(hosts), time, Instant.now()).add(authority, place, role, subject.name(), grants);
        print("Keys of " + role.fileName() + ":" + subject.name() + " are in " + target + ", valid " + time.toDays()
                + " days; "
                + (grants.lines().isEmpty() ? "the broker's --acl file says what it may do" : "it may " + grants));
        return ExitCode.OK.code();
    }
}
