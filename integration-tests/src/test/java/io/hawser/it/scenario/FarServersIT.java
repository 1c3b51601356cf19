package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.FarServerProcess;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.release.process.ProcessChain.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** agent-b in front of servers that are there already. */
@Tag("full")
class FarServersIT extends Scenario {
    @Test
    void vsftpdGetsTheFileAlthoughAgentBAndItselfAreKilledInTheMiddle() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"), "anon_max_rate=8000000")) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();

            killBothOnTheWay(server, sample("big.bin", 40 * MIB, 1));
        }
    }

    @Test
    void globusGetsTheFileAlthoughAgentBAndItselfAreKilledInTheMiddle() throws Exception {
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("globus"))) {
            chain.into("gridftp://127.0.0.1:" + server.port() + server.root() + "/in")
                    .startAll();

            killBothOnTheWay(server, sample("big.bin", 400 * MIB, 1));
        }
    }

    @Test
    void vsftpdHasTheBeginningWhileTheUploadStillComesInAndIsAppendedTo() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();

            killBothWhileItComesInAndAppend(server);
        }
    }

    @Test
    void pyftpdlibHasTheBeginningWhileTheUploadStillComesInAndIsAppendedTo() throws Exception {
        try (FarServerProcess server = FarServerProcess.pyftpdlib(directory.resolve("pyftpdlib"), 0)) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();

            killBothWhileItComesInAndAppend(server);
        }
    }

    @Test
    void globusHasTheBeginningWhileTheUploadStillComesInAndIsAppendedTo() throws Exception {
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("globus"))) {
            chain.into("gridftp://127.0.0.1:" + server.port() + server.root() + "/in")
                    .startAll();

            killBothWhileItComesInAndAppend(server);
        }
    }

    /** A patch: the file there, and more behind it. */
    private void append(FarServerProcess server, Path base, Path there) throws Exception {
        Path more = sample("more.bin", 100_000, 5);
        upload(more, "sub/growing.bin", "--append");

        await("the patched file").until(() -> Files.size(there) > Files.size(base));
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        Files.copy(base, wanted);
        Files.copy(more, wanted);
        assertThat(Files.readAllBytes(there)).isEqualTo(wanted.toByteArray());
        assertThat(files(server)).containsExactly(there);
    }

    private void killBothWhileItComesInAndAppend(FarServerProcess server) throws Exception {
        Path source = sample("growing.bin", 32 * MIB, 3);
        Path there = server.root().resolve("in/sub/growing.bin");
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "sub/growing.bin", 16 * MIB)) {
            awaitFarBytes(server, 12 * MIB);
            assertThat(files(server)).hasSize(1).doesNotContain(there);

            chain.kill(Part.AGENT_B);
            chain.start(Part.AGENT_B);
            server.kill();
            server.restart();
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        await("the file at the far server").until(() -> Files.exists(there));
        assertThat(Files.mismatch(source, there)).isEqualTo(-1);
        await("the receipt").until(() -> receipts("growing.bin", "delivered") == 1);
        assertThat(files(server)).containsExactly(there);
        append(server, source, there);
    }

    private void killBothOnTheWay(FarServerProcess server, Path source) throws Exception {
        upload(source, "sub/big.bin");
        Path there = server.root().resolve("in/sub/big.bin");

        awaitFarBytes(server, MIB);
        chain.kill(Part.AGENT_B);
        chain.start(Part.AGENT_B);
        awaitFarBytes(server, 4 * MIB);
        server.kill();
        server.restart();

        await("the file at the far server").until(() -> Files.exists(there));
        assertThat(Files.mismatch(source, there)).isEqualTo(-1);
        await("the receipt").until(() -> receipts("big.bin", "delivered") == 1);
        assertThat(files(server)).containsExactly(there);
    }

    /** Waits until some file of the server is that large. */
    private static void awaitFarBytes(FarServerProcess server, long bytes) {
        await("bytes at the far server")
                .pollInterval(java.time.Duration.ofMillis(5))
                .until(() -> {
                    for (Path file : files(server)) {
                        if (Files.size(file) >= bytes) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    private static List<Path> files(FarServerProcess server) throws IOException {
        try (Stream<Path> paths = Files.walk(server.root())) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    private FTPClient login() throws IOException {
        FTPClient client = new FTPClient();
        client.connect("127.0.0.1", chain.ftp().port());
        client.setSoTimeout((int) LIMIT.toMillis());
        client.enterLocalPassiveMode();
        assertThat(client.login("anonymous", "x")).isTrue();
        client.setFileType(FTP.BINARY_FILE_TYPE);
        return client;
    }

    private static void done(FTPClient client, boolean done) {
        assertThat(done).as(client::getReplyString).isTrue();
    }

    private static void store(FTPClient client, String path) throws IOException {
        done(client, client.storeFile(path, new ByteArrayInputStream(path.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void namesTimesAndModesAreChangedAtAServerThatWantsAnAccount() throws Exception {
        try (FarServerProcess server = FarServerProcess.withAccount(directory.resolve("account"))) {
            Path secret = Files.writeString(directory.resolve("secret"), FarServerProcess.PASSWORD);
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            chain.into(server.url("in").replace("://", "://" + FarServerProcess.ACCOUNT + "@"))
                    .with(Part.AGENT_B, "--into-password-file", secret.toString())
                    .startAll();
            Path there = server.root().resolve("in");
            FTPClient client = login();

            done(client, client.makeDirectory("d"));
            store(client, "d/new.tmp");
            done(client, client.rename("d/new.tmp", "d/new"));
            done(client, client.setModificationTime("d/new", "20200102030405"));
            done(client, client.sendSiteCommand("CHMOD 640 d/new"));
            store(client, "d/other");
            await("the other file").until(() -> Files.exists(there.resolve("d/other")));

            // Between paths there is no order: a server that refuses one connection has the other file first.
            await("the renamed file").until(() -> Files.exists(there.resolve("d/new")));
            assertThat(there.resolve("d/new")).hasContent("d/new.tmp");
            assertThat(there.resolve("d/new.tmp")).doesNotExist();
            awaitState(there.resolve("d/new"), "rw-r-----", "2020-01-02T03:04:05Z");
            done(client, client.sendSiteCommand("CHMOD 600 d/other")); // it is at the far server alone now
            done(client, client.setModificationTime("d/other", "20210102030405"));
            awaitState(there.resolve("d/other"), "rw-------", "2021-01-02T03:04:05Z");
            done(client, client.rename("d/other", "d/new")); // over a file that is there
            assertThat(there.resolve("d/new")).hasContent("d/other");
            assertThat(client.removeDirectory("d")).isFalse();
            assertThat(client.getReplyString()).startsWith("550");
            done(client, client.deleteFile("d/new"));
            done(client, client.removeDirectory("d"));
            assertThat(there.resolve("d")).doesNotExist();
            client.disconnect();
        }
    }

    private static void awaitState(Path file, String mode, String modified) {
        await("mode and time of " + file)
                .until(() -> PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                                .equals(mode)
                        && Files.getLastModifiedTime(file).equals(FileTime.from(Instant.parse(modified))));
    }

    @Test
    void whatCannotBeDeliveredIsOnTheListUntilTheOperatorHasItTriedAgain() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            server.kill();
            chain.into("ftp://127.0.0.1:" + server.port() + "/in")
                    .with(Part.AGENT_B, "--into-deadline", "1s")
                    .startAll();
            Path source = sample("small.bin", 1000, 2);
            upload(source, "small.bin");
            await("the dead letter").until(() -> dead("list").contains("small.bin"));
            assertThat(dead("list")).contains("cannot connect");

            chain.kill(Part.AGENT_B);
            chain.start(Part.AGENT_B);
            server.restart();
            assertThat(dead("retry", "--all")).contains("tried again", "small.bin");

            Path there = server.root().resolve("in/small.bin");
            await("the file at the far server").until(() -> Files.exists(there));
            assertThat(Files.mismatch(source, there)).isEqualTo(-1);
            assertThat(dead("list")).contains("no dead letters");
        }
    }

    @Test
    void aDroppedOneIsReportedToItsPublisher() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            server.kill();
            chain.into("ftp://127.0.0.1:" + server.port() + "/in")
                    .with(Part.AGENT_B, "--into-deadline", "1s")
                    .startAll();
            upload(sample("small.bin", 1000, 2), "small.bin");
            await("the dead letter").until(() -> dead("list").contains("small.bin"));
            assertThat(receipts("small.bin", "failed")).isZero();

            assertThat(dead("drop", "--all")).contains("dropped", "small.bin");

            await("the receipt").until(() -> receipts("small.bin", "failed") == 1);
        }
    }

    private String dead(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("dead"));
        command.addAll(List.of(words));
        command.addAll(
                List.of("--admin", chain.admin(Part.AGENT_B).orElseThrow().toString()));
        return CommandRun.of(command.toArray(String[]::new)).succeeded().out();
    }
}
