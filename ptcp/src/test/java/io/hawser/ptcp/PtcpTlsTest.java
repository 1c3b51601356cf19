package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestProxy;
import io.netty.handler.ssl.SslContext;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PtcpTlsTest {
    private static final TestCertificates CERTIFICATES = new TestCertificates();

    /** A transport, the acceptor's TLS and the dialler's: the two speak with each other in both directions. */
    static Stream<Arguments> engines() {
        return Stream.of(
                Arguments.of("epoll", "BoringSSL", "BoringSSL"),
                Arguments.of("epoll", "BoringSSL", "JDK"),
                Arguments.of("epoll", "JDK", "BoringSSL"),
                Arguments.of("epoll", "JDK", "JDK"),
                Arguments.of("nio", "BoringSSL", "BoringSSL"),
                Arguments.of("nio", "JDK", "JDK"));
    }

    @Test
    void nativeTlsIsUsedUnlessTheJdksIsAskedFor() {
        assertThat(TlsProviders.name()).isEqualTo("BoringSSL");
        System.setProperty(TlsProviders.JDK_PROPERTY, "true");
        try {
            assertThat(TlsProviders.name()).isEqualTo("JDK");
        } finally {
            System.clearProperty(TlsProviders.JDK_PROPERTY);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void streamThatHasSentWhatItsKeysAreGoodForIsReplacedInOrder(String transport, String acceptor, String dialler)
            throws Exception {
        System.setProperty(TlsProviders.KEY_BYTES_PROPERTY, "2000000");
        try (TestNet net = new TestNet(transport);
                TestProxy proxy = new TestProxy(net.listen(tuned(CERTIFICATES.acceptor("broker", acceptor)))
                        .localAddress())) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(proxy.address(), tuned(CERTIFICATES.dialler("agent-a", dialler)), near);
            RecordingHandler far = net.firstAccepted();
            for (int i = 0; i < 50; i++) {
                near.send(TestNet.utf8("up" + i), bytes(i));
                far.send(TestNet.utf8("down" + i), bytes(i));
            }

            await().until(() -> far.headers.size() == 50 && near.headers.size() == 50);
            for (int i = 0; i < 50; i++) {
                assertThat(far.payloads.get(far.headers.indexOf("up" + i))).isEqualTo(bytes(i));
                assertThat(near.payloads.get(near.headers.indexOf("down" + i))).isEqualTo(bytes(i));
            }
            assertThat(proxy.links).as("connections, one of them for control").hasSizeGreaterThan(2);
            assertThat(near.lost).isEmpty();
            assertThat(far.lost).isEmpty();
            assertThat(session.traffic().streamsReplaced()).isZero();
        } finally {
            System.clearProperty(TlsProviders.KEY_BYTES_PROPERTY);
        }
    }

    @Test
    void streamWhoseKeysAreUsedUpIsReplacedAlsoWhereTheirNumberIsFixed() throws Exception {
        System.setProperty(TlsProviders.KEY_BYTES_PROPERTY, "2000000");
        try (TestNet net = new TestNet("epoll");
                TestProxy proxy = new TestProxy(net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker")))
                        .localAddress())) {
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(proxy.address(), TestNet.streams(1, CERTIFICATES.dialler("agent-a")), near);
            RecordingHandler far = net.firstAccepted();
            for (int i = 0; i < 20; i++) {
                near.send(TestNet.utf8("up" + i), bytes(i));
            }

            await().until(() -> proxy.links.size() > 2 && session.liveStreams() == 1 && near.outbox.isEmpty());
            assertThat(near.lost).isNotEmpty();
            near.send(TestNet.utf8("after"), bytes(99));
            await().until(() -> far.headers.contains("after"));
        } finally {
            System.clearProperty(TlsProviders.KEY_BYTES_PROPERTY);
        }
    }

    private static PtcpOptions tuned(SslContext ssl) {
        return TestNet.streams(1, ssl).withTuning(PtcpTuning.AUTO);
    }

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[100_000];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void sessionBehindMutualTlsKnowsThePeersPrincipal(String transport, String acceptor, String dialler)
            throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(2, CERTIFICATES.acceptor("broker", acceptor)));
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(server, TestNet.streams(2, CERTIFICATES.dialler("agent-a", dialler)), near);
            RecordingHandler far = net.firstAccepted();
            byte[] large = new byte[5_000_001];
            new Random(2).nextBytes(large);

            near.send(TestNet.utf8("one"), large);
            far.send(TestNet.utf8("two"), large);
            far.sendControl("hello");

            await().until(() -> far.payloads.size() == 1 && near.payloads.size() == 1 && near.control.size() == 1);
            assertThat(far.payloads.get(0)).isEqualTo(large);
            assertThat(near.payloads.get(0)).isEqualTo(large);
            assertThat(session.peerPrincipal()).isEqualTo("CN=broker");
            assertThat(far.session().peerPrincipal()).isEqualTo("CN=agent-a");
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void packetThatIsPutOffBehindTlsWaits(String transport, String acceptor, String dialler) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker", acceptor)));
            RecordingHandler near = new RecordingHandler();
            net.dial(server, TestNet.streams(1, CERTIFICATES.dialler("agent-a", dialler)), near);
            RecordingHandler far = net.firstAccepted();
            far.hasMemory = false;
            for (int i = 0; i < 100; i++) {
                near.send(TestNet.utf8("p" + i), new byte[50_000 + i]);
            }
            await().until(() -> far.asked.get() == 1);
            far.giveMemory();
            await().until(() -> far.headers.size() == 100);
            for (int i = 0; i < 100; i++) {
                assertThat(far.headers.get(i)).isEqualTo("p" + i);
                assertThat(far.payloads.get(i)).hasSize(50_000 + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void clearTextAtATlsPortIsTold(String transport, String acceptor, String dialler) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker", acceptor)));
            PtcpException refusal = net.refusal(server.localAddress(), TestNet.streams(1));
            assertThat(refusal.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(refusal).hasMessageContaining("speaks TLS only");
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void tlsAtAClearTextPortIsTold(String transport, String acceptor, String dialler) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1));
            PtcpException refusal =
                    net.refusal(server.localAddress(), TestNet.streams(1, CERTIFICATES.dialler("agent-a", dialler)));
            assertThat(refusal.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(refusal).hasMessageContaining("does not speak TLS");
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void diallerWithoutAnAcceptedCertificateIsTold(String transport, String acceptor, String dialler) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker", acceptor)));
            PtcpException anonymous =
                    net.refusal(server.localAddress(), TestNet.streams(1, CERTIFICATES.anonymousDialler(dialler)));
            assertThat(anonymous.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(anonymous).hasMessageContaining("does not accept this side's certificate");
            PtcpException stranger = net.refusal(
                    server.localAddress(),
                    TestNet.streams(1, CERTIFICATES.strangerFrom(new TestCertificates(), dialler)));
            assertThat(stranger.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(stranger).hasMessageContaining("does not accept this side's certificate");
            assertThat(net.accepted).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void acceptorOfAnotherAuthorityIsNotAccepted(String transport, String acceptor, String dialler) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, new TestCertificates().acceptor("broker", acceptor)));
            PtcpException refusal =
                    net.refusal(server.localAddress(), TestNet.streams(1, CERTIFICATES.dialler("agent-a", dialler)));
            assertThat(refusal.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(refusal)
                    .hasMessageStartingWith("the certificate of 127.0.0.1:")
                    .hasMessageContaining("is not accepted");
        }
    }
}
