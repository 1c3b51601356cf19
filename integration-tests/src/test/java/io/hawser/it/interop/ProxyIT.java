package io.hawser.it.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.core.testkit.ReservedPort;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents reach their broker through Debian's own HTTP proxies, with mutual TLS inside. */
class ProxyIT {
    private static final String USER = "hawser";
    private static final String PASSWORD = "tow-rope";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private ProcessChain chain;
    private Process proxy;
    private ReservedPort reserved;
    private int port;

    @BeforeEach
    void make() throws IOException {
        chain = new ProcessChain(directory.resolve("chain"));
        reserved = ReservedPort.take();
        port = reserved.number();
    }

    @AfterEach
    void end() throws Exception {
        chain.close();
        if (proxy != null) {
            proxy.destroy();
            proxy.waitFor();
        }
        reserved.close();
    }

    private void start(String... command) throws Exception {
        proxy = Program.start(directory, directory.resolve("proxy.out"), command);
        Awaitility.await("the proxy listens").until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
    }

    /** The proxies drop root's rights, so what they read must be open to others. */
    private Path file(String name, String text) throws IOException {
        Path made = Files.writeString(directory.resolve(name), text);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-r--r--"));
        return made;
    }

    private Path password(String text) throws IOException {
        Path made = directory.resolve("password");
        Files.deleteIfExists(made);
        Files.createFile(made, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(made, text + "\n");
    }

    private void carries(Path log) throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        Path password = password(PASSWORD);
        chain.withTls(keys);
        for (Part agent : List.of(Part.AGENT_A, Part.AGENT_B)) {
            chain.with(agent, "--proxy", "127.0.0.1:" + port, "--proxy-user", USER);
            chain.with(agent, "--proxy-password-file", password.toString());
        }
        chain.startAll();
        Path source = directory.resolve("source");
        SampleFile.write(source, 5 << 20, 1);
        try (Curl curl = Curl.upload(chain.ftp(), source, "through")) {
            assertThat(curl.await(TestTimes.LIMIT)).isZero();
        }
        Path arrived = chain.target().resolve("through");
        Awaitility.await("delivery").until(() -> Files.exists(arrived));
        assertThat(arrived).hasSameBinaryContentAs(source);
        String target = "127.0.0.1:" + chain.brokerPtcp().port();
        Awaitility.await("the proxy's log").until(() -> Files.readString(log).contains(target));
    }

    private void refusesAnotherPassword(String sentence) throws Exception {
        chain.stop(Part.AGENT_B);
        password("another");
        chain.start(Part.AGENT_B);
        Awaitility.await("a refusal").until(() -> chain.node(Part.AGENT_B).log().contains(sentence));
        assertThat(chain.node(Part.AGENT_B).log()).doesNotContain("another").doesNotContain("\tat ");
    }

    @Test
    void throughSquidWithDigest() throws Exception {
        if (!Program.isThere("squid")) {
            Program.missing("squid", "squid");
        }
        String realm = "ropes";
        String secret = HexFormat.of()
                .formatHex(MessageDigest.getInstance("MD5")
                        .digest((USER + ":" + realm + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8)));
        Path users = file("users", USER + ":" + realm + ":" + secret + "\n");
        Path log = file("access.log", "");
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path cacheLog = file("cache.log", "");
        Files.setPosixFilePermissions(cacheLog, PosixFilePermissions.fromString("rw-rw-rw-"));
        Path config = file(
                "squid.conf",
                String.join(
                        "\n",
                        "http_port 127.0.0.1:" + port,
                        "auth_param digest program /usr/lib/squid/digest_file_auth -c " + users,
                        "auth_param digest realm " + realm,
                        "acl known proxy_auth REQUIRED",
                        "http_access allow known",
                        "http_access deny all",
                        "access_log stdio:" + log,
                        "cache_log " + cacheLog,
                        "cache deny all",
                        "pid_filename none",
                        "shutdown_lifetime 0 seconds",
                        "workers 1",
                        "coredump_dir " + directory,
                        ""));
        start("squid", "-N", "-f", config.toString());
        carries(log);
        refusesAnotherPassword("does not accept the name and the password");
    }

    @Test
    void throughTinyproxyWithBasic() throws Exception {
        if (!Program.isThere("tinyproxy")) {
            Program.missing("tinyproxy", "tinyproxy");
        }
        Path log = file("tinyproxy.log", "");
        Path config = file(
                "tinyproxy.conf",
                String.join(
                        "\n",
                        "Port " + port,
                        "Listen 127.0.0.1",
                        "Timeout 600",
                        "LogFile \"" + log + "\"",
                        "LogLevel Connect",
                        "MaxClients 200",
                        "BasicAuth " + USER + " " + PASSWORD,
                        ""));
        start("tinyproxy", "-d", "-c", config.toString());
        carries(log);
        refusesAnotherPassword("401 Unauthorized"); // it does not ask again
    }
}
