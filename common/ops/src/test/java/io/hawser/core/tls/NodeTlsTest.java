package io.hawser.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.hawser.core.config.ConfigException;
import io.hawser.core.testkit.LogCapture;
import io.hawser.ops.keys.*;
import io.hawser.ptcp.TlsProviders;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTlsTest {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    static Path made;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static Instant now;

    @BeforeAll
    static void make() throws IOException {
        now = Instant.now();
        fill(made.resolve("keys"), "localhost", "127.0.0.1", "::1");
    }

    @AfterAll
    static void end() {
        THREADS.shutdown();
    }

    private static Path fill(Path path, String... hosts) throws IOException {
        new KeyMaker(Set.of(hosts), Duration.ofDays(30), now).fill(new KeyDirectory(path));
        return path;
    }

    private static Path keys() {
        return made.resolve("keys");
    }

    private Path copyOfKeys() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(keys())) {
            for (Path file : files) {
                Files.copy(file, directory.resolve(file.getFileName().toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return directory;
    }

    @Test
    void privateKeysBelongToTheirOwnerOnly() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys())))
                .isEqualTo("rwx------");
        for (String name : new String[] {"ca.key", "broker.key", "agent-a.key", "agent-b.key", "client.key"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys().resolve(name))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void endOfTheCertificateIsToldInTime() {
        NodeTls tls = NodeTls.load(keys(), Role.BROKER);
        Instant end = tls.validUntil();
        assertThat(tls.warning(end.minus(Duration.ofDays(30)).minusSeconds(1))).isEmpty();
        assertThat(tls.warning(end.minus(Duration.ofDays(30)))).hasValueSatisfying(warning -> assertThat(warning)
                .startsWith("expires in 30 days, on " + end)
                .contains("hawser keys init DIR"));
        assertThat(tls.warning(end.plusSeconds(1)))
                .hasValueSatisfying(warning -> assertThat(warning).startsWith("expired on " + end));
    }

    @Test
    void keysAreNeverWrittenOver() throws IOException {
        byte[] before = Files.readAllBytes(keys().resolve("broker.key"));
        assertThatThrownBy(() -> fill(keys(), "localhost"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("never overwritten");
        assertThat(Files.readAllBytes(keys().resolve("broker.key"))).isEqualTo(before);
    }

    @Test
    void bothSidesOfASessionProveWhoTheyAreWithTls13AndAesGcm() throws Exception {
        NodeTls broker = NodeTls.load(keys(), Role.BROKER);
        NodeTls agent = NodeTls.load(keys(), Role.AGENT_A);
        assertThat(handshake(broker.jdkContext(), agent.jdkContext())).isEqualTo("CN=agent-a,O=Hawser|TLSv1.3");
        assertThat(broker.serverContext().cipherSuites()).containsExactlyElementsOf(NodeTls.CIPHERS);
        assertThat(agent.clientContext().cipherSuites()).containsExactlyElementsOf(NodeTls.CIPHERS);
        assertThat(broker.principal()).isEqualTo("CN=broker,O=Hawser");
        assertThat(broker.validUntil()).isBetween(now.plus(Duration.ofDays(29)), now.plus(Duration.ofDays(31)));
    }

    @Test
    void aPeerOfAnotherCaIsRefused() throws Exception {
        NodeTls stranger = NodeTls.load(fill(directory.resolve("other"), "localhost"), Role.AGENT_A);
        NodeTls broker = NodeTls.load(keys(), Role.BROKER);
        assertThatThrownBy(() -> handshake(broker.jdkContext(), stranger.jdkContext()))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void whoDialsABrokerBelievesNoOtherNodeOfTheSameCa() throws Exception {
        var believed = new ReloadingKeys(() -> CheckedKeys.read(new KeyDirectory(keys()), Role.AGENT_A, now))
                .brokerTrustManager();
        X509Certificate[] broker = chain("broker.crt");
        believed.checkServerTrusted(broker, "ECDHE_ECDSA");
        assertThatThrownBy(() -> believed.checkServerTrusted(chain("agent-b.crt"), "ECDHE_ECDSA"))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("agent-b:agent-b, not for a broker");
    }

    private static X509Certificate[] chain(String name) {
        return CheckedKeys.certificates(keys().resolve(name)).toArray(X509Certificate[]::new);
    }

    @Test
    void aServerUnderAnotherNameIsRefused() throws Exception {
        Path other = fill(directory.resolve("other"), "broker.example");
        NodeTls broker = NodeTls.load(other, Role.BROKER);
        NodeTls agent = NodeTls.load(other, Role.AGENT_A);
        assertThatThrownBy(() -> handshake(broker.jdkContext(), agent.jdkContext()))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void missingFilesNameTheFileAndTheCommand() {
        assertThatThrownBy(() -> NodeTls.load(directory, Role.BROKER))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(directory.resolve("ca.crt").toString())
                .hasMessageContaining("hawser keys init");
    }

    @Test
    void aKeyThatOthersCanReadIsRefused() throws IOException {
        Path key = copyOfKeys().resolve("broker.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> NodeTls.load(directory, Role.BROKER)).hasMessageContaining("chmod 600 " + key);
        assertThat(NodeTls.load(directory, Role.AGENT_B)).isNotNull();
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws IOException {
        Path path = copyOfKeys();
        Files.copy(
                path.resolve("client.key"),
                path.resolve("broker.key"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        assertThatThrownBy(() -> NodeTls.load(path, Role.BROKER)).hasMessageContaining("does not belong to");
    }

    @Test
    void aCertificateOfAnotherCaIsRefused() throws IOException {
        Path path = copyOfKeys();
        Path other = fill(directory.resolve("other"), "localhost");
        Files.copy(other.resolve("ca.crt"), path.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> NodeTls.load(path, Role.BROKER)).hasMessageContaining("was not made by the CA");
    }

    @Test
    void datesAreChecked() {
        assertThatThrownBy(() -> NodeTls.load(keys(), Role.BROKER, now.plus(Duration.ofDays(40))))
                .hasMessageContaining("expired on");
        assertThatThrownBy(() -> NodeTls.load(keys(), Role.BROKER, now.minus(Duration.ofDays(1))))
                .hasMessageContaining("clock");
    }

    @Test
    void damagedFilesAreNamed() throws IOException {
        Path path = copyOfKeys();
        Files.writeString(path.resolve("broker.key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThatThrownBy(() -> NodeTls.load(path, Role.BROKER)).hasMessageContaining("broker.key is damaged");
        Files.writeString(path.resolve("broker.crt"), "hello");
        assertThatThrownBy(() -> NodeTls.load(path, Role.BROKER))
                .hasMessageContaining("broker.crt is not a certificate");
    }

    @Test
    void theTlsBetweenNodesIsNativeCode() throws Exception {
        assertThat(TlsProviders.name()).isEqualTo("BoringSSL");
        assertThat(NodeTls.load(keys(), Role.BROKER)
                        .serverContext()
                        .newEngine(UnpooledByteBufAllocator.DEFAULT)
                        .getClass()
                        .getSimpleName())
                .contains("OpenSsl");
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void bothEndsOfAContextForPtcpProveWhoTheyAre(boolean jdkAccepts, boolean jdkDials) throws Exception {
        Shown shown = shown(server(keys(), jdkAccepts), client(keys(), jdkDials));
        assertThat(((X509Certificate) shown.certificate())
                        .getSubjectX500Principal()
                        .getName())
                .isEqualTo("CN=agent-a,O=Hawser");
        assertThat(shown.cipher()).isEqualTo("TLSv1.3 " + NodeTls.CIPHERS.get(0));
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void aContextForPtcpRefusesStrangersOtherNamesAndNodesThatAreNoBroker(boolean jdkAccepts, boolean jdkDials)
            throws Exception {
        Path stranger = fill(directory.resolve("stranger"), "localhost");
        assertThatThrownBy(() -> shown(server(keys(), jdkAccepts), client(stranger, jdkDials)))
                .isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> shown(server(stranger, jdkAccepts), client(keys(), jdkDials)))
                .isInstanceOf(SSLException.class);

        Path elsewhere = fill(directory.resolve("elsewhere"), "broker.example");
        assertThatThrownBy(() -> shown(server(elsewhere, jdkAccepts), client(elsewhere, jdkDials)))
                .isInstanceOf(SSLException.class);

        SslContext noBroker = made(keys(), jdkAccepts, Role.AGENT_B, NodeTls::serverContext);
        assertThatThrownBy(() -> shown(noBroker, client(keys(), jdkDials))).isInstanceOf(SSLException.class);
    }

    /** Network loops and handshakes ask for them; a slow disk must not hold these up. */
    @Test
    void changedKeysAreReadOnAThreadOfTheirOwn() throws Exception {
        Path path = copyOfKeys();
        NodeTls agent = NodeTls.load(path, Role.AGENT_A);
        try (LogCapture log = LogCapture.of(NodeTls.class, Level.INFO)) {
            new KeyMaker(Set.of(), Duration.ofDays(30), now).renew(new KeyDirectory(path), new KeyDirectory(path));
            Awaitility.await().pollInSameThread().until(() -> agent.generation() > 0);
            Awaitility.await().until(() -> !log.events().isEmpty()); // the line comes after the change
            log.assertWrittenByAnotherThread();
        }
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false"})
    void withNativeTlsAtEitherEndNewKeysAreShownFromTheNextHandshakeOn(boolean jdkAccepts, boolean jdkDials)
            throws Exception {
        Path path = copyOfKeys();
        NodeTls agent = NodeTls.load(path, Role.AGENT_A);
        SslContext server = server(path, jdkAccepts);
        SslContext client = with(jdkDials, agent::clientContext);
        Shown first = shown(server, client);
        assertThat(shown(server, client).certificate()).isEqualTo(first.certificate());

        new KeyMaker(Set.of(), Duration.ofDays(30), now).renew(new KeyDirectory(path), new KeyDirectory(path));
        Awaitility.await().until(() -> agent.generation() > 0);

        assertThat(shown(server, client).certificate()).isNotEqualTo(first.certificate());
    }

    @Test
    void twoNativeEndsAgreeOnKeysAlsoByMlKem() throws Exception {
        SSLEngine client = client(keys(), false).newEngine(UnpooledByteBufAllocator.DEFAULT, "localhost", 7400);
        SSLEngine server = server(keys(), false).newEngine(UnpooledByteBufAllocator.DEFAULT);
        try {
            ByteBuffer toServer = ByteBuffer.allocate(1 << 17);
            ByteBuffer toClient = ByteBuffer.allocate(1 << 17);
            client.beginHandshake();
            server.beginHandshake();
            turn(client, toClient, toServer);
            turn(server, toServer, toClient);
            // The server's share: X25519MLKEM768, with a ciphertext of 1,088 bytes and a point of 32.
            assertThat(HexFormat.of().formatHex(toClient.array(), 0, toClient.position()))
                    .contains("11ec0460");
        } finally {
            ReferenceCountUtil.release(client);
            ReferenceCountUtil.release(server);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyTheJdksTlsResumesAndThenSendsNoCertificates(boolean jdk) throws Exception {
        SslContext server = server(keys(), jdk);
        SslContext client = client(keys(), jdk);
        int whole = shown(server, client).serverBytes();
        int certificates = 500;
        int again = shown(server, client).serverBytes();
        if (jdk) {
            assertThat(again).isLessThan(whole - certificates);
        } else {
            assertThat(again).isGreaterThan(whole - certificates);
            assertThat(((OpenSslSessionContext) client.sessionContext()).isSessionCacheEnabled())
                    .isFalse();
        }
    }

    private static SslContext server(Path path, boolean jdk) throws Exception {
        return made(path, jdk, Role.BROKER, NodeTls::serverContext);
    }

    private static SslContext client(Path path, boolean jdk) throws Exception {
        return made(path, jdk, Role.AGENT_A, NodeTls::clientContext);
    }

    private static SslContext made(Path path, boolean jdk, Role role, Function<NodeTls, SslContext> which)
            throws Exception {
        return with(jdk, () -> which.apply(NodeTls.load(path, role)));
    }

    private static SslContext with(boolean jdk, Callable<SslContext> made) throws Exception {
        System.setProperty(TlsProviders.JDK_PROPERTY, Boolean.toString(jdk));
        try {
            return made.call();
        } finally {
            System.clearProperty(TlsProviders.JDK_PROPERTY);
        }
    }

    @Test
    void noSessionOfOldKeysIsResumedOnceTheyHaveChanged() throws Exception {
        Path path = copyOfKeys();
        NodeTls agent = NodeTls.load(path, Role.AGENT_A);
        SslContext server = server(path, true);
        SslContext client = with(true, agent::clientContext);
        Shown first = shown(server, client);
        Shown second = shown(server, client);
        assertThat(second.certificate()).isEqualTo(first.certificate());
        assertThat(second.agreedMillis()).as("it was resumed").isEqualTo(first.agreedMillis());

        new KeyMaker(Set.of(), Duration.ofDays(30), now).renew(new KeyDirectory(path), new KeyDirectory(path));
        Awaitility.await().until(() -> agent.generation() > 0);

        Shown third = shown(server, client);
        assertThat(third.certificate()).isNotEqualTo(first.certificate());
        assertThat(third.agreedMillis()).isGreaterThan(first.agreedMillis());
    }

    /** What the server knows of the client, what was agreed, and when, which may have been in an earlier connection; what it sent. */
    private record Shown(Certificate certificate, String cipher, long agreedMillis, int serverBytes) {}

    private static Shown shown(SslContext serverSide, SslContext clientSide) throws Exception {
        SSLEngine client = clientSide.newEngine(UnpooledByteBufAllocator.DEFAULT, "localhost", 7400);
        SSLEngine server = serverSide.newEngine(UnpooledByteBufAllocator.DEFAULT);
        try {
            ByteBuffer toServer = ByteBuffer.allocate(1 << 17);
            ByteBuffer toClient = ByteBuffer.allocate(1 << 17);
            client.beginHandshake();
            server.beginHandshake();
            int serverBytes = 0;
            for (int round = 0; round < 20; round++) {
                turn(client, toClient, toServer);
                int before = toClient.position();
                turn(server, toServer, toClient);
                serverBytes += toClient.position() - before;
            }
            return new Shown(
                    server.getSession().getPeerCertificates()[0],
                    server.getSession().getProtocol() + " "
                            + server.getSession().getCipherSuite(),
                    client.getSession().getCreationTime(),
                    serverBytes);
        } finally {
            ReferenceCountUtil.release(client);
            ReferenceCountUtil.release(server);
        }
    }

    private static void turn(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        ByteBuffer clear = ByteBuffer.allocate(1 << 17);
        in.flip();
        for (int step = 0; step < 50; step++) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP ->
                    assertThat(engine.wrap(ByteBuffer.allocate(0), out).getStatus())
                            .isEqualTo(SSLEngineResult.Status.OK);
                default -> {
                    if (in.hasRemaining()) {
                        assertThat(engine.unwrap(in, clear).getStatus()).isEqualTo(SSLEngineResult.Status.OK);
                    }
                }
            }
        }
        in.compact();
        // BoringSSL's last words of a handshake are left when it says that it is no longer shaking hands.
        for (int step = 0; engine instanceof ReferenceCounted && step < 10; step++) {
            engine.wrap(ByteBuffer.allocate(0), out);
        }
    }

    /** Shakes hands on loopback; returns the client's subject and the protocol as the server sees them. */
    private static String handshake(SSLContext serverSide, SSLContext clientSide) throws Exception {
        try (SSLServerSocket listener =
                (SSLServerSocket) serverSide.getServerSocketFactory().createServerSocket(0)) {
            listener.setNeedClientAuth(true);
            Future<String> accepted = THREADS.submit(accept(listener));
            try (SSLSocket socket =
                    (SSLSocket) clientSide.getSocketFactory().createSocket("localhost", listener.getLocalPort())) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
                socket.getOutputStream().write(1);
                // With TLS 1.3 a server refuses the client's certificate after the client's handshake is over.
                socket.getInputStream().read();
            }
            return accepted.get();
        }
    }

    private static Callable<String> accept(SSLServerSocket listener) {
        return () -> {
            try (SSLSocket socket = (SSLSocket) listener.accept()) {
                socket.getInputStream().read();
                socket.getOutputStream().write(1);
                return socket.getSession().getPeerPrincipal().getName() + "|"
                        + socket.getSession().getProtocol();
            }
        };
    }
}
