package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.ClientPrograms;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.core.model.Attributes;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified globus-url-copy against the server, without GSI. */
class GlobusClientTest extends ClientPrograms {
    @BeforeEach
    void start() throws Exception {
        Program.needs("globus-url-copy");
        ftp = FtpFixture.start(config -> config);
    }

    private Program.Result copy(String options, String from, String to) throws Exception {
        return copy(List.of(), options, from, to).succeeded();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-p 1",
                "-p 4",
                "-p 16",
                "-fast",
                "-tcp-bs 262144 -p 2",
                "-stripe -p 2",
                "-dp",
                "-dp -p 2",
                "-ipv6",
                "-fast -bs 1000",
                "-p 4 -bs 10000",
                "-off 0 -fast"
            })
    void putsAFile(String options) throws Exception {
        byte[] bytes = file("f", 10_000_001);
        ftp.remote.connect();

        copy(options, local("f"), url("/site-b/up/f"));

        assertThat(ftp.spool.content("site-b", "up/f")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-fast", "-p 4"})
    void putsAnEmptyFile(String options) throws Exception {
        file("empty", 0);

        copy(options, local("empty"), url("/site-b/e"));

        assertThat(ftp.spool.content("site-b", "e")).isEmpty();
    }

    @Test
    void putsSeveralFilesOverTheSameConnections() throws Exception {
        byte[] a = file("many/a", 3_000_000);
        byte[] b = file("many/b", 5);
        byte[] c = file("many/c", 0);
        byte[] d = file("many/d", 8_000_000);

        Program.Result result = copy("-p 4 -cd", local("many/*"), url("/site-b/m/"));

        assertThat(ftp.spool.content("site-b", "m/a")).isEqualTo(a);
        assertThat(ftp.spool.content("site-b", "m/b")).isEqualTo(b);
        assertThat(ftp.spool.content("site-b", "m/c")).isEqualTo(c);
        assertThat(ftp.spool.content("site-b", "m/d")).isEqualTo(d);
        assertThat(result.output().split("227 Entering")).hasSize(2);
        assertThat(result.output()).contains("125 Reusing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-r -cd", "-r -cd -fast", "-r -cd -p 4", "-r -cd -cc 3 -p 2"})
    void putsATree(String options) throws Exception {
        byte[] a = file("tree/a", 1_000_000);
        byte[] b = file("tree/sub/b", 200_000);
        byte[] c = file("tree/sub/deep/c", 1);
        Files.createDirectories(directory.resolve("tree/emptydir"));

        copy(options, local("tree/"), url("/site-b/n/"));

        assertThat(ftp.spool.content("site-b", "n/a")).isEqualTo(a);
        assertThat(ftp.spool.content("site-b", "n/sub/b")).isEqualTo(b);
        assertThat(ftp.spool.content("site-b", "n/sub/deep/c")).isEqualTo(c);
        assertThat(ftp.spool.all()).anyMatch(state -> state.manifest().name().equals("n/emptydir"));
    }

    @Test
    void offsetOnAFileThatIsNotThereIsAPatchOntoNothing() throws Exception {
        byte[] bytes = file("f", 1000);
        ftp.remote.connect();

        Program.run(directory, "globus-url-copy", "-fast", "-off", "500", local("f"), url("/site-b/off"))
                .succeeded();

        assertThat(ftp.spool.content("site-b", "off")).isEqualTo(Arrays.copyOfRange(bytes, 500, 1000));
        assertThat(ftp.spool.all().get(0).manifest().attributes())
                .containsEntry(Attributes.OFFSET, "500")
                .containsEntry(Attributes.BASE_SIZE, Attributes.NO_BASE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-p 1",
                "-p 4",
                "-p 16",
                "-fast",
                "-tcp-bs 262144 -p 2",
                "-stripe -p 2",
                "-stripe -sbs 100000 -p 2",
                "-dp",
                "-dp -p 2"
            })
    void getsAFile(String options) throws Exception {
        byte[] bytes = far("in/f", 10_000_001);

        copy(options, url("/site-b/in/f"), local("got"));

        assertThat(got("got")).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-fast", "-p 4"})
    void getsAnEmptyFile(String options) throws Exception {
        far("empty", 0);

        copy(options, url("/site-b/empty"), local("got"));

        assertThat(got("got")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-off 1000 -len 5000", "-off 1000 -len 5000 -fast", "-off 70000 -len 200000 -p 3"})
    void getsAPart(String options) throws Exception {
        byte[] bytes = far("f", 1_000_000);
        String[] words = options.split(" ");
        int offset = Integer.parseInt(words[1]);
        int length = Integer.parseInt(words[3]);

        copy(options, url("/site-b/f"), local("got"));

        // The client keeps the positions in its file, behind a hole.
        byte[] expected = new byte[offset + length];
        System.arraycopy(bytes, offset, expected, offset, length);
        assertThat(got("got")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-r -cd", "-r -cd -fast", "-r -cd -p 4", "-r -cd -p 4 -fast", "-r -cd -cc 2 -p 2"})
    void getsATree(String options) throws Exception {
        byte[] a = far("tree/a", 1_000_000);
        byte[] b = far("tree/sub/b", 200_000);
        byte[] c = far("tree/sub/deep/c", 1);

        copy(options, url("/site-b/tree/"), local("n/"));

        assertThat(got("n/a")).isEqualTo(a);
        assertThat(got("n/sub/b")).isEqualTo(b);
        assertThat(got("n/sub/deep/c")).isEqualTo(c);
    }

    @Test
    void listsADirectory() throws Exception {
        far("tree/a", 10);
        far("tree/sub/b", 10);

        Program.Result result = Program.run(directory, "globus-url-copy", "-list", url("/site-b/tree/"))
                .succeeded();

        assertThat(result.output()).contains("    a ").contains("    sub/\n");
    }

    @Test
    void missingFileIsRefusedInWords() throws Exception {
        ftp.remote.connect();

        Program.Result result =
                Program.run(directory, "globus-url-copy", "-fast", url("/site-b/missing"), local("got"));

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains("No such file or directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-fast", "-p 4", "-p 2 -stripe", "-p 2 -dp"})
    void copiesFromServerToServer(String options) throws Exception {
        byte[] bytes = far("f", 5_000_001);

        copy(options, url("/site-b/f"), url("/site-c/f"));

        assertThat(ftp.spool.content("site-c", "f")).isEqualTo(bytes);
    }

    @Test
    void copiesATreeFromServerToServer() throws Exception {
        byte[] a = far("tree/a", 1_000_000);
        byte[] b = far("tree/sub/b", 200_000);

        copy("-r -cd -pp -fast", url("/site-b/tree/"), url("/site-c/t/"));

        assertThat(ftp.spool.content("site-c", "t/a")).isEqualTo(a);
        assertThat(ftp.spool.content("site-c", "t/sub/b")).isEqualTo(b);
    }

    @Test
    void copiesBetweenThisServerAndARealGlobusServer() throws Exception {
        byte[] bytes = far("f", 5_000_001);
        try (FarServerProcess globus = FarServerProcess.globus(directory.resolve("globus"))) {
            String there = "ftp://127.0.0.1:" + globus.port() + globus.root();

            copy("-p 4", url("/site-b/f"), there + "/x");
            copy("-p 4", there + "/x", url("/site-c/y"));

            assertThat(Files.readAllBytes(globus.root().resolve("x"))).isEqualTo(bytes);
            assertThat(ftp.spool.content("site-c", "y")).isEqualTo(bytes);
        }
    }
}
