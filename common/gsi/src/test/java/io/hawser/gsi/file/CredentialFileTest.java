package io.hawser.gsi.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.name.GridMap;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialFileTest {
    @TempDir
    Path directory;

    private GridPki pki;
    private Credential anna;

    @BeforeEach
    void grid() throws Exception {
        pki = GridPki.in(directory);
        anna = pki.user("Anna");
    }

    private static void refused(CredentialFile file, String why) {
        assertThatThrownBy(file::get).isInstanceOf(IOException.class).hasMessageContaining(why);
    }

    /** A proxy file: leaf, key, issuers. */
    private static CredentialFile proxyFile(Path file) {
        return new CredentialFile(file, file);
    }

    @Test
    void proxyFileHoldsLeafKeyAndIssuers() throws Exception {
        Credential proxy = pki.proxy(pki.proxy(anna, ProxyForm.FULL), ProxyForm.LIMITED);

        Credential read = proxyFile(pki.write("proxy", proxy)).get();

        assertThat(read.chain()).isEqualTo(proxy.chain());
        assertThat(read.key()).isEqualTo(proxy.key());
        assertThat(read.identity()).isEqualTo(anna.identity());
        assertThat(read.toString()).contains("/CN=Anna").doesNotContain("KEY");
    }

    /** As a program leaves it that has not written all of it yet. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIB\n-----END RSA PRIVATE KEY-----\n"
            })
    void whatWasReadIsUsedOnWhileTheFileIsMalformed(String text) throws Exception {
        Path file = pki.write("proxy", pki.proxy(anna, ProxyForm.FULL));
        CredentialFile credential = proxyFile(file);
        Credential before = credential.get();

        Files.writeString(file, text);

        assertThat(credential.get()).isSameAs(before);
        refused(proxyFile(file), file + " cannot be read: ");
    }

    @Test
    void keyOnACurveIsRead() throws Exception {
        Credential host = pki.ecHost();

        assertThat(proxyFile(pki.write("host", host)).get().identity()).isEqualTo(host.identity());
    }

    @Test
    void keyThatOthersMayReadIsRefused() throws Exception {
        Path file = pki.write("proxy", anna);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        refused(proxyFile(file), "can be used by others (rw-r-----): chmod 600");
    }

    @Test
    void certificateAndKeyMustBelongTogether() throws Exception {
        Path certificate = pki.write("cert", anna);
        Path otherKey = pki.write("key", pki.user("Ben"));

        refused(new CredentialFile(certificate, otherKey), "does not belong to the certificate");
    }

    @Test
    void filesWithoutWhatIsNeededAreRefused() throws Exception {
        Path nothing = Files.writeString(directory.resolve("nothing"), "hello\n");
        Path certificateOnly = Files.writeString(
                directory.resolve("cert"),
                GridPki.pem("CERTIFICATE", anna.leaf().getEncoded()));
        Path broken = Files.writeString(directory.resolve("broken"), GridPki.pem("CERTIFICATE", new byte[] {1, 2, 3}));
        Path encrypted = Files.writeString(
                directory.resolve("encrypted"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n");

        refused(proxyFile(nothing), "holds no");
        refused(proxyFile(certificateOnly), "holds no private key");
        assertThatThrownBy(() -> proxyFile(broken).get()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> proxyFile(encrypted).get()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> proxyFile(directory.resolve("missing")).get()).isInstanceOf(IOException.class);
    }

    @Test
    void newCredentialIsReadAndABadOneLeavesTheOldInUse() throws Exception {
        Path path = pki.write("proxy", anna);
        CredentialFile file = proxyFile(path);
        assertThat(file.get().chain()).hasSize(1);

        Credential proxy = pki.proxy(anna, ProxyForm.FULL);
        pki.write("proxy", proxy);
        assertThat(file.get().chain()).isEqualTo(proxy.chain());

        Files.writeString(path, "gone");
        assertThat(file.get().chain()).isEqualTo(proxy.chain());
    }

    @Test
    void gridMapIsReadAgainWhenItHasChanged() throws Exception {
        Path path = pki.map(anna, "anna");
        GridMapFile file = new GridMapFile(path);
        GridMap before = file.get();
        assertThat(before.account(anna.identity(), "")).contains("anna");

        Files.writeString(path, "# nobody any more\n");
        assertThat(file.get().account(anna.identity(), "")).isEmpty();

        Files.delete(path);
        assertThat(file.get().size()).isZero();
        assertThatThrownBy(() -> new GridMapFile(path).get()).isInstanceOf(IOException.class);
    }
}
