package io.hawser.agenta.ftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.ftp.CommandLine;
import io.hawser.core.testkit.LogCapture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Browsers send to any port what a web page wants them to send; only what comes before it is theirs. */
class HttpDetectorTest extends OnFtpServer {
    private final List<String> audit = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.start(config -> config);
        ftp.audit((who, what, object, from, result) -> audit.add(result));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1",
                "GET /x HTTP/1.1",
                "PUT /x HTTP/1.1",
                "HEAD / HTTP/1.0",
                "OPTIONS * HTTP/1.1",
                "post /",
                "PRI * HTTP/2.0",
                "ANYTHING / HTTP/1.1",
                "Host: 127.0.0.1:2121",
                "Host:[::1]:2121",
                "Content-Length: 5"
            })
    void commandsBehindAnHttpRequestAreNotRun(String first) throws Exception {
        RawFtp browser = RawFtp.connect(ftp.port);

        browser.sendRaw((first + "\r\nContent-Type: text/plain\r\n\r\nUSER anonymous\r\nPASS x\r\nMKD made\r\nQUIT\r\n")
                .getBytes(StandardCharsets.UTF_8));

        assertThat(browser.expect(421)).contains("not an HTTP server");
        assertThat(browser.reply()).isEmpty();
        assertThat(audit).hasSize(1).first().asString().startsWith("HTTP ");
    }

    @Test
    void logHearsOfStrangersOfOneNetworkOnce() throws Exception {
        try (LogCapture warnings = LogCapture.of(CommandPipeline.class, Level.INFO);
                LogCapture sessions = LogCapture.of(ControlChannel.class, Level.INFO)) {
            for (int i = 0; i < 5; i++) {
                RawFtp browser = RawFtp.connect(ftp.port);
                browser.expect("GET /" + i + " HTTP/1.0", 421);
                assertThat(browser.reply()).isEmpty();
            }
            assertThat(warnings.events()).hasSize(1);
            assertThat(sessions.events()).isEmpty();
        }
    }

    @Test
    void httpAfterOtherCommandsEndsTheConnectionToo() throws Exception {
        RawFtp browser = RawFtp.connect(ftp.port);

        browser.expect("XYZZY", 500);
        browser.expect("Accept: */*", 421);

        assertThat(browser.reply()).isEmpty();
    }

    @Test
    void commandsWithinATlsGreetingAreNotRun() throws Exception {
        RawFtp browser = RawFtp.connect(ftp.port);

        browser.sendRaw(
                "\26\3\1\2\0\r\nUSER anonymous\r\nPASS x\r\nMKD made\r\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(browser.expect(421)).contains("AUTH TLS");
        assertThat(browser.reply()).isEmpty();
    }

    @Test
    void clientsThatAreLoggedInMayNameFilesAsTheyLike() throws Exception {
        RawFtp client = RawFtp.login(ftp.port);

        client.expect("SIZE a HTTP/1.1", 550);
        client.expect("GET /", 500);
        client.ok("NOOP");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "USER anonymous",
                "USER http:me",
                "HOST ftp.example",
                "HELP",
                "OPTS UTF8 ON",
                "DELE x",
                "CLNT a b/1.0",
                ""
            })
    void commandsOfFtpAreNotTakenForHttp(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);

        assertThat(HttpDetector.isIn(CommandLine.of(bytes, bytes.length))).isFalse();
    }
}
