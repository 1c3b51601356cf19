package io.hawser.ptcp;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority that lives for a test, and what it signs. */
final class TestCertificates {
    private final KeyPair caKeys = newKeys();
    private final X500Name caName = new X500Name("CN=test authority");
    private final X509Certificate ca = sign("CN=test authority", caKeys, true);
    private long serial = 1;

    /** TLS for an acceptor that demands a certificate of this authority. */
    SslContext acceptor(String name) throws Exception {
        return acceptor(name, TlsProviders.name());
    }

    /** The same, with the engine of that name. */
    SslContext acceptor(String name, String engine) throws Exception {
        KeyPair keys = newKeys();
        return build(
                engine,
                SslContextBuilder.forServer(keys.getPrivate(), sign("CN=" + name, keys, false))
                        .clientAuth(ClientAuth.REQUIRE));
    }

    /** TLS for a dialler with a certificate of this authority. */
    SslContext dialler(String name) throws Exception {
        return dialler(name, TlsProviders.name());
    }

    /** The same, with the engine of that name. */
    SslContext dialler(String name, String engine) throws Exception {
        KeyPair keys = newKeys();
        return build(
                engine, SslContextBuilder.forClient().keyManager(keys.getPrivate(), sign("CN=" + name, keys, false)));
    }

    /** TLS for a dialler that trusts this authority and has no certificate. */
    SslContext anonymousDialler(String engine) throws Exception {
        return build(engine, SslContextBuilder.forClient());
    }

    /** TLS for a dialler with a certificate of {@code other} that trusts this authority. */
    SslContext strangerFrom(TestCertificates other, String engine) throws Exception {
        KeyPair keys = newKeys();
        return build(
                engine,
                SslContextBuilder.forClient().keyManager(keys.getPrivate(), other.sign("CN=stranger", keys, false)));
    }

    private SslContext build(String engine, SslContextBuilder builder) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ca", ca);
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return TlsProviders.build(
                builder.protocols("TLSv1.3"),
                (X509ExtendedTrustManager) factory.getTrustManagers()[0],
                engine.equals("BoringSSL"));
    }

    private X509Certificate sign(String subject, KeyPair keys, boolean isCa) {
        try {
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    caName,
                    BigInteger.valueOf(serial++),
                    Date.from(Instant.now().minus(Duration.ofHours(1))),
                    Date.from(Instant.now().plus(Duration.ofDays(1))),
                    new X500Name(subject),
                    keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isCa));
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")
            }));
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(caKeys.getPrivate())));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
