package io.hawser.agenta.testkit;

import org.junit.jupiter.api.BeforeEach;

/** Tests of which each has an FTP server of its own, with the same settings, and a client that is logged in as anonymous. */
public abstract class OnUsualFtpServer extends OnFtpServer {
    /** The server; with other settings than the usual ones if a class overrides this. */
    protected FtpFixture server() throws Exception {
        return FtpFixture.start(config -> config);
    }

    @BeforeEach
    final void startServer() throws Exception {
        start(server());
    }
}
