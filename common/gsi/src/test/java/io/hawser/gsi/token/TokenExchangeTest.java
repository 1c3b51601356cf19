package io.hawser.gsi.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.credential.KeySupply;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenExchangeTest {
    private static final Duration LIFE = Duration.ofHours(1);

    @TempDir
    static Path directory;

    private static Credential anna;
    private static Credential host;
    private static TrustDirectory trust;
    private static GridPki pki;

    @BeforeAll
    static void grid() throws Exception {
        pki = GridPki.in(directory);
        anna = pki.proxy(pki.user("Anna"), ProxyForm.FULL);
        host = pki.host();
        trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO);
    }

    private static GsiInitiator client(Credential who, PeerCheck check, Delegation delegation, String protocol)
            throws Exception {
        GsiTls tls = GsiTls.open(true, who, check.after(trust), CertificatePurpose.SERVER);
        tls.engine().setEnabledProtocols(new String[] {protocol});
        return new GsiInitiator(tls, who, delegation, LIFE);
    }

    private static GsiAcceptor server(Credential who) throws Exception {
        return GsiAcceptor.ofLogin(who, trust, KeySupply.fresh());
    }

    /** Carries tokens until both are done; the tokens of both, in turn, beginning with the initiator's. */
    private static List<byte[]> run(GsiExchange initiator, GsiExchange acceptor) throws GsiException {
        List<byte[]> tokens = new ArrayList<>();
        byte[] next = {};
        for (int i = 0; i < 10 && !(initiator.isDone() && acceptor.isDone()); i++) {
            next = initiator.step(next);
            tokens.add(next);
            if (!acceptor.isDone()) {
                next = acceptor.step(next);
                tokens.add(next);
            }
        }
        assertThat(initiator.isDone() && acceptor.isDone()).isTrue();
        return tokens;
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3, LIMITED", "TLSv1.2, LIMITED", "TLSv1.3, FULL", "TLSv1.3, NONE", "TLSv1.2, NONE"})
    void bothKnowEachOtherAndTheAcceptorGetsWhatIsDelegated(String protocol, Delegation delegation) throws Exception {
        GsiInitiator client = client(anna, PeerCheck.host("localhost"), delegation, protocol);
        GsiAcceptor server = server(host);

        List<byte[]> tokens = run(client, server);

        assertThat(server.peer().identity()).isEqualTo(anna.identity());
        assertThat(client.peer().identity()).isEqualTo(host.identity());
        assertThat(tokens).as("round trips as Globus makes them").hasSize(delegation == Delegation.NONE ? 6 : 8);
        assertThat(tokens.get(tokens.size() - 1)).isEmpty();
        assertThat(server.delegated().isPresent()).isEqualTo(delegation != Delegation.NONE);
        if (delegation != Delegation.NONE) {
            Credential given = server.delegated().orElseThrow();
            assertThat(given.chain()).hasSize(3);
            assertThat(trust.validate(given.chain(), CertificatePurpose.DATA).limited())
                    .isEqualTo(delegation == Delegation.LIMITED);
        }
    }

    @Test
    void afterThatTokensCarryText() throws Exception {
        GsiInitiator client = client(anna, peer -> {}, Delegation.LIMITED, "TLSv1.3");
        GsiAcceptor server = server(host);
        run(client, server);
        byte[] large = new byte[50_000];
        Arrays.fill(large, (byte) 'x');

        assertThat(server.unwrap(client.wrap(bytes("USER x\r\n")))).isEqualTo(bytes("USER x\r\n"));
        assertThat(client.unwrap(server.wrap(bytes("331 ok\r\n")))).isEqualTo(bytes("331 ok\r\n"));
        assertThat(server.unwrap(client.wrap(large))).isEqualTo(large);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void acceptorMayHaveAKeyOnACurve() throws Exception {
        for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
            GsiAcceptor server = server(pki.ecHost());
            run(client(anna, PeerCheck.host("127.0.0.1"), Delegation.NONE, protocol), server);
            assertThat(server.peer().identity()).isEqualTo(anna.identity());
        }
    }

    /** One record at a time, as on a data connection, where a surplus record would end up in the file. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void dataConnectionsAreAuthenticatedRecordByRecord(String protocol) throws Exception {
        GsiTls tls = GsiTls.open(true, anna, PeerCheck.identity(anna.identity()).after(trust), CertificatePurpose.DATA);
        tls.engine().setEnabledProtocols(new String[] {protocol});
        GsiInitiator initiator = new GsiInitiator(tls, anna, Delegation.NONE, LIFE);
        GsiAcceptor acceptor = GsiAcceptor.ofData(anna, trust, PeerCheck.identity(anna.identity()));

        List<byte[]> toAcceptor = records(initiator.step(new byte[0]));
        while (!acceptor.isDone()) {
            List<byte[]> toInitiator = new ArrayList<>();
            for (byte[] record : toAcceptor) {
                toInitiator.addAll(records(acceptor.step(record)));
            }
            toAcceptor = new ArrayList<>();
            for (byte[] record : toInitiator) {
                toAcceptor.addAll(records(initiator.step(record)));
            }
        }

        assertThat(initiator.isDone()).isTrue();
        assertThat(toAcceptor).isEmpty();
    }

    private static List<byte[]> records(byte[] token) throws GsiException {
        List<byte[]> records = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(token);
        while (rest.hasRemaining()) {
            byte[] header = new byte[TlsRecordHeader.BYTES];
            rest.duplicate().get(header);
            byte[] record = new byte[TlsRecordHeader.BYTES + TlsRecordHeader.contentLength(header)];
            rest.get(record);
            records.add(record);
        }
        return records;
    }

    @Test
    void wrongPeersAreRefusedWithTheReason() throws Exception {
        Credential ben = pki.proxy(pki.user("Ben"), ProxyForm.FULL);

        assertThatThrownBy(() -> run(
                        client(anna, PeerCheck.host("other.example.org"), Delegation.FULL, "TLSv1.3"), server(host)))
                .hasMessageContaining("is not for the host other.example.org");
        assertThatThrownBy(() -> run(
                        GsiInitiator.ofData(ben, trust, peer -> {}),
                        GsiAcceptor.ofData(anna, trust, PeerCheck.identity(anna.identity()))))
                .hasMessageContaining("authenticated as " + ben.identity());
        assertThatThrownBy(() -> run(
                        GsiInitiator.ofData(anna, trust, PeerCheck.identity(anna.identity())),
                        GsiAcceptor.ofData(ben, trust, peer -> {})))
                .hasMessageContaining("authenticated as " + ben.identity());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void expiredProxyIsRefused(String protocol) throws Exception {
        Credential expired = pki.proxy(pki.user("Anna"), ProxyForm.EXPIRED);

        assertThatThrownBy(() -> run(client(expired, peer -> {}, Delegation.NONE, protocol), server(host)))
                .hasMessageContaining("has expired");
    }

    @Test
    void delegationOnADataConnectionIsRefused() throws Exception {
        assertThatThrownBy(() -> run(
                        client(anna, peer -> {}, Delegation.FULL, "TLSv1.3"),
                        GsiAcceptor.ofData(host, trust, peer -> {})))
                .hasMessageContaining("delegates where it must not");
    }

    @Test
    void whatIsNoTlsIsRefused() throws Exception {
        assertThatThrownBy(() -> server(host).step(bytes("hello there, this is not TLS at all")))
                .isInstanceOf(GsiException.class);
        assertThatThrownBy(() -> server(host).step(new byte[] {22, 3, 1, 0, 100, 1}))
                .hasMessageContaining("ends within a TLS record");
        assertThatThrownBy(() -> TlsRecordHeader.contentLength(new byte[] {22, 3, 1, 127, 0}))
                .isInstanceOf(GsiException.class);
        assertThatThrownBy(() -> TlsRecordHeader.contentLength(bytes("GET /"))).isInstanceOf(GsiException.class);
    }

    @Test
    void clientWithoutACertificateIsRefused() throws Exception {
        javax.net.ssl.SSLContext context = javax.net.ssl.SSLContext.getInstance("TLS");
        context.init(null, new javax.net.ssl.TrustManager[] {new Credulous()}, null);
        javax.net.ssl.SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        GsiAcceptor server = server(host);
        ByteBuffer out = ByteBuffer.allocate(100_000);
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] flight = server.step(Arrays.copyOf(out.array(), out.position()));
        ByteBuffer in = ByteBuffer.wrap(flight);
        out.clear();
        for (int i = 0; i < 50; i++) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
                default -> engine.unwrap(in, ByteBuffer.allocate(100_000));
            }
        }
        byte[] answer = Arrays.copyOf(out.array(), out.position());

        assertThat(answer).isNotEmpty();
        assertThatThrownBy(() -> server.step(answer)).isInstanceOf(GsiException.class);
        assertThat(server.isDone()).isFalse();
    }

    private static final class Credulous extends javax.net.ssl.X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(
                java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkClientTrusted(
                java.security.cert.X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(
                java.security.cert.X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public java.security.cert.X509Certificate[] getAcceptedIssuers() {
            return new java.security.cert.X509Certificate[0];
        }
    }
}
