package io.hawser.agentb;

import io.hawser.core.testkit.FarServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real server of some kind, for each test, whether it is delivered to or read from. */
public abstract class FarServerFixture {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    protected Path directory;

    @SuppressWarnings("NullAway.Init") // see serverUp
    protected FarServerProcess server;

    protected abstract FarServerProcess startServer(Path in) throws Exception;

    /** The URL of the directory {@code in} below the server's root. */
    protected String url() {
        return server.url("in");
    }

    @BeforeEach
    final void serverUp() throws Exception {
        server = startServer(Files.createDirectories(directory.resolve("server")));
    }

    @AfterEach
    final void serverDown() {
        if (server != null) {
            server.close();
        }
    }
}
