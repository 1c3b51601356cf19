package io.hawser.ops.cli;

import io.hawser.core.config.HostPort;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.keys.JoinServer;
import io.hawser.ops.observe.AuditLog;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hawser keys serve}. */
@Command(
        name = "serve",
        description = {
            "Gives the nodes that 'hawser keys invite' invited their certificates, until it is stopped.",
            "It needs the CA's key, so it runs on the CA's machine as that key's owner, and only while nodes are to join."
                    + " The broker never has the key."
        },
        footer = {"", "Example:  hawser keys serve ./keys --listen 0.0.0.0:7403"})
final class KeysServeCommand extends CaDirectoryCommand {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7403",
            description = "where nodes join (default: 127.0.0.1:7403); port 0 takes a free one")
    private String listen;

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = "who joined or tried to, from where, and what came of it: one JSON line each")
    private @Nullable Path audit;

    @Override
    public Integer call() {
        HostPort address = UsageErrors.value("--listen", () -> HostPort.parse(listen));
        KeyDirectory authority = authority();
        Path file = audit;
        return NodeRunner.run("keys", () -> {
            Audit notes = file == null ? Audit.NONE : AuditLog.open(file, "keys");
            return new Serving(JoinServer.start(address, authority, notes), notes);
        });
    }

    private record Serving(JoinServer server, Audit notes, CompletableFuture<Void> never) implements Node {
        Serving(JoinServer server, Audit notes) {
            this(server, notes, new CompletableFuture<>());
        }

        @Override
        public Map<String, String> addresses() {
            return Map.of("join", server.address().toString());
        }

        @Override
        public CompletionStage<Void> failure() {
            return never;
        }

        @Override
        public void stop() throws Exception {
            server.close();
            notes.close();
        }
    }
}
