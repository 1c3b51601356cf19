package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.testkit.ClientPrograms;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.GsiClient;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Program;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies between this server and a real globus-gridftp-server by a third party, in both directions: the two authenticate each other, and who
 * is dialled depends on the mode and the direction.
 */
class GsiThirdPartyTest extends ClientPrograms {
    private static final String TLS_1_2 = "GLOBUS_GSSAPI_MAX_TLS_PROTOCOL=TLS1_2_VERSION";

    /** Of a program that the C library ended. gfal-copy of Debian corrupts its own memory now and then ("free(): invalid pointer"). */
    private static final int ABORTED = 134;

    @TempDir
    static Path grid;

    private static GridPki pki;
    private static Credential anna;
    private static Credential ben;
    private static Path host;
    private static Path annasProxy;
    private static Path bensProxy;

    private FarServerProcess globus;

    @BeforeAll
    static void grid() throws Exception {
        Program.needs("globus-url-copy");
        pki = GridPki.in(grid);
        anna = pki.proxy(pki.user("Anna"), ProxyForm.FULL);
        ben = pki.proxy(pki.user("Ben"), ProxyForm.FULL);
        host = pki.write("host.pem", pki.host());
        annasProxy = pki.write("anna.pem", anna);
        bensProxy = pki.write("ben.pem", ben);
    }

    @BeforeEach
    void startHere() throws Exception {
        GsiFiles files = GsiFiles.open(host, host, pki.trustDirectory(), pki.map(anna, "anna"), false);
        ftp = FtpFixture.start(config -> config.withGsi(files));
    }

    /** A server that lets both users in. */
    private void startThere(String... environment) throws Exception {
        String account = System.getProperty("user.name");
        Path map = Files.writeString(
                directory.resolve("map"),
                "\"" + anna.identity() + "\" " + account + "\n\"" + ben.identity() + "\" " + account + "\n");
        List<String> all = new ArrayList<>(List.of(
                "X509_CERT_DIR=" + pki.trustDirectory(),
                "X509_USER_CERT=" + host,
                "X509_USER_KEY=" + host,
                "GRIDMAP=" + map));
        all.addAll(List.of(environment));
        globus = FarServerProcess.globusWithGsi(directory.resolve("globus"), all);
    }

    @AfterEach
    void end() throws Exception {
        if (globus != null) {
            globus.close();
        }
    }

    private Program.Result copy(String environment, String options, String from, String to) throws Exception {
        List<String> all =
                List.of("X509_CERT_DIR=" + pki.trustDirectory(), "X509_USER_PROXY=" + annasProxy, environment);
        return copy(all, options, from, to);
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "-nodcau, ''",
        "-dcsafe, ''",
        "-dcpriv, ''",
        "-fast, ''",
        "-fast -dcpriv, ''",
        "-p 4, ''",
        "-p 4 -nodcau, ''",
        "-p 2 -dcpriv, ''",
        "-stripe -p 2 -dcpriv, ''",
        "'', " + TLS_1_2,
        "-dcpriv, " + TLS_1_2,
        "-p 4, " + TLS_1_2,
        "-p 2 -dcpriv, " + TLS_1_2
    })
    void copiesToAndFromAGlobusServer(String options, String environment) throws Exception {
        startThere(environment.isEmpty() ? new String[0] : new String[] {environment});
        byte[] ours = RandomBytes.of(3_000_001);
        byte[] theirs = RandomBytes.of(2_000_001);
        ftp.remote.connect().file("f", ours);
        Files.write(globus.root().resolve("f"), theirs);

        copy(environment, options, gsiUrl("/site-b/f"), globus.url("got")).succeeded();
        copy(environment, options, globus.url("f"), gsiUrl("/site-c/f")).succeeded();

        assertThat(Files.readAllBytes(globus.root().resolve("got"))).isEqualTo(ours);
        assertThat(ftp.spool.content("site-c", "f")).isEqualTo(theirs);
    }

    /** gfal2 lets the two servers copy, as well. */
    @ParameterizedTest
    @ValueSource(strings = {"", TLS_1_2})
    void gfalCopiesToAndFromAGlobusServer(String environment) throws Exception {
        Program.needs("gfal-copy");
        startThere();
        byte[] ours = RandomBytes.of(3_000_001);
        byte[] theirs = RandomBytes.of(2_000_001);
        ftp.remote.connect().file("f", ours);
        Files.write(globus.root().resolve("f"), theirs);

        gfal(environment, gsiUrl("/site-b/f"), globus.url("got"));
        gfal(environment, globus.url("f"), gsiUrl("/site-c/new"));

        assertThat(Files.readAllBytes(globus.root().resolve("got"))).isEqualTo(ours);
        assertThat(ftp.spool.content("site-c", "new")).isEqualTo(theirs);
    }

    private void gfal(String environment, String from, String to) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "X509_CERT_DIR=" + pki.trustDirectory(),
                "X509_USER_PROXY=" + annasProxy,
                "GFAL_PYTHONBIN=/usr/bin/python3")); // for which Debian's package is; another one may hide it
        command.add(environment);
        command.removeIf(String::isEmpty);
        command.addAll(List.of("gfal-copy", "-f", from, to));
        Program.Result result = Program.run(directory, command.toArray(String[]::new));
        if (result.exitStatus() == ABORTED) {
            System.err.println("gfal-copy aborted (begun once more): " + result.output());
            result = Program.run(directory, command.toArray(String[]::new));
        }
        result.succeeded();
    }

    private record Sessions(GsiClient here, GsiClient there) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            here.close();
            there.close();
        }
    }

    /** Anna here, Ben there. */
    private Sessions twoUsers(String protection) throws Exception {
        TrustDirectory trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO);
        GsiClient atUs = GsiClient.connect(ftp.gridftpPort(), anna, trust, Delegation.LIMITED)
                .logIn();
        GsiClient atThem =
                GsiClient.connect(globus.port(), ben, trust, Delegation.LIMITED).logIn();
        for (GsiClient one : List.of(atUs, atThem)) {
            one.ok("TYPE I");
            one.ok("PBSZ 1048576");
            one.ok("PROT " + protection);
        }
        return new Sessions(atUs, atThem);
    }

    /** The address that follows PASV's 227, as PORT wants it. */
    private static String address(String reply) {
        return reply.substring(reply.indexOf('(') + 1, reply.indexOf(')'));
    }

    /** Each side is told whom to expect; DCAU A would be content with its own user only. */
    @ParameterizedTest
    @ValueSource(strings = {"C", "S", "P"})
    void usersOfTwoNamesMeetWhereEachIsNamedToTheOther(String protection) throws Exception {
        startThere();
        byte[] ours = RandomBytes.of(1_000_001);
        byte[] theirs = RandomBytes.of(1_000_003);
        ftp.remote.connect().file("f", ours);
        Files.write(globus.root().resolve("f"), theirs);
        try (Sessions users = twoUsers(protection)) {
            users.here.ok("DCAU S " + ben.identity());
            users.there.ok("DCAU S " + anna.identity());

            String listening = address(users.there.ok("PASV"));
            users.here.ok("PORT " + listening); // active, and so the TLS client
            users.there.send("STOR " + globus.root().resolve("got"));
            users.here.send("RETR /site-b/f");
            finishes(users.here);
            finishes(users.there);

            listening = address(users.here.ok("PASV"));
            users.there.ok("PORT " + listening);
            users.here.send("STOR /site-c/f");
            users.there.send("RETR " + globus.root().resolve("f"));
            finishes(users.there);
            finishes(users.here);
        }
        assertThat(Files.readAllBytes(globus.root().resolve("got"))).isEqualTo(ours);
        assertThat(ftp.spool.content("site-c", "f")).isEqualTo(theirs);
    }

    private static void finishes(GsiClient client) throws Exception {
        client.expect(150);
        String reply = client.reply();
        while (reply.startsWith("11")) { // markers
            reply = client.reply();
        }
        assertThat(reply).startsWith("226");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "P"})
    void whoIsNotTheOneThatWasNamedGetsAndGivesNothing(String protection) throws Exception {
        startThere();
        Files.write(globus.root().resolve("f"), RandomBytes.of(1_000_003));
        try (Sessions users = twoUsers(protection)) {
            users.here.ok("DCAU S /O=Test Grid/OU=Users/CN=Somebody Else");
            users.there.ok("DCAU S " + anna.identity());

            users.there.ok("PORT " + address(users.here.ok("PASV")));
            users.here.send("STOR /site-c/f");
            users.there.send("RETR " + globus.root().resolve("f"));

            users.here.expect(150);
            assertThat(users.here.reply()).startsWith("425").contains("/CN=Ben").contains("Somebody Else");
        }
        assertThat(ftp.spool.all()).allMatch(state -> state.commit() == null);
    }

    @Test
    void globusRefusesUsWhereSomebodyElseWasNamedToIt() throws Exception {
        startThere();
        // More than the sockets' buffers hold: what fits there is answered 226 before the refusal arrives.
        ftp.remote.connect().file("f", RandomBytes.of(24_000_001));
        try (Sessions users = twoUsers("P")) {
            users.here.ok("DCAU S " + ben.identity());
            users.there.ok("DCAU S " + ben.identity());

            users.here.ok("PORT " + address(users.there.ok("PASV")));
            users.there.send("STOR " + globus.root().resolve("got"));
            users.here.send("RETR /site-b/f");

            assertThat(users.there.reply())
                    .startsWith("500-")
                    .contains("authenticated as " + anna.identity())
                    .contains("Expected the peer to authenticate as " + ben.identity());
            users.here.expect(150);
            assertThat(users.here.reply()).startsWith("42");
        }
    }

    /** The client program names them to each other by itself. */
    @Test
    void clientWithACredentialForEachServer() throws Exception {
        startThere();
        byte[] ours = RandomBytes.of(1_000_001);
        ftp.remote.connect().file("f", ours);

        Program.Result result = copy(
                "", "-sc " + annasProxy + " -dc " + bensProxy + " -dcpriv", gsiUrl("/site-b/f"), globus.url("got"));

        assertThat(result.succeeded().output()).contains("DCAU S");
        assertThat(Files.readAllBytes(globus.root().resolve("got"))).isEqualTo(ours);
    }
}
