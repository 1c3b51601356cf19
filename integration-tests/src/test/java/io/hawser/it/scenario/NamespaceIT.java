package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.Program;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes of names through the whole chain: in order and once, also when nodes are away and when they die; and by real clients. */
class NamespaceIT extends Scenario {
    private FTPClient login() throws IOException {
        FTPClient client = new FTPClient();
        client.setDataTimeout(TestTimes.LIMIT);
        client.connect("127.0.0.1", chain.ftp().port());
        client.setSoTimeout(TestTimes.MILLIS);
        client.enterLocalPassiveMode();
        assertThat(client.login("anonymous", "x")).isTrue();
        client.setFileType(FTP.BINARY_FILE_TYPE);
        return client;
    }

    private static void store(FTPClient client, String path, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        assertThat(client.storeFile(path, new ByteArrayInputStream(bytes)))
                .as(client.getReplyString())
                .isTrue();
    }

    private static void rename(FTPClient client, String from, String to) throws IOException {
        assertThat(client.rename(from, to)).as(client.getReplyString()).isTrue();
    }

    private void awaitContent(String path, String content) {
        await(path)
                .until(() -> Files.exists(delivered(path))
                        && Files.readString(delivered(path)).equals(content));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void changesThatFailAfterTheirReplyAreShownAtAgentA() throws Exception {
        chain.startAll();
        Path file = sample("file", 1000, 1);
        upload(file, "delivered from here");
        awaitDelivered(file, "delivered from here");
        Files.copy(file, delivered("put there by others"));
        Files.copy(file, delivered("renamed in vain"));
        Files.createDirectories(delivered("directory of others"));
        FTPClient client = login();
        assertThat(client.rename("renamed in vain", "directory of others")).isFalse();
        assertThat(client.getReplyString()).as("its failure is its reply").startsWith("550 ");
        chain.kill(Part.AGENT_B);

        assertThat(client.mkd("delivered from here"))
                .as(client.getReplyString())
                .isEqualTo(550);
        assertThat(client.mkd("put there by others")).as("nobody can know").isEqualTo(257);
        client.disconnect();

        chain.start(Part.AGENT_B);
        await("the warning")
                .until(() -> page(Part.AGENT_A, "/health").contains("1 accepted transfer was not delivered"));
        assertThat(page(Part.AGENT_A, "/metrics")).contains("hawser_spool_failed_transfers 1.0");
        assertThat(chain.status(Part.AGENT_A, "put there by others").map(TransferStatus::state))
                .contains("failed");
    }

    @Test
    @Tag("full")
    void temporaryNamesAreRenamedWhileTheFarEndIsAwayAndNodesDie() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        FTPClient client = login();
        for (int i = 0; i < 20; i++) {
            store(client, "x.tmp", "number " + i);
            rename(client, "x.tmp", "x" + i);
        }
        store(client, "gone", "never to be seen for long");
        assertThat(client.deleteFile("gone")).isTrue();
        assertThat(client.getModificationTime("x3")).isNotNull();
        assertThat(client.setModificationTime("x3", "20200102030405")).isTrue();
        assertThat(client.sendSiteCommand("CHMOD 640 x3")).isTrue();
        assertThat(client.appendFile("x5", new ByteArrayInputStream(new byte[] {'!'})))
                .as(client.getReplyString())
                .isTrue();
        client.disconnect();

        chain.kill(Part.AGENT_A);
        chain.kill(Part.BROKER);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        awaitContent("x0", "number 0");
        chain.kill(Part.AGENT_B);
        chain.kill(Part.BROKER);
        FTPClient later = login();
        store(later, "x.tmp", "the last");
        later.disconnect();
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);

        awaitContent("x.tmp", "the last");
        for (int i = 0; i < 20; i++) {
            awaitContent("x" + i, "number " + i + (i == 5 ? "!" : ""));
        }
        await("the deletion").until(() -> !Files.exists(delivered("gone")));
        assertThat(visible(chain.target())).hasSize(21);
        await("the mode").until(() -> PosixFilePermissions.toString(Files.getPosixFilePermissions(delivered("x3")))
                .equals("rw-r-----"));
        assertThat(Files.getLastModifiedTime(delivered("x3")))
                .isEqualTo(FileTime.from(Instant.parse("2020-01-02T03:04:05Z")));
    }

    @Test
    void whatTheFarEndHasIsChangedThereBeforeTheReply() throws Exception {
        chain.startAll();
        Files.createDirectories(delivered("dir/inner"));
        Files.writeString(delivered("dir/old"), "there before");
        Files.createSymbolicLink(delivered("out"), directory);
        Files.createSymbolicLink(delivered("in"), Path.of("dir"));
        FTPClient client = login();

        await("the far end's answers").until(() -> client.sendCommand("SIZE", "dir/old") == 213);
        for (String impossible : List.of("dir/old/x", "out/x", "in/x", "in/inner/x")) {
            assertThat(client.storeFile(impossible, new ByteArrayInputStream(new byte[1])))
                    .isFalse();
            assertThat(client.getReplyString()).startsWith("553").containsAnyOf("Not a directory", "Permission denied");
        }
        assertThat(client.sendCommand("SIZE", "in/old")).isEqualTo(213);
        assertThat(client.deleteFile("in/old")).isFalse();
        assertThat(client.getReplyString()).startsWith("550").contains("symbolic links are not followed");
        assertThat(client.deleteFile("in")).isTrue();
        assertThat(delivered("dir/old")).exists();
        rename(client, "dir/old", "dir/new");
        assertThat(delivered("dir/new")).hasContent("there before");
        assertThat(client.deleteFile("dir/old")).isFalse();
        assertThat(client.getReplyString()).startsWith("550").contains("No such file or directory");
        assertThat(client.removeDirectory("dir")).isFalse();
        assertThat(client.getReplyString()).startsWith("550").contains("Directory not empty");
        assertThat(client.removeDirectory("dir/inner")).isTrue();
        assertThat(client.deleteFile("dir/new")).isTrue();
        assertThat(client.removeDirectory("dir")).isTrue();
        assertThat(delivered("dir")).doesNotExist();

        chain.kill(Part.AGENT_B);
        assertThat(client.deleteFile("dir/new")).isFalse();
        assertThat(client.getReplyString()).startsWith("450");
        client.disconnect();
    }

    @Test
    void filesAtTheFarEndAreAppendedToAndContinued() throws Exception {
        chain.startAll();
        String url = "ftp://127.0.0.1:" + chain.ftp().port() + "/log";
        Files.writeString(directory.resolve("one"), "one ");
        Files.writeString(directory.resolve("whole"), "one two three");
        Path there = delivered("log");
        Files.writeString(there, "one ");
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rw-r-----"));

        Program.run(directory, "curl", "-sS", "-a", "-T", "one", url).succeeded();
        awaitContent("log", "one one ");
        Files.writeString(there, "one t");
        // 450 until agent-a has the receipt of the first one
        await("continued")
                .until(() -> Program.run(directory, "curl", "-sS", "-C", "5", "-T", "whole", url)
                                .exitStatus()
                        == 0);
        awaitContent("log", "one two three");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there)))
                .isEqualTo("rw-r-----");

        chain.kill(Part.AGENT_B);
        FTPClient client = login();
        assertThat(client.appendFile("log", new ByteArrayInputStream(new byte[1])))
                .isFalse();
        assertThat(client.getReplyString()).startsWith("450");
        client.disconnect();
    }

    @Test
    void realClientsRenameDeleteAndMirrorWithTimesAndModes() throws Exception {
        chain.startAll();
        Path source = Files.createDirectories(directory.resolve("tree/sub"));
        Path file = Files.writeString(source.resolve("f"), "mirrored");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2019-05-06T07:08:09Z")));
        String port = Integer.toString(chain.ftp().port());

        Program.run(directory, "lftp", "-p", port, "127.0.0.1", "-e", "mirror -R tree; mv tree/sub/f tree/g; bye")
                .succeeded();
        awaitContent("tree/g", "mirrored");
        await("time").until(() -> Files.getLastModifiedTime(delivered("tree/g"))
                .equals(FileTime.from(Instant.parse("2019-05-06T07:08:09Z"))));
        await("mode").until(() -> PosixFilePermissions.toString(Files.getPosixFilePermissions(delivered("tree/g")))
                .equals("rw-r-----"));
        Program.run(directory, "curl", "-sS", "ftp://127.0.0.1:" + port + "/", "-Q", "-DELE tree/g", "-o", "/dev/null")
                .succeeded();
        await("deletion").until(() -> !Files.exists(delivered("tree/g")));
        Program.run(directory, "lftp", "-p", port, "127.0.0.1", "-e", "rmdir tree/sub tree; bye")
                .succeeded();
        await("removal").until(() -> !Files.exists(delivered("tree")));
        String python = """
                import ftplib, io
                f = ftplib.FTP(); f.connect('127.0.0.1', %s); f.login()
                f.mkd('p'); f.storbinary('STOR p/x.part', io.BytesIO(b'python')); f.rename('p/x.part', 'p/x')
                f.storbinary('STOR p/y', io.BytesIO(b'1')); f.delete('p/y'); f.mkd('p/q'); f.rmd('p/q'); f.quit()
                """.formatted(port);
        Program.run(directory, "python3", "-c", python).succeeded();
        awaitContent("p/x", "python");
        await("python's deletions").until(() -> !Files.exists(delivered("p/y")) && !Files.exists(delivered("p/q")));
    }
}
