package io.hawser.gsi.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.ProxyKind;
import io.hawser.gsi.path.ValidatedPeer;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelegationTest {
    private static final Duration LIFE = Duration.ofHours(6);

    @TempDir
    Path directory;

    private GridPki pki;
    private Credential anna;
    private TrustDirectory trust;

    @BeforeEach
    void grid() throws Exception {
        pki = GridPki.in(directory);
        anna = pki.user("Anna");
        trust = new TrustDirectory(pki.trustDirectory(), true, Duration.ZERO);
    }

    private ValidatedPeer peer(Credential who) throws GsiException {
        return trust.validate(who.chain(), CertificatePurpose.DATA);
    }

    private Credential delegate(Credential from, boolean limited) throws Exception {
        DelegationRequest request = new DelegationRequest(GridPki.rsa());
        byte[] certificate = new ProxySigner(from, limited, LIFE).sign(request.encoded(), Instant.now());
        return request.complete(certificate, peer(from), trust);
    }

    @Test
    void whatWasDelegatedIsAProxyOfItsGiver() throws Exception {
        Credential proxy = pki.proxy(anna, ProxyForm.FULL);

        Credential delegated = delegate(proxy, true);

        assertThat(delegated.identity()).isEqualTo(anna.identity());
        assertThat(delegated.chain()).hasSize(3);
        assertThat(peer(delegated).limited()).isTrue();
        assertThat(delegated.notAfter()).isBefore(Instant.now().plus(LIFE).plusSeconds(1));
        assertThat(peer(delegate(delegated, false)).limited())
                .as("still limited")
                .isTrue();
    }

    @Test
    void proxyNeverOutlivesItsIssuer() throws Exception {
        DelegationRequest request = new DelegationRequest(GridPki.rsa());
        byte[] certificate = new ProxySigner(anna, false, Duration.ofDays(100)).sign(request.encoded(), Instant.now());

        assertThat(request.complete(certificate, peer(anna), trust).leaf().getNotAfter())
                .isEqualTo(anna.leaf().getNotAfter());
    }

    @Test
    void legacyProxyBegetsLegacyProxies() throws Exception {
        Credential delegated = delegate(pki.proxy(anna, ProxyForm.LEGACY), true);

        assertThat(peer(delegated).kind()).isEqualTo(ProxyKind.LEGACY);
        assertThat(peer(delegated).limited()).isTrue();
    }

    @Test
    void certificateForAnotherKeyIsRefused() throws Exception {
        DelegationRequest request = new DelegationRequest(GridPki.rsa());
        byte[] other =
                new ProxySigner(anna, true, LIFE).sign(new DelegationRequest(GridPki.rsa()).encoded(), Instant.now());
        ValidatedPeer peer = peer(anna);

        assertThatThrownBy(() -> request.complete(other, peer, trust))
                .hasMessageContaining("not for the requested key");
        assertThatThrownBy(() -> request.complete(new byte[] {1, 2}, peer, trust))
                .isInstanceOf(GsiException.class);
    }

    @Test
    void proxyOfSomebodyElseIsRefused() throws Exception {
        Credential ben = pki.user("Ben");
        DelegationRequest request = new DelegationRequest(GridPki.rsa());
        byte[] ofBen = new ProxySigner(ben, true, LIFE).sign(request.encoded(), Instant.now());
        ValidatedPeer peer = peer(anna);

        assertThatThrownBy(() -> request.complete(ofBen, peer, trust)).isInstanceOf(GsiException.class);
    }

    @Test
    void requestWithAWrongSignatureIsRefused() throws Exception {
        byte[] request = new DelegationRequest(GridPki.rsa()).encoded();
        request[request.length - 1] ^= 1;
        ProxySigner signer = new ProxySigner(anna, true, LIFE);

        assertThatThrownBy(() -> signer.sign(request, Instant.now())).isInstanceOf(GsiException.class);
        assertThatThrownBy(() -> signer.sign(new byte[] {5, 0}, Instant.now())).isInstanceOf(GsiException.class);
    }
}
