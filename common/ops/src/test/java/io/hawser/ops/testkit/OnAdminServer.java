package io.hawser.ops.testkit;

import io.hawser.core.config.HostPort;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Tests of commands that ask a node, whose admin pages are the test's. */
public abstract class OnAdminServer {
    protected final StringWriter out = new StringWriter();
    protected final StringWriter err = new StringWriter();

    @SuppressWarnings("NullAway.Init") // serve() comes first
    protected AdminServer server;

    /** Serves these pages, and those that change something, from now on. */
    protected final void serve(Map<String, AdminPage> pages, Map<String, AdminPage> actions) throws IOException {
        stop();
        server = AdminServer.start(new HostPort("127.0.0.1", 0), pages, actions, null, AdminGuard.DEFAULT);
    }

    /** Runs {@code hawser NAME WORDS} against that node; its exit code. */
    protected final int run(Subcommand command, String name, String... words) {
        List<String> all = new ArrayList<>(List.of(name));
        all.addAll(List.of(words));
        all.addAll(List.of("--admin", server.address().toString()));
        return Hawser.run(
                List.of(command),
                Map.of(),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                all.toArray(String[]::new));
    }

    @AfterEach
    protected final void stop() {
        if (server != null) {
            server.close();
        }
    }
}
