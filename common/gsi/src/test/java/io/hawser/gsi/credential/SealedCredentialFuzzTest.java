package io.hawser.gsi.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.testkit.GridPki;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** What comes to a far end in place of a sealed credential: refused with a sentence, or a key with its own certificates. */
class SealedCredentialFuzzTest {
    private static final byte[] PURPOSE = "this transfer".getBytes(StandardCharsets.UTF_8);

    @TempDir
    static Path directory;

    private static Credential agent;
    private static byte[] sealed = {};
    private static byte[] contents = {};

    @BeforeAll
    static void grid() throws Exception {
        GridPki pki = GridPki.in(directory);
        agent = pki.host();
        Credential anna = pki.user("Anna");
        sealed = SealedCredential.seal(anna, agent.leaf(), PURPOSE);
        contents = SealedCredential.encode(anna);
    }

    /** A sealed credential of this run, with other bytes at a place that the first two say; or these bytes alone. */
    @FuzzTest(maxDuration = "2m")
    void sealed(byte[] data) {
        byte[] changed = changed(sealed, data);
        if (!Arrays.equals(changed, sealed)) {
            assertThatThrownBy(() -> SealedCredential.open(changed, agent.key(), PURPOSE))
                    .isInstanceOfSatisfying(
                            GsiException.class,
                            e -> assertThat(e.why()).isNotBlank().doesNotContainPattern("\\p{Cntrl}"));
        }
    }

    /** The same with what was sealed, which is the sealer's choice. */
    @FuzzTest(maxDuration = "2m")
    void contents(byte[] data) {
        try {
            Credential opened = SealedCredential.decode(changed(contents, data));
            assertThat(opened.chain()).isNotEmpty();
            assertThat(opened.leaf().getPublicKey().getAlgorithm())
                    .isEqualTo(opened.key().getAlgorithm());
        } catch (GsiException e) {
            assertThat(e.why()).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
        }
    }

    private static byte[] changed(byte[] whole, byte[] data) {
        int place = data.length < 2 ? whole.length : (data[0] & 0xFF) << 8 | (data[1] & 0xFF);
        if (place >= whole.length) {
            return data;
        }
        byte[] changed = Arrays.copyOf(whole, Math.max(whole.length, place + data.length - 2));
        System.arraycopy(data, 2, changed, place, data.length - 2);
        return changed;
    }
}
