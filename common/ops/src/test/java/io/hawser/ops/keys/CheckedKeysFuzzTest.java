package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.*;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Files of a key directory as somebody copied them, and what a certificate says of its owner. */
class CheckedKeysFuzzTest {
    @TempDir
    static Path directory;

    private static KeyDirectory keys = new KeyDirectory(Path.of("."));

    @BeforeAll
    static void fill() throws IOException {
        keys = new KeyDirectory(directory.resolve("keys"));
        KeyMaker maker = new KeyMaker(Set.of("localhost"), Duration.ofDays(30), Instant.now());
        maker.fill(keys);
        maker.revoke(keys, "client");
    }

    /** The first byte says which of a broker's files holds the others: the broker starts with them, or is told what is wrong. */
    @FuzzTest(maxDuration = "2m")
    void file(byte[] data) throws IOException {
        List<Path> files =
                List.of(keys.caCertificate(), keys.certificate(Role.BROKER), keys.key(Role.BROKER), keys.revocations());
        if (data.length == 0) {
            return;
        }
        Path file = files.get((data[0] & 0xFF) % files.size());
        byte[] before = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOfRange(data, 1, data.length));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try {
            assertThat(CheckedKeys.read(keys, Role.BROKER, Instant.now()).trusted())
                    .isNotEmpty();
        } catch (ConfigException e) {
            assertThat(e.getMessage()).contains(directory.toString());
        } finally {
            Files.write(file, before);
        }
    }

    /** A certificate (DER) that somebody has signed: its owner is the same whenever it is asked, and has no rights that cannot be read. */
    @FuzzTest(maxDuration = "2m")
    void identity(byte[] data) {
        X509Certificate certificate;
        try {
            certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(data));
        } catch (CertificateException e) {
            return; // Java says that it is none
        }
        Identity identity = CertificateIdentity.identity(certificate);
        assertThat(CertificateIdentity.identity(certificate)).isEqualTo(identity);
        assertThat(identity.text()).isNotBlank();
        identity.grants()
                .ifPresent(grants -> assertThat(Grants.parse(grants.toString())).isEqualTo(grants));
    }
}
