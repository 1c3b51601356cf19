package io.hawser.gsi.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.name.HostNames;
import io.hawser.gsi.testkit.GridPki;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** What a peer writes into its certificates and Java does not read: its name, and ProxyCertInfo. Nobody has signed anything yet. */
class ChainFuzzTest {
    private static final int SEQUENCE = 0x30;
    private static final int UTC_TIME = 0x17;
    private static final byte[] SHA256_WITH_RSA = hex("300d06092a864886f70d01010b0500");
    private static final byte[] PROXY_INFO_OID = hex("06082b0601050507010e");
    /** O=Test Grid, CN=Anna. */
    private static final byte[] OWNER =
            hex("30233112301006035504" + "0a0c09546573742047726964" + "310d300b0603550403" + "0c04416e6e61");

    private static byte[] key = {};
    private static X509Certificate owner;

    @BeforeAll
    static void keys() throws Exception {
        key = GridPki.rsa().getPublic().getEncoded();
        owner = unsigned(OWNER, new byte[0]);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] der(int tag, byte[]... parts) {
        byte[] content = joined(parts);
        int length = content.length;
        if (length < 0x80) {
            return joined(new byte[] {(byte) tag, (byte) length}, content);
        }
        return length <= 0xFF
                ? joined(new byte[] {(byte) tag, (byte) 0x81, (byte) length}, content)
                : joined(new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length}, content);
    }

    private static byte[] time(String text) {
        return der(UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A certificate of {@link #OWNER} for that name; its signature is nonsense. */
    private static X509Certificate unsigned(byte[] subject, byte[] proxyInfo) throws CertificateException {
        byte[] extensions = proxyInfo.length == 0
                ? new byte[0]
                : der(0xA3, der(SEQUENCE, der(SEQUENCE, PROXY_INFO_OID, hex("0101ff"), der(0x04, proxyInfo))));
        byte[] content = der(
                SEQUENCE,
                hex("a003020102"),
                hex("020107"),
                SHA256_WITH_RSA,
                OWNER,
                der(SEQUENCE, time("200101000000Z"), time("490101000000Z")),
                subject,
                key,
                extensions);
        byte[] whole = der(SEQUENCE, content, SHA256_WITH_RSA, hex("0303000000"));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    /** Two bytes of length, that long a name, and the value of ProxyCertInfo, which is missing if it is empty. */
    @FuzzTest(maxDuration = "2m")
    void certificate(byte[] data) throws Exception {
        if (data.length < 2) {
            return;
        }
        int end = Math.min(data.length, 2 + ((data[0] & 0xFF) << 8 | (data[1] & 0xFF)));
        X509Certificate leaf;
        try {
            leaf = unsigned(Arrays.copyOfRange(data, 2, end), Arrays.copyOfRange(data, end, data.length));
        } catch (CertificateException e) {
            return; // Java says that it is none
        }
        List<X509Certificate> chain = List.of(leaf, owner);
        assertThatThrownBy(() -> new PathValidator(new TrustAnchors(List.of()), true)
                        .validate(chain, CertificatePurpose.CLIENT, Instant.parse("2030-01-01T00:00:00Z")))
                .isInstanceOf(GsiException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
        try {
            assertThat(PathValidator.endEntity(chain)).isBetween(0, 1);
        } catch (GsiException e) {
            return; // its name cannot be read
        }
        readAgain(DistinguishedName.of(leaf.getSubjectX500Principal()));
        assertThat(HostNames.matches(leaf, "")).isFalse();
        if (ProxyKind.of(leaf) == ProxyKind.RFC) {
            proxyInfo(leaf);
        }
    }

    private static void readAgain(DistinguishedName name) {
        if (!name.toString().isEmpty()) {
            assertThat(DistinguishedName.parse(name.toString())).isEqualTo(name);
        }
    }

    private static void proxyInfo(X509Certificate leaf) {
        try {
            ProxyInfo info = ProxyInfo.of(leaf);
            assertThat(info.furtherProxies()).isNotNegative();
            assertThat(info.language()).matches("[0-9.]+");
        } catch (GsiException e) {
            assertThat(e.why()).contains("ProxyCertInfo");
        }
    }
}
