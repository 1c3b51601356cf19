package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Terms;
import io.hawser.ops.keys.Invitations.Welcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InvitationsTest {
    private static final Grants RIGHTS = new Grants(
            List.of(Grants.line("publish,list", List.of("site-b", "site-c*")), Grants.line("read", List.of("x"))));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private final Instant now = Instant.now();
    private final KeyPair pair = CertificateAuthority.newKeyPair();

    @BeforeEach
    void fill() throws IOException {
        new KeyMaker(Set.of("localhost"), Duration.ofDays(30), now).fill(authority());
    }

    private KeyDirectory authority() {
        return new KeyDirectory(directory.resolve("keys"));
    }

    private Invitations invitations() {
        return new Invitations(authority());
    }

    private JoinToken invite() throws IOException {
        return invitations().invite(terms("berlin"), now.plusSeconds(60));
    }

    private static Terms terms(String name) {
        return new Terms(Role.AGENT_A, name, Set.of("localhost"), RIGHTS, Duration.ofDays(30));
    }

    private Welcome take(JoinToken token) throws Exception {
        return invitations().take(token.id(), token.secret(), JoinRequest.of(pair), now);
    }

    private static X509Certificate certificate(Welcome welcome) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(welcome.certificate().getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void theCertificateSaysWhatWasFixedAndIsForTheKeyOfWhoAsked() throws Exception {
        Welcome welcome = take(invite());

        X509Certificate certificate = certificate(welcome);
        assertThat(certificate.getPublicKey()).isEqualTo(pair.getPublic());
        Identity identity = CertificateIdentity.identity(certificate);
        assertThat(identity.text()).isEqualTo("agent-a:berlin");
        assertThat(identity.grants().orElseThrow()).isEqualTo(RIGHTS);
        assertThat(CertificateIdentity.hosts(certificate)).containsExactly("localhost");
        assertThat(KeyMaker.issued(authority())).contains(certificate);
    }

    @Test
    void theSecondUseIsRefusedAndSaysThatTheFirstMayHaveBeenSomebodyElse() throws Exception {
        JoinToken token = invite();
        take(token);

        assertThatThrownBy(() -> take(token))
                .isInstanceOf(NotInvitedException.class)
                .hasMessageContaining("was used before")
                .hasMessageContaining("agent-a:berlin");
        assertThat(KeyMaker.issued(authority())).hasSize(Role.values().length + 1);
    }

    @Test
    void ofManyAtOnceOneGetsACertificate() throws Exception {
        JoinToken token = invite();
        int callers = 16;
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        int joined = 0;
        try {
            List<Future<Welcome>> answers = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                answers.add(threads.submit(() -> {
                    start.await();
                    return take(token);
                }));
            }
            start.countDown();
            for (Future<Welcome> answer : answers) {
                try {
                    answer.get();
                    joined++;
                } catch (java.util.concurrent.ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(NotInvitedException.class);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(joined).isOne();
    }

    @Test
    void whatHasEndedIsRefusedAndSaysSince() throws Exception {
        JoinToken token = invitations().invite(terms("berlin"), now.minusSeconds(1));

        assertThatThrownBy(() -> take(token))
                .isInstanceOf(NotInvitedException.class)
                .hasMessageContaining("ended on");
        assertThat(KeyMaker.issued(authority())).hasSize(Role.values().length);
    }

    @Test
    void whoDoesNotKnowTheSecretHearsTheSameWhetherThereIsAnInvitationOrNot() throws Exception {
        JoinToken open = invite();
        JoinToken used = invite();
        take(used);
        String wrong = "A".repeat(open.secret().length());

        for (String id : List.of(open.id(), used.id(), "00000000", "../../x", "", "ABCDEF01")) {
            assertThatThrownBy(() -> invitations().take(id, wrong, JoinRequest.of(pair), now))
                    .as(id)
                    .isInstanceOf(NotInvitedException.class)
                    .hasMessage("there is no such invitation");
        }
        assertThat(take(open).name()).as("a wrong secret uses nothing up").isEqualTo("berlin");
    }

    @Test
    void aRequestThatIsNoneUsesNothingUp() throws Exception {
        JoinToken token = invite();
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        byte[] altered = JoinRequest.of(pair);
        altered[altered.length - 1] ^= 1;

        for (byte[] request : List.of(new byte[0], new byte[] {0x30, 1, 0}, altered)) {
            assertThatThrownBy(() -> invitations().take(token.id(), token.secret(), request, now))
                    .isInstanceOf(NotInvitedException.class);
        }
        assertThat(take(token).name()).isEqualTo("berlin");
    }

    @Test
    void whatIsTakenBackCannotBeUsed() throws Exception {
        JoinToken token = invite();
        invitations().withdraw(token.id());

        assertThatThrownBy(() -> take(token)).hasMessage("there is no such invitation");
        assertThatThrownBy(() -> invitations().withdraw(token.id())).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> invitations().withdraw("../ca")).isInstanceOf(ConfigException.class);
    }

    @Test
    void theFilesAreTheOwnersAndDoNotHoldTheSecret() throws Exception {
        JoinToken token = invite();
        Path file = authority().path().resolve("invitations").resolve(token.id() + ".open");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).doesNotContain(token.secret());
        assertThat(token.toString()).doesNotContain(token.secret());
    }

    @Test
    void theListSaysWhichAreOpen() throws Exception {
        JoinToken used = invite();
        take(used);
        JoinToken open = invitations().invite(terms("rom"), now.plusSeconds(5));

        List<Invitations.Invitation> all = invitations().all();
        assertThat(all).extracting(Invitations.Invitation::id).containsExactly(open.id(), used.id());
        assertThat(all).extracting(Invitations.Invitation::taken).containsExactly(false, true);
        assertThat(all.get(0).terms()).isEqualTo(terms("rom"));
    }

    @Test
    void aDamagedInvitationIsNamedAndUsesNothingUp() throws Exception {
        for (String[] change : new String[][] {
            {"publish", "publich"},
            {"\\=site-b", ""},
            {"days=30", "days=many"},
            {"until=", "until=x"},
            {"name=", "name=*"}
        }) {
            JoinToken token = invite();
            Path file = authority().path().resolve("invitations").resolve(token.id() + ".open");
            String text = Files.readString(file);
            assertThat(text).contains(change[0]);
            Files.writeString(file, text.replace(change[0], change[1]));

            assertThatThrownBy(() -> invitations().all())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(token.id())
                    .hasMessageContaining("is damaged");
            assertThatThrownBy(() -> take(token)).isInstanceOf(ConfigException.class);
            assertThat(file).exists();
            Files.delete(file);
        }
    }

    @Test
    void aTokenIsReadBackAndHalfOfOneIsNot() throws Exception {
        String text = invite().text();

        assertThat(JoinToken.parse(" " + text + "\n").text()).isEqualTo(text);
        for (String wrong : List.of("", text.substring(1), text.substring(0, text.length() - 1), text + "x")) {
            assertThatThrownBy(() -> JoinToken.parse(wrong))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageNotContaining(text.substring(9, 41));
        }
    }
}
