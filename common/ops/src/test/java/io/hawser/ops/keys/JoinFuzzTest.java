package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Terms;
import io.hawser.ops.keys.Invitations.Welcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;

/** What somebody says where nodes join, what he is answered, and the file of an invitation: understood, or refused with a sentence. */
class JoinFuzzTest {
    private static byte[] request = {};

    @BeforeAll
    static void request() {
        request = JoinRequest.of(CertificateAuthority.newKeyPair());
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    private static void sentence(NotInvitedException e) {
        assertThat(e.reason()).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
    }

    /** The caller's line; nobody has shown a token yet. */
    @FuzzTest(maxDuration = "1m")
    void line(byte[] data) {
        try {
            JoinMessages.Request said = JoinMessages.request(text(data));
            assertThat(said.toString()).matches("-|invitation [0-9a-f]{8}");
            assertThat(said.pkcs10().length).isLessThanOrEqualTo(data.length);
        } catch (NotInvitedException e) {
            sentence(e);
        }
    }

    /** A request with other bytes at a place that the first two say; or these bytes alone. */
    @FuzzTest(maxDuration = "2m")
    void pkcs10(byte[] data) {
        int place = data.length < 2 ? request.length : (data[0] & 0xFF) << 8 | (data[1] & 0xFF);
        byte[] changed = data;
        if (place < request.length) {
            changed = Arrays.copyOf(request, Math.max(request.length, place + data.length - 2));
            System.arraycopy(data, 2, changed, place, data.length - 2);
        }
        try {
            assertThat(JoinRequest.key(changed)).isInstanceOf(ECPublicKey.class);
        } catch (NotInvitedException e) {
            sentence(e);
        }
    }

    /** What a server says to who joins. */
    @FuzzTest(maxDuration = "1m")
    void answer(byte[] data) {
        try {
            Welcome welcome = JoinMessages.answer(data);
            assertThat(JoinMessages.answer(JoinMessages.answer(welcome))).isEqualTo(welcome);
            assertThat(CertificateAuthority.isName(welcome.name())).isTrue();
        } catch (NotInvitedException e) {
            assertThat(e.reason()).doesNotContainPattern("\\p{Cntrl}");
        } catch (IOException | ConfigException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @FuzzTest(maxDuration = "1m")
    void token(byte[] data) {
        try {
            JoinToken token = JoinToken.parse(text(data));
            assertThat(token.text()).isEqualTo(text(data).strip());
            assertThat(token.toString()).doesNotContain(token.secret());
        } catch (ConfigException e) {
            assertThat(e.getMessage()).contains("that is not a complete token");
        }
    }

    /** What is read says the same when it is written again. */
    @FuzzTest(maxDuration = "1m")
    void invitation(byte[] data) {
        try {
            StoredInvitation file = StoredInvitation.parse("x.open", text(data));
            Terms terms = file.terms();
            StoredInvitation again =
                    StoredInvitation.parse("x.open", StoredInvitation.text(file.secretHash(), terms, file.until()));
            assertThat(again.terms()).isEqualTo(terms);
            assertThat(again.until()).isEqualTo(file.until());
            assertThat(again.secretHash()).isEqualTo(file.secretHash());
        } catch (ConfigException e) {
            assertThat(e.getMessage()).startsWith("x.open is ").doesNotContainPattern("\\p{Cntrl}");
        }
    }
}
