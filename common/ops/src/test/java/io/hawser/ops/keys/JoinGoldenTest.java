package io.hawser.ops.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.access.Grants;
import io.hawser.core.config.ConfigException;
import io.hawser.core.testkit.Golden;
import io.hawser.core.tls.*;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Terms;
import io.hawser.ops.keys.Invitations.Welcome;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pins version 1 of what is said where nodes join, of a token, and of the file of an invitation. */
class JoinGoldenTest {
    private static final JoinToken TOKEN = new JoinToken("7f3a09c1", "A".repeat(31) + "_", "B".repeat(42) + "-");
    private static final Welcome WELCOME = new Welcome(Role.AGENT_A, "berlin", "certificate\n", "ca\n", "list\n");
    private static final Terms TERMS = new Terms(
            Role.AGENT_A,
            "berlin",
            Set.of("localhost", "127.0.0.1"),
            new Grants(List.of(Grants.line("publish,list=site-b,site-c*"), Grants.line("read=x"))),
            Duration.ofDays(30));
    private static final Instant UNTIL = Instant.parse("2026-11-24T02:00:00Z");
    private static final String SECRET_HASH = "cHf_h4Xa";

    private static byte[] golden(String name) throws Exception {
        Map<String, byte[]> all = Golden.read(JoinGoldenTest.class, "v1/joining.txt");
        assertThat(all).containsKey(name);
        return all.get(name);
    }

    private static String text(String name) throws Exception {
        return new String(golden(name), StandardCharsets.UTF_8);
    }

    @Test
    void messagesAreWrittenAndReadAsVersionOneHasThem() throws Exception {
        assertThat(JoinMessages.request(TOKEN, new byte[] {1, 2, 3, 4})).isEqualTo(golden("REQUEST"));
        JoinMessages.Request read = JoinMessages.request(text("REQUEST").strip());
        assertThat(read.id()).isEqualTo(TOKEN.id());
        assertThat(read.secret()).isEqualTo(TOKEN.secret());
        assertThat(read.pkcs10()).containsExactly(1, 2, 3, 4);
        assertThat(JoinMessages.answer(WELCOME)).isEqualTo(golden("ANSWER"));
        assertThat(JoinMessages.answer(golden("ANSWER"))).isEqualTo(WELCOME);
        assertThat(JoinMessages.refusal("there is no such invitation")).isEqualTo(golden("REFUSAL"));
        assertThatThrownBy(() -> JoinMessages.answer(golden("REFUSAL")))
                .isInstanceOf(NotInvitedException.class)
                .hasMessage("there is no such invitation");
        assertThat(JoinToken.parse(text("TOKEN"))).isEqualTo(TOKEN);
        assertThat(TOKEN.text()).isEqualTo(text("TOKEN"));
    }

    @Test
    void aRequestOfAnotherVersionIsRefusedAsThat() throws Exception {
        String later = text("REQUEST").strip().replace("JOIN1", "JOIN2");

        assertThatThrownBy(() -> JoinMessages.request(later))
                .isInstanceOf(NotInvitedException.class)
                .hasMessageContaining("JOIN2")
                .hasMessageContaining("JOIN1");
    }

    @Test
    void theFileOfAnInvitationIsWrittenAndReadAsVersionOneHasIt() throws Exception {
        for (String name : List.of("INVITATION", "INVITATION_WITHOUT_VERSION")) {
            StoredInvitation read = StoredInvitation.parse("x.open", text(name));
            assertThat(read.terms()).isEqualTo(TERMS);
            assertThat(read.until()).isEqualTo(UNTIL);
            assertThat(read.secretHash()).isEqualTo(SECRET_HASH);
        }
        Properties written = lines(StoredInvitation.text(SECRET_HASH, TERMS, UNTIL));
        Properties golden = lines(text("INVITATION"));
        assertThat(written.getProperty("hosts").split(" "))
                .containsExactlyInAnyOrder(golden.getProperty("hosts").split(" "));
        written.setProperty("hosts", golden.getProperty("hosts")); // a set, in any order
        assertThat(written).isEqualTo(golden);
    }

    private static Properties lines(String text) throws Exception {
        Properties lines = new Properties();
        lines.load(new StringReader(text));
        return lines;
    }

    @Test
    void theFileOfALaterVersionIsRefusedAndNotTakenForDamage() throws Exception {
        String later = text("INVITATION").replace("version=1", "version=2");

        assertThatThrownBy(() -> StoredInvitation.parse("x.open", later))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("version '2'")
                .hasMessageNotContaining("damaged");
    }
}
