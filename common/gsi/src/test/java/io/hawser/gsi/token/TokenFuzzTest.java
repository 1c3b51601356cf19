package io.hawser.gsi.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.credential.DelegationRequest;
import io.hawser.gsi.credential.ProxySigner;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.ValidatedPeer;
import io.hawser.gsi.testkit.GridPki;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a peer, of whom nothing is known, or who is authenticated and says what nobody expects. */
class TokenFuzzTest {
    private static final Duration LIFE = Duration.ofHours(1);
    private static final int MAX_TOKENS = 16;

    @TempDir
    static Path directory;

    private static Credential anna;
    private static Credential host;
    private static TrustDirectory trust;
    private static ValidatedPeer peer;
    private static KeyPair keys;

    @BeforeAll
    static void grid() throws Exception {
        GridPki pki = GridPki.in(directory);
        anna = pki.user("Anna");
        host = pki.ecHost(); // signs quickly
        trust = new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO);
        peer = trust.validate(anna.chain(), CertificatePurpose.CLIENT);
        keys = GridPki.rsa();
    }

    private static void sentence(GsiException e) {
        assertThat(e.why()).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
    }

    @FuzzTest(maxDuration = "1m")
    void recordHeader(byte[] data) {
        if (data.length < TlsRecordHeader.BYTES) {
            return;
        }
        try {
            assertThat(TlsRecordHeader.contentLength(data)).isBetween(0, 1 << 15);
        } catch (GsiException e) {
            sentence(e);
        }
    }

    /** Tokens, each behind its length of two bytes: nobody comes in by those. */
    @FuzzTest(maxDuration = "2m")
    void acceptor(byte[] data) throws Exception {
        neverDone(GsiAcceptor.ofLogin(host, trust, () -> keys), data);
    }

    @FuzzTest(maxDuration = "2m")
    void initiator(byte[] data) throws Exception {
        GsiInitiator initiator = GsiInitiator.ofLogin(anna, trust, peer -> {}, Delegation.FULL, LIFE);
        assertThat(initiator.step(new byte[0])).isNotEmpty();
        neverDone(initiator, data);
    }

    private static void neverDone(GsiExchange exchange, byte[] data) {
        ByteBuffer in = ByteBuffer.wrap(data);
        for (int i = 0; i < MAX_TOKENS && in.remaining() >= 2; i++) {
            byte[] token = new byte[Math.min(in.getShort() & 0xFFFF, in.remaining())];
            in.get(token);
            try {
                assertThat(exchange.step(token).length).isLessThan(1 << 16);
            } catch (GsiException e) {
                sentence(e);
            }
        }
        assertThat(exchange.isDone()).isFalse();
        assertThatThrownBy(exchange::peer).isInstanceOf(GsiException.class);
    }

    /** What an authenticated peer says first, instead of whether it delegates; and then in place of a certificate. */
    @FuzzTest(maxDuration = "2m")
    void afterTheHandshake(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        TokenTls client = new TokenTls(GsiTls.open(true, anna, trust, CertificatePurpose.SERVER));
        GsiAcceptor server = GsiAcceptor.ofLogin(host, trust, () -> keys);
        byte[] reply = server.step(client.feed(new byte[0]));
        for (int i = 0; i < 3 && !client.isComplete(); i++) {
            byte[] token = client.feed(reply);
            reply = token.length == 0 ? new byte[0] : server.step(token);
        }
        assertThat(server.peer().identity()).isEqualTo(anna.identity());
        try {
            server.step(client.wrap(Arrays.copyOf(data, 1)));
            assertThat(data[0]).isIn((byte) '0', (byte) 'D');
            server.step(client.wrap(Arrays.copyOfRange(data, 1, data.length)));
            assertThat(server.isDone() && data[0] == 'D').isFalse();
        } catch (GsiException e) {
            sentence(e);
        }
        assertThat(server.delegated()).isEmpty();
    }

    @FuzzTest(maxDuration = "2m")
    void delegatedCertificate(byte[] data) throws Exception {
        DelegationRequest request = new DelegationRequest(keys);
        assertThatThrownBy(() -> request.complete(data, peer, trust))
                .isInstanceOfSatisfying(GsiException.class, e -> sentence(e));
    }

    /** What is signed is a proxy of Anna's. */
    @FuzzTest(maxDuration = "2m")
    void delegationRequest(byte[] data) {
        try {
            assertThat(new ProxySigner(anna, true, LIFE).sign(data, Instant.now()))
                    .isNotEmpty();
        } catch (GsiException e) {
            sentence(e);
        }
    }
}
