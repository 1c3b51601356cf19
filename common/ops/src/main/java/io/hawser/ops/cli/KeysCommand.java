package io.hawser.ops.cli;

import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.keys.KeyMaker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser keys}. */
@Command(
        name = "keys",
        header = "Make, renew and revoke keys; invite nodes.",
        description = "Makes, renews and revokes the keys for mutual TLS between nodes, and invites new nodes.",
        subcommands = {
            KeysCommand.Init.class,
            KeysAddCommand.class,
            KeysRenewCommand.class,
            KeysRevokeCommand.class,
            KeysListCommand.class,
            KeysInviteCommand.class,
            KeysServeCommand.class,
            KeysUninviteCommand.class
        },
        footer = {"", "Example:  hawser keys init ./keys --host broker.example.org"})
public final class KeysCommand implements Subcommand {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandSection section() {
        return CommandSection.SECURE;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** {@code hawser keys init DIR}. */
    @Command(
            name = "init",
            description = {
                "Makes a CA and certificates for broker, agent-a, agent-b and client (EC P-256) in DIR.",
                "A node needs ca.crt and its own two files; keep ca.key off the nodes.",
                "Files that exist are never written over."
            },
            footer = {
                "",
                "Example:  hawser keys init ./keys --host broker.example.org --host 192.0.2.7",
                "          hawser broker --listen 0.0.0.0:7400 --tls ./keys"
            })
    static final class Init implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "DIR", description = "where the keys go; made if it is not there")
        private Path directory;

        @Option(
                names = "--host",
                paramLabel = "NAME",
                description = "name or address under which a node is reached; may be repeated; localhost, 127.0.0.1,"
                        + " ::1 and this machine's name are always there")
        private List<String> hosts = List.of();

        @Mixin
        private KeyValidity validity;

        @Override
        public Integer call() throws Exception {
            Duration time = validity.duration();
            Set<String> names = KeyHosts.of(hosts);
            KeyDirectory target = new KeyDirectory(directory);
            if (KeyMaker.finish(target)) {
                spec.commandLine()
                        .getOut()
                        .println("The keys that an earlier command made when it was interrupted are in " + directory
                                + " now.");
                return ExitCode.OK.code();
            }
            new KeyMaker(names, time, Instant.now()).fill(target);
            spec.commandLine()
                    .getOut()
                    .println("Keys are in " + directory + ", for " + String.join(", ", names) + ", valid "
                            + time.toDays()
                            + " days. Give --tls " + directory + " to every node; keep "
                            + target.caKey().getFileName() + " off the nodes.");
            return ExitCode.OK.code();
        }
    }
}
