package io.hawser.gsi.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.gsi.testkit.GridPki;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostNamesTest {
    @TempDir
    static Path directory;

    private static X509Certificate alternatives;
    private static X509Certificate commonName;

    @BeforeAll
    static void certificates() throws Exception {
        GridPki pki = GridPki.in(directory);
        alternatives = pki.host(
                        new GeneralName(GeneralName.dNSName, "A.example.org"),
                        new GeneralName(GeneralName.dNSName, "*.wild.org"),
                        new GeneralName(GeneralName.dNSName, "*.org"),
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                        new GeneralName(GeneralName.iPAddress, "::1"))
                .leaf();
        commonName = pki.host(new GeneralName[0]).leaf();
    }

    @Test
    void namesAndAddressesOfTheAlternativesFit() {
        assertThat(HostNames.matches(alternatives, "a.Example.org")).isTrue();
        assertThat(HostNames.matches(alternatives, "127.0.0.1")).isTrue();
        assertThat(HostNames.matches(alternatives, "0:0:0:0:0:0:0:1")).isTrue();
        assertThat(HostNames.matches(alternatives, "127.0.0.2")).isFalse();
        assertThat(HostNames.matches(alternatives, "b.example.org")).isFalse();
        assertThat(HostNames.matches(alternatives, "")).isFalse();
    }

    @Test
    void starStandsForOneLabelOfADomain() {
        assertThat(HostNames.matches(alternatives, "x.wild.org")).isTrue();
        assertThat(HostNames.matches(alternatives, "x.y.wild.org")).isFalse();
        assertThat(HostNames.matches(alternatives, "wild.org")).isFalse();
        assertThat(HostNames.matches(alternatives, "other.org")).isFalse();
    }

    @Test
    void commonNameCountsOnlyWithoutAlternatives() {
        assertThat(HostNames.matches(alternatives, "localhost")).isFalse();
        assertThat(HostNames.matches(commonName, "localhost")).isTrue();
        assertThat(HostNames.matches(commonName, "127.0.0.1")).isFalse();
        assertThat(HostNames.matches(commonName, "other")).isFalse();
    }
}
