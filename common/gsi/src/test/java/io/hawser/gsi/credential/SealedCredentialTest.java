package io.hawser.gsi.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.testkit.ProxyForm;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedCredentialTest {
    private static final byte[] PURPOSE = "this transfer".getBytes(StandardCharsets.UTF_8);

    @TempDir
    static Path grid;

    private static GridPki pki;
    private static Credential delegated;
    private static Credential agent;

    @BeforeAll
    static void grid() throws Exception {
        pki = GridPki.in(grid);
        delegated = pki.proxy(pki.user("Anna"), ProxyForm.LIMITED);
        agent = pki.host();
    }

    @Test
    void opensForWhomItWasSealed() throws Exception {
        byte[] sealed = SealedCredential.seal(delegated, agent.leaf(), PURPOSE);

        Credential opened = SealedCredential.open(sealed, agent.key(), PURPOSE);

        assertThat(opened.chain()).isEqualTo(delegated.chain());
        assertThat(opened.key()).isEqualTo(delegated.key());
    }

    @Test
    void holdsNothingThatOthersCouldRead() throws Exception {
        String sealed =
                new String(SealedCredential.seal(delegated, agent.leaf(), PURPOSE), StandardCharsets.ISO_8859_1);

        for (byte[] secret :
                new byte[][] {delegated.key().getEncoded(), delegated.leaf().getEncoded()}) {
            String part = new String(secret, 40, 40, StandardCharsets.ISO_8859_1);
            assertThat(sealed).doesNotContain(part);
        }
        assertThat(SealedCredential.seal(delegated, agent.leaf(), PURPOSE))
                .isNotEqualTo(sealed.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void opensForNobodyElseAndForNothingElse() throws Exception {
        byte[] sealed = SealedCredential.seal(delegated, agent.leaf(), PURPOSE);
        Credential other = pki.host();

        assertThatThrownBy(() -> SealedCredential.open(sealed, other.key(), PURPOSE))
                .isInstanceOf(GsiException.class)
                .hasMessageContaining("not for this key");
        assertThatThrownBy(() ->
                        SealedCredential.open(sealed, agent.key(), "another transfer".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(GsiException.class)
                .hasMessageContaining("not for this transfer");
    }

    @Test
    void noChangedByteIsOverlooked() throws Exception {
        byte[] sealed = SealedCredential.seal(delegated, agent.leaf(), PURPOSE);
        Random random = new Random(1);

        for (int i = 0; i < 50; i++) {
            byte[] changed = sealed.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> SealedCredential.open(changed, agent.key(), PURPOSE))
                    .isInstanceOf(GsiException.class);
            byte[] cut = Arrays.copyOf(sealed, random.nextInt(sealed.length));
            assertThatThrownBy(() -> SealedCredential.open(cut, agent.key(), PURPOSE))
                    .isInstanceOf(GsiException.class);
        }
    }

    /** Whoever knows the certificate can seal what he likes. */
    @Test
    void aKeyOfAnotherLengthIsRefused() throws Exception {
        for (int length : new int[] {0, 5, 16, 33}) {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    agent.leaf().getPublicKey(),
                    new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
            byte[] wrapped = cipher.doFinal(new byte[length]);
            byte[] sealed = ByteBuffer.allocate(3 + wrapped.length + 12 + 16)
                    .put((byte) 1)
                    .putShort((short) wrapped.length)
                    .put(wrapped)
                    .array();

            assertThatThrownBy(() -> SealedCredential.open(sealed, agent.key(), PURPOSE))
                    .isInstanceOf(GsiException.class)
                    .hasMessageContaining("a key of " + length + " bytes");
        }
    }

    /** Sealed by another program, by what the description of the format says. */
    @Test
    void whatVersionOneHasSealedIsOpened() throws Exception {
        Map<String, byte[]> golden = new HashMap<>();
        try (InputStream in = SealedCredentialTest.class.getResourceAsStream("/golden/v1/sealed-credential.txt")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split("\n")) {
                String[] words = line.split(" ");
                golden.put(words[0], HexFormat.of().parseHex(words[1]));
            }
        }
        PrivateKey recipient =
                KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(golden.get("RECIPIENT")));

        Credential opened = SealedCredential.open(golden.get("SEALED"), recipient, PURPOSE);

        assertThat(opened.leaf().getEncoded()).isEqualTo(golden.get("CERTIFICATE"));
        assertThat(opened.key())
                .isEqualTo(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(golden.get("KEY"))));
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        byte[] sealed = SealedCredential.seal(delegated, agent.leaf(), PURPOSE);
        sealed[0]++;

        assertThatThrownBy(() -> SealedCredential.open(sealed, agent.key(), PURPOSE))
                .isInstanceOf(GsiException.class)
                .hasMessageContaining("unknown form");
    }

    @Test
    void keysOnEllipticCurvesAreRefused() throws Exception {
        Credential elliptic = pki.ecHost();

        assertThatThrownBy(() -> SealedCredential.seal(delegated, elliptic.leaf(), PURPOSE))
                .isInstanceOf(GsiException.class)
                .hasMessageContaining("RSA");
    }
}
