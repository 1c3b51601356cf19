package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.GsiClient;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a GridFTP client of whom nothing is known says with ADAT, to a whole server: each line gets one reply, whatever it holds; a
 * refusal is a sentence; nobody comes in, and the same connection may begin again.
 */
class AdatFuzzTest {
    private static final int MAX_LINES = 20;
    private static final int TELNET_COMMAND = 0xFF;

    @TempDir
    static Path grid;

    private static FtpFixture ftp;
    private static RawFtp client;
    private static Credential anna;
    private static TrustDirectory trust;
    private static @Nullable GsiClient within;

    @BeforeAll
    static void start() throws Exception {
        GridPki pki = GridPki.in(grid);
        Path host = pki.write("host.pem", pki.ecHost()); // signs quickly
        anna = pki.proxy(pki.user("Anna"), ProxyForm.FULL);
        trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO);
        GsiFiles files = GsiFiles.open(host, host, pki.trustDirectory(), pki.map(anna, "anna"), false);
        ftp = FtpFixture.start(config -> config.withGsi(files)
                .withLogin(Duration.ofDays(1), Duration.ZERO)
                .withBar(Integer.MAX_VALUE, Duration.ZERO));
        client = RawFtp.connect(ftp.gridftpPort());
    }

    private static void leave() throws IOException {
        GsiClient open = within;
        within = null;
        if (open != null) {
            open.close();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        leave();
        client.close();
        ftp.close();
    }

    /**
     * Lines, each behind two bytes: the first bit says whether what follows is a token, which is sent in Base64, or what stands in its
     * place; the others how long it is.
     */
    @FuzzTest(maxDuration = "2m")
    void lines(byte[] data) throws Exception {
        client.expect("AUTH GSSAPI", 334);
        ByteBuffer in = ByteBuffer.wrap(data);
        boolean exchanging = true;
        for (int i = 0; i < MAX_LINES && in.remaining() >= 2; i++) {
            int head = in.getShort() & 0xFFFF;
            byte[] bytes = new byte[Math.min(head & 0x7FFF, in.remaining())];
            in.get(bytes);
            byte[] argument = head <= 0x7FFF ? Base64.getEncoder().encode(bytes) : withoutEnds(bytes);
            String reply = say(argument);
            if (head <= 0x7FFF) {
                assertThat(reply).as("a token").doesNotStartWith("501");
            }
            if (!reply.startsWith("501")) {
                assertThat(reply.startsWith("503")).as(reply).isEqualTo(!exchanging);
            }
            exchanging &= !reply.startsWith("535");
        }
        client.send("PWD");
        assertThat(client.reply()).startsWith("530 Must perform GSSAPI authentication");
    }

    private static String say(byte[] argument) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes("ADAT ".getBytes(StandardCharsets.US_ASCII));
        line.writeBytes(argument);
        line.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        client.sendRaw(line.toByteArray());
        String reply = client.reply();
        assertThat(reply)
                .matches("(335 ADAT=|501 |503 |535 )[^\\p{Cntrl}]*")
                .doesNotContain("an error of this server's");
        if (reply.startsWith("335")) {
            assertThat(Base64.getDecoder().decode(reply.substring("335 ADAT=".length())).length)
                    .isLessThan(1 << 16);
        }
        return reply;
    }

    /**
     * A client that has come in. The first byte says how the others are sent: within a token, as part of a command; in place of a token;
     * or in place of its Base64. What is in a token has one reply within one; what is no token ends the session, and does nothing.
     */
    @FuzzTest(maxDuration = "2m")
    void wrapped(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        GsiClient session = within;
        if (session == null) {
            session = GsiClient.connect(ftp.gridftpPort(), anna, trust, Delegation.NONE)
                    .logIn();
            within = session;
        }
        byte[] rest = Arrays.copyOfRange(data, 1, data.length);
        if (data[0] % 3 == 0) {
            session.send("ENC", "NOOP " + new String(rest, StandardCharsets.ISO_8859_1));
            String reply = session.reply();
            assertThat(reply).matches("(?s)(200|5\\d\\d) [^\\p{Cntrl}]*\r\n");
            if (reply.startsWith("535")) {
                leave();
            }
            return;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes("ENC ".getBytes(StandardCharsets.US_ASCII));
        line.writeBytes(data[0] % 3 == 1 ? Base64.getEncoder().encode(rest) : withoutEnds(rest));
        line.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        session.clear.sendRaw(line.toByteArray());
        assertThat(session.clear.reply()).matches("|632 [A-Za-z0-9+/=]+");
        assertThat(session.clear.reply()).as("behind the end").isEmpty();
        leave();
    }

    /** The ends of lines are another decoder's, and so is Telnet. */
    private static byte[] withoutEnds(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte b : bytes) {
            if (b != '\r' && b != '\n' && (b & 0xFF) != TELNET_COMMAND) {
                out.write(b);
            }
        }
        return out.toByteArray();
    }
}
