package io.hawser.gsi.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;

class DistinguishedNameTest {
    @Test
    void isWrittenInTheOrderOfTheCertificate() throws Exception {
        X500Principal principal = new X500Principal(new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.DC, "org")
                .addRDN(BCStyle.O, "Test Grid")
                .addRDN(BCStyle.CN, "host/a.example.org")
                .addRDN(BCStyle.UID, "anna")
                .addRDN(BCStyle.EmailAddress, "a@example.org")
                .build()
                .getEncoded());

        assertThat(DistinguishedName.of(principal))
                .hasToString("/DC=org/O=Test Grid/CN=host/a.example.org/UID=anna/emailAddress=a@example.org");
    }

    @Test
    void whatIsNotAsciiIsWrittenInBytes() throws Exception {
        X500Principal unicode = new X500Principal(new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, "Zo\u00eb")
                .build()
                .getEncoded());
        X500Principal latin = new X500Principal(new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, new DERT61String("Zo\u00eb"))
                .build()
                .getEncoded());

        assertThat(DistinguishedName.of(unicode)).hasToString("/CN=Zo\\xC3\\xAB");
        assertThat(DistinguishedName.of(latin)).hasToString("/CN=Zo\\xEB");
        assertThat(DistinguishedName.of(unicode)).isEqualTo(DistinguishedName.parse("/CN=Zo\u00eb"));
        assertThat(DistinguishedName.of(unicode)).isEqualTo(DistinguishedName.parse("/CN=Zo\\xc3\\xab"));
    }

    @Test
    void olderNamesOfAttributesAndCaseMakeNoDifference() {
        DistinguishedName name = DistinguishedName.parse("/O=Grid/CN=Anna/emailAddress=a@b/UID=x");

        assertThat(name).isEqualTo(DistinguishedName.parse("/o=grid/cn=anna/Email=a@b/USERID=x"));
        assertThat(name).isEqualTo(DistinguishedName.parse("/O=Grid/CN=Anna/E=a@b/UserID=X"));
        assertThat(name).isNotEqualTo(DistinguishedName.parse("/O=Grid/CN=Annb/E=a@b/UserID=X"));
    }

    @Test
    void patternsHaveStarsAndQuestionMarks() {
        DistinguishedName name = DistinguishedName.parse("/C=us/O=Grid/OU=a/b/CN=Anna/Email=x");

        assertThat(name.matches("/C=US/O=Grid/*")).isTrue();
        assertThat(name.matches("*")).isTrue();
        assertThat(name.matches("/C=US/*/CN=Ann?/*")).isTrue();
        assertThat(name.matches("/C=US/O=Grid/OU=a/b/CN=Anna/emailAddress=x")).isTrue();
        assertThat(name.matches("/C=US/O=Grid/OU=a/b/CN=Anna/Email=")).isFalse();
        assertThat(name.matches("/C=US/O=Other/*")).isFalse();
        assertThat(name.matches("C=US/O=Grid/*")).isFalse();
        assertThat(name.matches("")).isFalse();
    }

    @Test
    void otherFormsAreNoNames() {
        assertThatThrownBy(() -> DistinguishedName.parse("CN=Anna,O=Grid"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DistinguishedName.parse("/")).isInstanceOf(IllegalArgumentException.class);
    }
}
