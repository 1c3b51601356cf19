package io.hawser.common.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.common.access.Grants;
import io.hawser.common.access.Identity;
import io.hawser.common.access.Right;
import io.hawser.common.config.ConfigException;
import io.hawser.common.model.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyMakerTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private final KeyMaker maker = new KeyMaker(Set.of("localhost"), Duration.ofDays(30), Instant.now());

    private KeyDirectory authority() {
        return new KeyDirectory(directory.resolve("keys"));
    }

    @BeforeEach
    void fill() throws IOException {
        maker.fill(authority());
    }

    private KeyDirectory berlin(Grants grants) throws IOException {
        KeyDirectory target = new KeyDirectory(directory.resolve("berlin"));
        maker.add(authority(), target, Role.AGENT_A, "berlin", grants);
        return target;
    }

    @Test
    void aNodesCertificateSaysItsRoleItsNameAndItsRights() throws IOException {
        KeyDirectory target = berlin(new Grants(List.of(Grants.line("publish,list", List.of("site-b", "site-c*")))));
        assertThat(NodeTls.load(target.path(), Role.AGENT_A).principal()).isEqualTo("CN=berlin,OU=agent-a,O=Hawser");

        Identity identity = CertificateNames.identity(
                KeyFiles.certificates(target.certificate(Role.AGENT_A)).get(0));
        assertThat(identity.text()).isEqualTo("agent-a:berlin");
        assertThat(identity.mayBe("agent-a")).isTrue();
        assertThat(identity.mayBe("agent-b")).isFalse();
        Grants grants = identity.grants().orElseThrow();
        assertThat(grants.allow(Right.PUBLISH, new Topic("site-c9"))).isTrue();
        assertThat(grants.allow(Right.SUBSCRIBE, new Topic("site-b"))).isFalse();
    }

    @Test
    void renewedKeysAreTakenWithoutARestartAndSayTheSame() throws IOException {
        KeyDirectory target = berlin(new Grants(List.of(Grants.line("publish", List.of("site-b")))));
        NodeTls running = NodeTls.load(target.path(), Role.AGENT_A);
        Instant before = running.validUntil();
        X509Certificate old =
                KeyFiles.certificates(target.certificate(Role.AGENT_A)).get(0);

        X509Certificate renewed = new KeyMaker(Set.of(), Duration.ofDays(60), Instant.now())
                .renew(authority(), target)
                .get(0);

        Awaitility.await().until(() -> !running.validUntil().equals(before));
        assertThat(renewed.getPublicKey()).isNotEqualTo(old.getPublicKey());
        Identity was = CertificateNames.identity(old);
        Identity is = CertificateNames.identity(renewed);
        assertThat(is.principal()).isEqualTo(was.principal());
        assertThat(is.grants()).isEqualTo(was.grants());
        assertThat(running.warning(Instant.now())).isEmpty();
    }

    @Test
    void keysThatCannotBeUsedLeaveThoseOfBeforeAndAreToldOf() throws IOException {
        NodeTls running = NodeTls.load(authority().path(), Role.BROKER);
        String before = running.principal();
        Files.writeString(authority().certificate(Role.BROKER), "nonsense");
        Awaitility.await()
                .until(() -> running.principal().equals(before)
                        && running.warning(Instant.now())
                                .filter(text -> text.contains("the keys of before hold"))
                                .isPresent());
    }

    @Test
    void aRevokedCertificateIsKnownWithoutARestart() throws IOException {
        KeyDirectory target = berlin(Grants.NONE);
        X509Certificate certificate =
                KeyFiles.certificates(target.certificate(Role.AGENT_A)).get(0);
        NodeTls broker = NodeTls.load(authority().path(), Role.BROKER);
        assertThat(broker.isRevoked(certificate)).isFalse();

        assertThat(maker.revoke(authority(), "agent-a:berlin")).containsExactly(certificate);
        Awaitility.await().until(() -> broker.isRevoked(certificate));
        assertThat(KeyMaker.isRevoked(authority(), certificate)).isTrue();

        maker.revoke(authority(), "agent-b");
        Awaitility.await()
                .until(() -> broker.isRevoked(KeyFiles.certificates(authority().certificate(Role.AGENT_B))
                        .get(0)));
        assertThat(broker.isRevoked(certificate)).as("the first one still is").isTrue();
        assertThatThrownBy(() -> maker.revoke(authority(), "agent-a:nobody")).isInstanceOf(ConfigException.class);
    }

    @Test
    void aListThatTheCaDidNotSignIsRefused() throws IOException {
        KeyDirectory other = new KeyDirectory(directory.resolve("other"));
        maker.fill(other);
        maker.revoke(other, "agent-a");
        Files.copy(other.revocations(), authority().revocations(), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> NodeTls.load(authority().path(), Role.BROKER))
                .hasMessageContaining("was not signed by the CA");
    }

    @Test
    void whileOneCaTakesTheOthersPlaceBothAreBelieved() throws IOException {
        KeyDirectory next = new KeyDirectory(directory.resolve("next"));
        maker.fill(next);
        String both = Files.readString(authority().caCertificate()) + Files.readString(next.caCertificate());
        Files.writeString(authority().caCertificate(), both);
        assertThat(KeyFiles.read(authority(), Role.BROKER, Instant.now()).trusted())
                .hasSize(2);
    }

    @Test
    void theCasKeyMayNotBeReadByOthers() throws IOException {
        Files.setPosixFilePermissions(
                authority().caKey(), java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> berlin(Grants.NONE)).hasMessageContaining("chmod 600");
    }
}
