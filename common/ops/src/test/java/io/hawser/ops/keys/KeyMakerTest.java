package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.access.Right;
import io.hawser.core.config.ConfigException;
import io.hawser.core.model.Topic;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.CheckedKeys;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

        Identity identity = CertificateIdentity.identity(
                CheckedKeys.certificates(target.certificate(Role.AGENT_A)).get(0));
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
                CheckedKeys.certificates(target.certificate(Role.AGENT_A)).get(0);

        X509Certificate renewed = new KeyMaker(Set.of(), Duration.ofDays(60), Instant.now())
                .renew(authority(), target)
                .get(0);

        Awaitility.await().until(() -> !running.validUntil().equals(before));
        assertThat(renewed.getPublicKey()).isNotEqualTo(old.getPublicKey());
        Identity was = CertificateIdentity.identity(old);
        Identity is = CertificateIdentity.identity(renewed);
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
                                .filter(text -> text.contains("the previous keys stay in use"))
                                .isPresent());
    }

    @Test
    void aRevokedCertificateIsKnownWithoutARestart() throws IOException {
        KeyDirectory target = berlin(Grants.NONE);
        X509Certificate certificate =
                CheckedKeys.certificates(target.certificate(Role.AGENT_A)).get(0);
        NodeTls broker = NodeTls.load(authority().path(), Role.BROKER);
        assertThat(broker.isRevoked(certificate)).isFalse();

        assertThat(maker.revoke(authority(), "agent-a:berlin")).containsExactly(certificate);
        Awaitility.await().until(() -> broker.isRevoked(certificate));
        assertThat(KeyMaker.isRevoked(authority(), certificate)).isTrue();

        maker.revoke(authority(), "agent-b");
        Awaitility.await()
                .until(() ->
                        broker.isRevoked(CheckedKeys.certificates(authority().certificate(Role.AGENT_B))
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
        assertThat(CheckedKeys.read(authority(), Role.BROKER, Instant.now()).trusted())
                .hasSize(2);
    }

    @Test
    void theCasKeyMayNotBeReadByOthers() throws IOException {
        Files.setPosixFilePermissions(
                authority().caKey(), java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> berlin(Grants.NONE)).hasMessageContaining("chmod 600");
    }

    /** All that a kill in the middle of {@code keys init} can leave: some files of a draft, or a whole one of which some are in place. */
    @Test
    void keysThatWereBeingMadeWhenTheProcessDiedAreAllThereOrNone() throws IOException {
        List<String> names = names(authority().path());
        List<String> inOrder = new ArrayList<>(names);
        inOrder.remove("ca.crt");
        inOrder.add("ca.crt");
        for (int cut = 0; cut <= names.size(); cut++) {
            KeyDirectory begun = new KeyDirectory(directory.resolve("begun-" + cut));
            Path making = Files.createDirectories(begun.path().resolve(".making"));
            copy(names.subList(0, cut), making);
            assertThat(KeyMaker.finish(begun)).isFalse();
            maker.fill(begun);
            isWhole(begun, names);
            assertThat(begun.caKey()).as("made anew").isRegularFile();
            assertThat(Files.mismatch(begun.caKey(), authority().caKey())).isNotEqualTo(-1);

            KeyDirectory made = new KeyDirectory(directory.resolve("made-" + cut));
            Path whole = Files.createDirectories(made.path().resolve(".made"));
            copy(inOrder.subList(0, cut), made.path());
            copy(inOrder.subList(cut, inOrder.size()), whole);
            assertThat(KeyMaker.finish(made)).isTrue();
            isWhole(made, names);
            assertThat(Files.mismatch(made.caKey(), authority().caKey())).isEqualTo(-1);
        }
    }

    @Test
    void anInterruptedDraftIsNeverMovedOverKeysThatAreThere() throws IOException {
        Path made = Files.createDirectories(authority().path().resolve(".made"));
        Files.writeString(made.resolve("ca.crt"), "another");
        String before = Files.readString(authority().caCertificate());
        assertThatThrownBy(() -> KeyMaker.finish(authority()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("keys are never overwritten");
        assertThat(authority().caCertificate()).hasContent(before);
    }

    private void isWhole(KeyDirectory keys, List<String> names) throws IOException {
        assertThat(names(keys.path())).isEqualTo(names);
        for (Role role : Role.values()) {
            assertThat(NodeTls.load(keys.path(), role).principal()).contains("CN=" + role.fileName());
        }
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void copy(List<String> names, Path to) throws IOException {
        for (String name : names) {
            Files.copy(authority().path().resolve(name), to.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }
}
