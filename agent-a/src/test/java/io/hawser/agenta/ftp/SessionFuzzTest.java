package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hawser.agenta.ftp.command.FtpCommands;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.login.TlsReuse;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.TestTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Whole sessions of nonsense: commands in any order with any arguments, and bytes that are no commands. Whatever comes, each
 * reply is well-formed, nothing fails inside, the session comes to its end, and other clients are served.
 */
class SessionFuzzTest extends OnFtpServer {
    private static final int SESSIONS = Integer.getInteger("hawser.fuzz.sessions", 10);
    private static final int COMMANDS = 60;
    private static final String[] ARGUMENTS = {
        "",
        " ",
        "/",
        "..",
        "/t",
        "/t/f",
        "/t/d/../../..",
        "f",
        "-1",
        "0",
        "7",
        "99999999999999999999",
        "A",
        "I",
        "E",
        "S",
        "P",
        "C",
        "TLS",
        "ALL",
        "1",
        "2",
        "anonymous",
        "RETR Parallelism=4,4,4;",
        "RETR Parallelism=-1;",
        "PASV AllowDelayed=1;",
        "UTF8 ON",
        "0-5,3-9",
        "5-1",
        "P 0 10 /t/f",
        "A 0 /t/f",
        "A 5 f",
        "127,0,0,1,0,1",
        "1,2,3",
        "|1|127.0.0.1|1|",
        "|||",
        "HELP",
        "RECEIPT x",
        "WAIT x y",
        "BUFSIZE x",
        "MD5 0 -1 /t/f",
        "20200101000000 /t/f",
        "\u00fc\u20ac",
        "a\0b",
        "%s%n%d",
        "; rm -rf",
        "\"",
        "\u007f"
    };

    @TempDir
    Path keys;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void start() throws Exception {
        log.start();
        ((Logger) LoggerFactory.getLogger("io.hawser")).addAppender(log);
        FtpTls tls = new FtpTls(TestTls.server(keys), false, TlsReuse.PREFER, null);
        ftp = FtpFixture.start(config -> config.withTls(tls)
                .withDataTime(Duration.ofMillis(20))
                .withCustodyTime(Duration.ofMillis(20))
                .withLogin(Duration.ofSeconds(30), Duration.ZERO)
                .withBar(Integer.MAX_VALUE, Duration.ZERO));
    }

    @AfterEach
    void end() throws Exception {
        ((Logger) LoggerFactory.getLogger("io.hawser")).detachAppender(log);
    }

    private static String argument(Random random) {
        if (random.nextInt(20) == 0) {
            return "x".repeat(random.nextInt(70_000));
        }
        String argument = ARGUMENTS[random.nextInt(ARGUMENTS.length)];
        return random.nextInt(4) == 0 ? argument + " " + ARGUMENTS[random.nextInt(ARGUMENTS.length)] : argument;
    }

    private static byte[] nonsense(Random random) throws IOException {
        List<String> verbs = new ArrayList<>(FtpCommands.table().verbs());
        // QUIT ends the nonsense early, and what comes behind AUTH has to be TLS.
        verbs.removeAll(List.of("QUIT", random.nextInt(4) == 0 ? "" : "AUTH"));
        // Changes of names wait for the far end, of which there is none.
        verbs.removeAll(List.of("DELE", "RMD", "XRMD", "RNFR", "RNTO", "MFMT", "MDTM", "SITE"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (random.nextBoolean()) {
            out.write("USER anonymous\r\nPASS x\r\n".getBytes(StandardCharsets.UTF_8));
        }
        for (int i = 0; i < COMMANDS; i++) {
            if (random.nextInt(10) == 0) {
                byte[] garbage = new byte[random.nextInt(200)];
                random.nextBytes(garbage);
                out.write(garbage);
            }
            String line = verbs.get(random.nextInt(verbs.size())) + " " + argument(random) + "\r\n";
            out.write(line.getBytes(StandardCharsets.UTF_8));
        }
        out.write("\r\n\r\nQUIT\r\n".getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    @Test
    void sessionsOfNonsenseEndAndHarmNobody() throws Exception {
        for (int seed = 0; seed < SESSIONS; seed++) {
            byte[] nonsense = nonsense(new Random(seed));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ftp.port)) {
                socket.setSoTimeout(20_000);
                Thread writer = new Thread(() -> {
                    try {
                        socket.getOutputStream().write(nonsense);
                    } catch (IOException e) {
                        return; // the server has ended the session by a rule
                    }
                });
                writer.start();

                checkReplies(seed, read(seed, socket));

                writer.join();
            }
        }
        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                .isEmpty();
        RawFtp.login(ftp.port).ok("NOOP");
    }

    private String read(int seed, Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[8192];
        try {
            int length;
            while ((length = socket.getInputStream().read(some)) >= 0) {
                all.write(some, 0, length);
            }
        } catch (java.net.SocketTimeoutException e) {
            String text = all.toString(StandardCharsets.UTF_8);
            throw new AssertionError(
                    "session " + seed + " hangs after: " + text.substring(Math.max(0, text.length() - 300))
                            + lastEvents(),
                    e);
        } catch (java.net.SocketException e) {
            // Reset, because the server closed before it had read all the nonsense.
            return all.toString(StandardCharsets.UTF_8);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private List<String> lastEvents() {
        return log.list.subList(Math.max(0, log.list.size() - 6), log.list.size()).stream()
                .map(event -> event.getMessage() + event.getKeyValuePairs())
                .toList();
    }

    private static void checkReplies(int seed, String replies) {
        List<String> bad = replies.lines()
                .filter(line -> !line.matches("[1-5][0-9][0-9][ -].*| .*"))
                .filter(line -> !line.contains("\u0015\u0003")) // the end of a TLS that never began
                .toList();
        assertThat(bad).as("seed %d", seed).isEmpty();
        assertThat(replies).as("seed %d", seed).startsWith("220 ").doesNotContain("Exception");
    }
}
