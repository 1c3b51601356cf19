package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.it.harness.CommandRun;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every port of every node, with mutual TLS and 64 MB of heap each, and callers who promise more than there is, say what belongs elsewhere,
 * or only look what is open. Afterwards a file goes through as before.
 */
class HostileCallersIT extends Scenario {
    private static final int PATIENCE_MILLIS =
            (int) TestTimes.scaled(Duration.ofSeconds(15)).toMillis();
    private static final int MANY = 32 << 20;
    private static final int CALLS = 100;

    private final Map<String, HostPort> doors = new LinkedHashMap<>();

    @BeforeEach
    void startAll() throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        chain.withTls(keys);
        chain.with(Part.AGENT_A, "--gridftp", "127.0.0.1:0");
        chain.startAll();
        doors.put("the broker's PTCP", chain.brokerPtcp());
        doors.put("FTP", chain.ftp());
        doors.put("GridFTP", chain.node(Part.AGENT_A).address("gridftp"));
        for (Part part : Part.values()) {
            doors.put("the admin pages of " + part.command(), chain.admin(part).orElseThrow());
        }
    }

    private void assertUnharmed() throws Exception {
        Path source = sample("after", 3 * MIB, 7);
        upload(source, "after");
        awaitDelivered(source, "after");
        for (Part part : Part.values()) {
            assertThat(chain.isRunning(part)).as(part.command()).isTrue();
            assertThat(Files.readString(chain.logFile(part)))
                    .as("log of " + part.command())
                    .doesNotContain("OutOfMemoryError")
                    .doesNotContain(" ERROR ")
                    .doesNotContain("\tat ");
        }
    }

    /** Says it, and reads what comes until the other end has closed, or says nothing for a while. */
    private static void say(HostPort door, byte[]... parts) throws IOException {
        try (Socket socket = new Socket(door.host(), door.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                OutputStream out = socket.getOutputStream();
                for (byte[] part : parts) {
                    out.write(part);
                }
                out.flush();
                socket.shutdownOutput();
                socket.getInputStream().skipNBytes(1 << 20);
            } catch (IOException refused) {
                return; // closed in the middle: it had heard enough
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] repeated(char letter, int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) letter);
        return bytes;
    }

    /** The head of a frame that promises {@code length} bytes, wherever the length is looked for. */
    private static byte[] promise(int length) {
        byte[] head = new byte[64];
        for (int i = 0; i + 4 <= head.length; i += 4) {
            head[i] = (byte) (length >>> 24);
            head[i + 1] = (byte) (length >>> 16);
            head[i + 2] = (byte) (length >>> 8);
            head[i + 3] = (byte) length;
        }
        return head;
    }

    @Test
    void lengthsAndLinesThatPromiseMoreThanThereIsMayBe() throws Exception {
        for (HostPort door : doors.values()) {
            say(door, repeated('A', MANY)); // a line, a header, a request, a record without an end
            say(door, ascii("GET /"), repeated('A', MANY), ascii(" HTTP/1.1\r\n\r\n"));
            say(door, ascii("GET / HTTP/1.1\r\nA: "), repeated('A', MANY), ascii("\r\n\r\n"));
            say(door, ascii("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(200_000) + "\r\n"));
            say(door, ascii("POST /x HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n"), repeated('A', MANY));
            say(door, ascii("USER "), repeated('A', MANY), ascii("\r\n"));
            say(door, ascii("USER anonymous\r\n".repeat(100_000)));
            for (int length : new int[] {-1, Integer.MAX_VALUE, 1 << 30, 1 << 24}) {
                say(door, promise(length), repeated('A', MANY));
                say(door, new byte[] {22, 3, 1, (byte) (length >>> 8), (byte) length}, repeated('\1', MANY));
            }
        }
        assertUnharmed();
    }

    /** Numbers are not memory: nothing is reserved for what has only been announced and cannot be. */
    @Test
    void numbersThatCannotBeMeant() throws Exception {
        Path source = sample("before", 1000, 3);
        upload(source, "before");
        awaitDelivered(source, "before");
        for (String commands : List.of(
                "ALLO 9223372036854775807;STOR bomb",
                "ALLO 99999999999999999999999999",
                "REST 9223372036854775807;STOR bomb",
                "REST 9223372036854775807;RETR before",
                "ERET P 9223372036854775806 9223372036854775807 before",
                "ESTO A 9223372036854775807 bomb",
                "RANG 0 9223372036854775807;RETR before",
                "SBUF 2147483647",
                "SITE BUFSIZE 2147483647",
                "PBSZ 4294967295",
                "OPTS RETR Parallelism=2147483647,2147483647,2147483647",
                "MODE Z",
                "MODE E;OPTS RETR StripeLayout=Blocked,BlockSize=2147483647",
                "CKSM MD5 9223372036854775807 9223372036854775807 before",
                "LIST ../../../../../../../../../../etc")) {
            String script = "USER anonymous;PASS x;TYPE I;EPSV;" + commands + ";QUIT;";
            for (String door : List.of("FTP", "GridFTP")) {
                say(doors.get(door), ascii(script.replace(";", "\r\n")));
            }
            for (Part part : Part.values()) {
                assertThat(chain.isRunning(part))
                        .as("%s behind %s", part, commands)
                        .isTrue();
            }
        }
        assertThat(delivered("bomb")).doesNotExist();
        assertUnharmed();
    }

    /** What is no Hawser's is closed, whatever it is, and neither fills the log nor keeps anybody out. */
    @Test
    void portScans() throws Exception {
        byte[][] probes = {
            {},
            ascii("\r\n\r\n"),
            ascii("GET / HTTP/1.0\r\n\r\n"),
            ascii("OPTIONS * RTSP/1.0\r\n\r\n"),
            ascii("HELP\r\n"),
            ascii("SSH-2.0-scan\r\n"),
            ascii("EHLO scan\r\n"),
            {22, 3, 1, 0, 5, 1, 0, 0, 1, 0},
            {(byte) 0x80, 0x2e, 1, 0, 2, 0, 21, 0, 0, 0, 16},
            {0, 0, 0, 11, 6, 0, 0, 0, 0, 0, 0},
            {3, 0, 0, 11, 6, (byte) 0xe0, 0, 0, 0, 0, 0},
            random()
        };
        Map<Part, Long> before = logBytes();
        for (HostPort door : doors.values()) {
            for (int i = 0; i < CALLS; i++) {
                byte[] probe = probes[i % probes.length];
                try (Socket socket = new Socket(door.host(), door.port())) {
                    socket.getOutputStream().write(probe);
                    socket.setSoLinger(i % 2 == 0, 0); // every other one is reset, as scanners do
                }
            }
        }
        assertUnharmed();
        Map<Part, Long> after = logBytes();
        for (Part part : Part.values()) {
            assertThat(after.get(part) - before.get(part))
                    .as("what the scan made " + part.command() + " write")
                    .isLessThan(3L * CALLS * 600);
        }
    }

    private static byte[] random() {
        byte[] bytes = new byte[1000];
        new Random(5).nextBytes(bytes);
        return bytes;
    }

    private Map<Part, Long> logBytes() throws IOException {
        Map<Part, Long> sizes = new LinkedHashMap<>();
        for (Part part : new ArrayList<>(List.of(Part.values()))) {
            sizes.put(part, Files.size(chain.logFile(part)));
        }
        return sizes;
    }
}
