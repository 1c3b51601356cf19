package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.common.testkit.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified globus-url-copy against the server, without GSI. */
class GlobusClientTest {
    @TempDir
    Path directory;

    private FtpFixture ftp;

    @BeforeEach
    void start() throws Exception {
        Program.needs("globus-url-copy");
        ftp = FtpFixture.start(config -> config);
    }

    @AfterEach
    void stop() {
        ftp.close();
        assertThat(ftp.pool.available()).as("buffers given back").isEqualTo(ftp.pool.capacity());
    }

    private byte[] file(String name, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        return bytes;
    }

    private String local(String name) {
        return "file://" + directory + "/" + name;
    }

    private String url(String path) {
        return "ftp://127.0.0.1:" + ftp.port + path;
    }

    private Program.Result copy(String options, String from, String to) throws Exception {
        List<String> command = new ArrayList<>(List.of("globus-url-copy", "-dbg"));
        command.addAll(List.of(options.split(" ")));
        command.removeIf(String::isEmpty);
        command.add(from);
        command.add(to);
        return Program.run(directory, command.toArray(String[]::new)).succeeded();
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
    void offsetOnAFileThatIsNotHereIsRefusedInWords() throws Exception {
        file("f", 1000);

        Program.Result result = Program.run(
                directory, "globus-url-copy", "-dbg", "-fast", "-off", "500", local("f"), url("/site-b/off"));

        assertThat(result.exitStatus()).isNotZero();
        assertThat(result.output()).contains("550 /site-b/off: No such file or directory");
    }
}
