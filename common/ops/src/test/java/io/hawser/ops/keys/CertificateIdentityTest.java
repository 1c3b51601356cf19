package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.tls.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

class CertificateIdentityTest {
    private static X509Certificate certificate(X500Name subject) throws Exception {
        KeyPair pair = CertificateAuthority.newKeyPair();
        Instant now = Instant.now();
        return new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                subject,
                                BigInteger.ONE,
                                Date.from(now),
                                Date.from(now.plusSeconds(60)),
                                subject,
                                pair.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
    }

    @Test
    void aCommonNameThatIsNoTextNamesNobody() throws Exception {
        X500Name subject = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.OU, "agent-a")
                .addRDN(BCStyle.CN, new DEROctetString("berlin".getBytes(StandardCharsets.US_ASCII)))
                .build();

        X509Certificate certificate = certificate(subject);

        assertThat(CertificateIdentity.identity(certificate).name()).isEmpty();
        assertThat(CertificateIdentity.identity(certificate)).isEqualTo(CertificateIdentity.identity(certificate));
    }
}
