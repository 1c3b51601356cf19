package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.ClientPrograms;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Program;
import io.hawser.store.spool.SpoolPhase;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Unmodified client programs against the server. */
class RealClientsTest extends ClientPrograms {
    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.start(config -> config);
    }

    @Test
    void curlUploadsAFile() throws Exception {
        byte[] bytes = file("f", 3_000_001);

        Program.Result result = Program.run(directory, "curl", "-sSv", "-T", "f", url("/site-b/in/f"));

        result.succeeded();
        assertThat(result.output()).contains("226 Transfer ").contains(" spooled.");
        assertThat(ftp.spool.content("site-b", "in/f")).isEqualTo(bytes);
    }

    @Test
    void curlUploadsManyFilesOverOneConnection() throws Exception {
        byte[] a = file("a", 10);
        byte[] b = file("b", 200_000);
        byte[] empty = file("empty", 0);

        Program.run(directory, "curl", "-sS", "-T", "{a,b,empty}", url("/site-b/many/"))
                .succeeded();

        assertThat(ftp.spool.content("site-b", "many/a")).isEqualTo(a);
        assertThat(ftp.spool.content("site-b", "many/b")).isEqualTo(b);
        assertThat(ftp.spool.content("site-b", "many/empty")).isEqualTo(empty);
    }

    @Test
    void curlUploadsExactlyOneFragmentAndOneByteMoreOrLess() throws Exception {
        for (int length :
                new int[] {1, FtpFixture.FRAGMENT_BYTES - 1, FtpFixture.FRAGMENT_BYTES, FtpFixture.FRAGMENT_BYTES + 1
                }) {
            byte[] bytes = file("f", length);

            Program.run(directory, "curl", "-sS", "-T", "f", url("/site-b/f" + length))
                    .succeeded();

            assertThat(ftp.spool.content("site-b", "f" + length)).isEqualTo(bytes);
        }
    }

    @Test
    void curlCreatesDirectoriesByUploadingIntoThem() throws Exception {
        byte[] bytes = file("f", 1000);

        Program.run(directory, "curl", "-sS", "--ftp-create-dirs", "-T", "f", url("/site-b/x/y/z/f"))
                .succeeded();
        Program.run(directory, "curl", "-sS", "--ftp-method", "nocwd", "-T", "f", url("/site-b/n/f"))
                .succeeded();
        Program.run(directory, "curl", "-sS", "--disable-epsv", "-T", "f", url("/site-b/pasv"))
                .succeeded();

        assertThat(ftp.spool.content("site-b", "x/y/z/f")).isEqualTo(bytes);
        assertThat(ftp.spool.content("site-b", "n/f")).isEqualTo(bytes);
        assertThat(ftp.spool.content("site-b", "pasv")).isEqualTo(bytes);
    }

    @Test
    void curlUploadsNamesOfAllKinds() throws Exception {
        byte[] bytes = file("f", 1000);
        String longName = "n".repeat(255);

        for (String[] name : new String[][] {
            {"with%20space", "with space"},
            {"-dash", "-dash"},
            {"%C3%BC%E2%82%AC", "\u00fc\u20ac"},
            {"latin1-%FC", "latin1-\uf7fc"},
            {"%22quoted%22", "\"quoted\""},
            {longName, longName}
        }) {
            Program.run(directory, "curl", "-sS", "--ftp-method", "nocwd", "-T", "f", url("/site-b/" + name[0]))
                    .succeeded();
            assertThat(ftp.spool.content("site-b", name[1])).as(name[1]).isEqualTo(bytes);
        }
        assertThat(Program.run(directory, "curl", "-sS", "-T", "f", url("/site-b/" + longName + "x"))
                        .exitStatus())
                .isNotZero();
    }

    @Test
    void curlContinuesAnUploadThatBrokeOff() throws Exception {
        byte[] bytes = file("f", 1_000_000);
        try (RawFtp client = RawFtp.login(ftp.port)) {
            java.net.Socket data = client.passive();
            client.expect("STOR /site-b/f", 150);
            data.getOutputStream().write(bytes, 0, 300_000);
            await().until(() -> ftp.spool.all().get(0).durableBytes() >= 4 * FtpFixture.FRAGMENT_BYTES);
            client.abandon(data);
        }
        await().until(() -> ftp.spool.all().stream().anyMatch(t -> t.phase() == SpoolPhase.INCOMPLETE));

        Program.Result result = Program.run(directory, "curl", "-sSv", "-C", "-", "-T", "f", url("/site-b/f"));

        result.succeeded();
        assertThat(result.output()).contains("APPE f");
        assertThat(ftp.spool.all()).hasSize(1);
        assertThat(ftp.spool.content("site-b", "f")).isEqualTo(bytes);
    }

    @Test
    void ftplibUploadsTextsAndBytesAndLists() throws Exception {
        ftp.remote.connect();
        byte[] bytes = file("f", 500_000);
        Files.writeString(directory.resolve("t"), "one\ntwo\n");
        Files.writeString(directory.resolve("script.py"), """
                import ftplib, sys
                ftp = ftplib.FTP()
                ftp.connect('127.0.0.1', int(sys.argv[1]))
                ftp.login()
                ftp.cwd('/site-b')
                ftp.mkd('dir')
                ftp.cwd('dir')
                print(ftp.pwd())
                print(ftp.storbinary('STOR f', open('f', 'rb')))
                print(ftp.storlines('STOR t', open('t', 'rb')))
                print(ftp.nlst())
                print([(n, f['type'], f.get('size')) for n, f in ftp.mlsd()])
                ftp.retrlines('LIST')
                ftp.voidcmd('TYPE I')
                print(ftp.size('f'))
                print(ftp.nlst('/'))
                try:
                    ftp.mkd('/site-b/dir')
                except ftplib.error_perm as e:
                    print(e)
                ftp.quit()
                """);

        Program.Result result =
                Program.run(directory, "python3", "script.py", "" + ftp.port).succeeded();

        assertThat(result.output())
                .contains("/site-b/dir")
                .contains("['f', 't']")
                .contains("('f', 'file', '500000')")
                .contains("500000 Nov")
                .contains("['site-b']")
                .contains("550 /site-b/dir: File exists");
        assertThat(ftp.spool.content("site-b", "dir/f")).isEqualTo(bytes);
        assertThat(ftp.spool.content("site-b", "dir/t")).asString().isEqualTo("one\ntwo\n");
        assertThat(ftp.spool.content("site-b", "dir")).isEmpty();
    }

    @Test
    void lftpPutsAFile() throws Exception {
        byte[] bytes = file("f", 500_000);

        Program.run(directory, "lftp", "-p", "" + ftp.port, "127.0.0.1", "-e", "cd site-b; put f -o in-put; bye")
                .succeeded();

        assertThat(ftp.spool.content("site-b", "in-put")).isEqualTo(bytes);
    }

    @Test
    void lftpMirrorsATree() throws Exception {
        ftp.remote.connect(); // it lists the target
        tree();

        Program.run(directory, "lftp", "-p", "" + ftp.port, "127.0.0.1", "-e", "mirror -R tree /site-b/m; bye")
                .succeeded();

        assertTreeArrived("m");
    }

    @Test
    void ncftpputSendsATreeWithItsEmptyDirectory() throws Exception {
        tree();

        Program.run(directory, "ncftpput", "-R", "-m", "-P", "" + ftp.port, "127.0.0.1", "/site-b/n", "tree")
                .succeeded();

        assertTreeArrived("n/tree");
    }

    @Test
    void lftpContinuesAnUploadThatBrokeOff() throws Exception {
        byte[] bytes = file("f", 400_000);
        try (RawFtp client = RawFtp.login(ftp.port)) {
            java.net.Socket data = client.passive();
            client.expect("STOR /site-b/f", 150);
            data.getOutputStream().write(bytes, 0, 100_000);
            await().until(() -> ftp.spool.all().get(0).durableBytes() >= FtpFixture.FRAGMENT_BYTES);
            client.abandon(data);
        }
        await().until(() -> ftp.spool.all().stream().anyMatch(t -> t.phase() == SpoolPhase.INCOMPLETE));

        Program.run(directory, "lftp", "-p", "" + ftp.port, "127.0.0.1", "-e", "cd site-b; put -c f; bye")
                .succeeded();

        assertThat(ftp.spool.content("site-b", "f")).isEqualTo(bytes);
        assertThat(ftp.spool.all())
                .filteredOn(t -> t.manifest().kind() == TransferKind.FILE)
                .hasSize(1);
    }

    private void tree() throws Exception {
        Files.createDirectories(directory.resolve("tree/sub/deep"));
        Files.createDirectories(directory.resolve("tree/emptydir"));
        file("tree/a", 1000);
        file("tree/sub/b", 0);
        file("tree/sub/deep/c", 300_000);
    }

    private void assertTreeArrived(String below) throws Exception {
        for (String name : new String[] {"a", "sub/b", "sub/deep/c"}) {
            assertThat(ftp.spool.content("site-b", below + "/" + name))
                    .as(name)
                    .isEqualTo(Files.readAllBytes(directory.resolve("tree/" + name)));
        }
        assertThat(ftp.spool.all().stream()
                        .filter(t -> t.manifest().kind() == TransferKind.MAKE_DIRECTORY)
                        .map(t -> t.manifest().name()))
                .contains(below + "/emptydir");
    }
}
