package io.hawser.agenta.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Tests with an FTP server of their own, which each of them starts. */
public abstract class OnFtpServer {
    @SuppressWarnings("NullAway.Init") // each test begins with start()
    protected FtpFixture ftp;

    /** The client of most tests. */
    @SuppressWarnings("NullAway.Init") // where there is one, it is made at the start
    protected RawFtp client;

    /** From now on {@code next} is the server, and the client is logged in there as anonymous. */
    protected final void start(FtpFixture next) throws Exception {
        stop();
        ftp = next;
        client = RawFtp.login(next.port);
    }

    @AfterEach
    protected final void stop() throws Exception {
        for (@Nullable AutoCloseable each : new @Nullable AutoCloseable[] {client, ftp}) {
            if (each != null) {
                each.close();
            }
        }
    }
}
