package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Terms;
import io.hawser.ops.keys.JoinClient.Joined;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinServerTest {
    private static final Duration PATIENCE = TestTimes.LIMIT;
    private static final int CONNECTIONS = 8;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final Audit audit =
            (who, what, object, from, result) -> notes.add(who + "|" + what + "|" + object + "|" + result);
    private final AtomicLong clock = new AtomicLong();
    private final JoinAdmission admission = new JoinAdmission(
            new JoinAdmission.Limits(CONNECTIONS, CONNECTIONS, Duration.ofSeconds(30), 5, Duration.ofMinutes(1)),
            clock::get);

    @SuppressWarnings("NullAway.Init") // start sets it
    private JoinServer server;

    @BeforeEach
    void start() throws IOException {
        new KeyMaker(Set.of("localhost"), Duration.ofDays(30), Instant.now()).fill(authority("keys"));
        server = JoinServer.start(new HostPort("127.0.0.1", 0), authority("keys"), audit, admission);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private KeyDirectory authority(String name) {
        return new KeyDirectory(directory.resolve(name));
    }

    private JoinToken invite() throws IOException {
        return new Invitations(authority("keys"))
                .invite(
                        new Terms(Role.AGENT_A, "berlin", Set.of("localhost"), Grants.NONE, Duration.ofDays(30)),
                        Instant.now().plusSeconds(600));
    }

    private Joined join(JoinToken token, String into) throws Exception {
        return new JoinClient(token, authority(into)).join(server.address(), PATIENCE);
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket();
        socket.connect(
                new InetSocketAddress(server.address().host(), server.address().port()));
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void whoJoinsHasKeysThatANodeCanUseAndTheirKeyIsPrivate() throws Exception {
        JoinToken token = invite();
        Joined joined = join(token, "berlin");

        assertThat(joined.role()).isEqualTo(Role.AGENT_A);
        assertThat(joined.tls().principal()).isEqualTo("CN=berlin,OU=agent-a,O=Hawser");
        KeyDirectory keys = authority("berlin");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys.key(Role.AGENT_A))))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(keys.path())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("agent-a.key", "agent-a.crt", "ca.crt");
        }
        assertThat(notes).containsExactly("invitation " + token.id() + "|join|agent-a:berlin|ok");
    }

    @Test
    void thePrivateKeyIsNotInWhatIsSent() {
        KeyPair pair = CertificateAuthority.newKeyPair();
        String sent = new BigInteger(1, JoinRequest.of(pair)).toString(16);

        assertThat(sent)
                .doesNotContain(((ECPrivateKey) pair.getPrivate()).getS().toString(16));
    }

    @Test
    void whoIsRefusedIsToldWhyAndNothingIsLeft() throws Exception {
        JoinToken token = invite();
        join(token, "berlin");

        assertThatThrownBy(() -> join(token, "again"))
                .isInstanceOf(NotInvitedException.class)
                .hasMessageContaining("was used before");
        assertThat(directory.resolve("again")).doesNotExist();
        assertThat(notes).hasSize(2);
        assertThat(notes.get(1)).startsWith("invitation " + token.id() + "|join|-|this invitation was used before");
        assertThat(String.join("", notes)).doesNotContain(token.secret());
    }

    @Test
    void keysThatAreThereAreNotWrittenOverAndTheInvitationIsKept() throws Exception {
        JoinToken token = invite();

        assertThatThrownBy(() -> join(token, "keys"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("never overwritten");
        assertThat(join(token, "berlin").name()).isEqualTo("berlin");
    }

    @Test
    void aServerOfAnotherCaDoesNotSeeTheToken() throws Exception {
        new KeyMaker(Set.of("localhost"), Duration.ofDays(30), Instant.now()).fill(authority("others"));
        JoinToken token = new Invitations(authority("others"))
                .invite(
                        new Terms(Role.AGENT_A, "berlin", Set.of(), Grants.NONE, Duration.ofDays(1)),
                        Instant.now().plusSeconds(60));

        assertThatThrownBy(() -> join(token, "berlin"))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("not of the CA that the token names");
        assertThat(notes).isEmpty();
    }

    @Test
    void aNodeOfTheSameCaCannotWaitForTokens() throws Exception {
        SSLContext node = NodeTls.load(authority("keys").path(), Role.AGENT_B).jdkContext();
        try (SSLServerSocket trap =
                (SSLServerSocket) node.getServerSocketFactory().createServerSocket(0)) {
            Thread waiting = new Thread(() -> {
                try (SSLSocket caller = (SSLSocket) trap.accept()) {
                    notes.add("read " + new String(caller.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    notes.add("refused");
                }
            });
            waiting.start();

            JoinToken token = invite();
            assertThatThrownBy(() -> new JoinClient(token, authority("berlin"))
                            .join(new HostPort("127.0.0.1", trap.getLocalPort()), PATIENCE))
                    .isInstanceOf(SSLException.class);
            waiting.join(PATIENCE.toMillis());
            assertThat(notes).containsExactly("refused");
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("hawser-join-[0-9]+"))
                .count();
    }

    @Test
    void aFloodOfSilentConnectionsIsBoundedAndKeepsNobodyOut() throws Exception {
        List<Socket> flood = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                flood.add(connected());
                assertThat(admission.open()).isLessThanOrEqualTo(CONNECTIONS);
                assertThat(admission.deadlines()).isLessThanOrEqualTo(CONNECTIONS);
            }
            // An address that has as many as it may have loses its own eldest.
            assertThat(isClosed(flood.get(0))).as("the eldest has gone").isTrue();

            assertThat(join(invite(), "berlin").name()).isEqualTo("berlin");
            // Threads of servers that were closed before are on their way out.
            Awaitility.await().until(() -> threads() <= 2 * CONNECTIONS);
        } finally {
            for (Socket each : flood) {
                each.close();
            }
        }
        Awaitility.await().until(() -> admission.open() == 0);
        assertThat(admission.deadlines()).isZero();
    }

    @Test
    void anAddressThatGuessesIsNotListenedToForAWhile() throws Exception {
        JoinToken token = invite();
        JoinToken guess = new JoinToken(token.id(), "A".repeat(32), token.authority());
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> join(guess, "berlin"))
                    .isInstanceOf(NotInvitedException.class)
                    .hasMessage("there is no such invitation");
        }

        try (Socket shut = connected()) {
            assertThat(isClosed(shut)).isTrue();
        }
        assertThat(notes).hasSize(5);
        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(join(token, "berlin").name()).isEqualTo("berlin");
    }

    @Test
    void whoeverIsSlowIsGoneAtHisDeadline() throws Exception {
        JoinAdmission impatient = new JoinAdmission(
                new JoinAdmission.Limits(CONNECTIONS, CONNECTIONS, Duration.ofMillis(50), 5, Duration.ofMinutes(1)));
        try (JoinServer brief = JoinServer.start(new HostPort("127.0.0.1", 0), authority("keys"), audit, impatient)) {
            Socket slow = new Socket("127.0.0.1", brief.address().port());
            slow.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(isClosed(slow)).isTrue();
            Awaitility.await().until(() -> impatient.open() == 0);
            slow.close();
        }
    }

    @Test
    void aLineThatIsTooLongOrNoneIsAnsweredAndEnds() throws Exception {
        for (String line : List.of("GET / HTTP/1.1\r\n", "\n", "JOIN1 x\n", "A".repeat(JoinServer.LONGEST_LINE))) {
            try (SSLSocket caller = (SSLSocket) JoinTls.client(invite().authority())
                    .getSocketFactory()
                    .createSocket(connected(), "localhost", 1, true)) {
                caller.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
                caller.getOutputStream().flush();
                assertThat(new String(caller.getInputStream().readNBytes(3), StandardCharsets.US_ASCII))
                        .isEqualTo("NO ");
            }
        }
        assertThat(notes).allMatch(note -> note.startsWith("-|join|-|that is not a request to join"));
    }

    @Test
    void whatIsRememberedOfAddressesIsBounded() throws Exception {
        List<InetAddress> addresses = new ArrayList<>();
        for (int i = 0; i < 1025; i++) {
            InetAddress address = InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i});
            addresses.add(address);
            for (int wrong = 0; wrong < 5; wrong++) {
                admission.countWrongToken(address);
            }
        }
        assertThat(addresses.stream().filter(admission::isBarred)).hasSize(1024).doesNotContain(addresses.get(0));
    }
}
