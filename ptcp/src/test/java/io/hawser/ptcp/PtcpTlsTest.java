package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PtcpTlsTest {
    private static final TestCertificates CERTIFICATES = new TestCertificates();

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void sessionBehindMutualTlsKnowsThePeersPrincipal(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(2, CERTIFICATES.acceptor("broker")));
            RecordingHandler near = new RecordingHandler();
            PtcpSession session = net.dial(server, TestNet.streams(2, CERTIFICATES.dialler("agent-a")), near);
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
    @ValueSource(strings = {"epoll", "nio"})
    void packetThatIsPutOffBehindTlsWaits(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker")));
            RecordingHandler near = new RecordingHandler();
            net.dial(server, TestNet.streams(1, CERTIFICATES.dialler("agent-a")), near);
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
    @ValueSource(strings = {"epoll", "nio"})
    void clearTextAtATlsPortIsTold(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker")));
            PtcpException refusal = net.refusal(server.localAddress(), TestNet.streams(1));
            assertThat(refusal.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(refusal).hasMessageContaining("speaks TLS only");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void tlsAtAClearTextPortIsTold(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1));
            PtcpException refusal =
                    net.refusal(server.localAddress(), TestNet.streams(1, CERTIFICATES.dialler("agent-a")));
            assertThat(refusal.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(refusal).hasMessageContaining("does not speak TLS");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void diallerWithoutAnAcceptedCertificateIsTold(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, CERTIFICATES.acceptor("broker")));
            PtcpException anonymous =
                    net.refusal(server.localAddress(), TestNet.streams(1, CERTIFICATES.anonymousDialler()));
            assertThat(anonymous.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(anonymous).hasMessageContaining("does not accept this side's certificate");
            PtcpException stranger = net.refusal(
                    server.localAddress(), TestNet.streams(1, CERTIFICATES.strangerFrom(new TestCertificates())));
            assertThat(stranger.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(stranger).hasMessageContaining("certificate");
            assertThat(net.accepted).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void acceptorOfAnotherAuthorityIsNotAccepted(String transport) throws Exception {
        try (TestNet net = new TestNet(transport)) {
            PtcpServer server = net.listen(TestNet.streams(1, new TestCertificates().acceptor("broker")));
            PtcpException refusal =
                    net.refusal(server.localAddress(), TestNet.streams(1, CERTIFICATES.dialler("agent-a")));
            assertThat(refusal.code()).isEqualTo(PtcpErrorCode.TLS);
            assertThat(refusal)
                    .hasMessageStartingWith("the certificate of 127.0.0.1:")
                    .hasMessageContaining("is not accepted");
        }
    }
}
