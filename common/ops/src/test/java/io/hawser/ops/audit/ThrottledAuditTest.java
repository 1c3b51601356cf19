package io.hawser.ops.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottledAuditTest {
    private final List<String> notes = new ArrayList<>();
    private long millis;
    private final ThrottledAudit audit = new ThrottledAudit(
            (who, what, object, from, result) -> notes.add(who + " " + what + " " + object + ": " + result),
            () -> millis);

    private void refuse(String who, int times) {
        for (int i = 0; i < times; i++) {
            audit.note(who, "cancel", "key" + i, "there", "no right");
        }
    }

    @Test
    void refusalsOfOnePeerAreCountedBeyondSomeInAMinute() {
        refuse("mallory", 1000);
        assertThat(notes).hasSize(ThrottledAudit.MAX_PER_MINUTE);

        millis = 60_000;
        refuse("mallory", 1);

        assertThat(notes)
                .hasSize(ThrottledAudit.MAX_PER_MINUTE + 2)
                .contains("mallory cancel : refused 970 more times within a minute");
    }

    private void login(Object from) {
        audit.note("-", "login", "anna", from, "530");
    }

    @Test
    void strangersAreOnePeerByNetwork() {
        for (int i = 0; i < 100; i++) {
            login(new InetSocketAddress("192.0.2.7", 1000 + i));
            login(new InetSocketAddress("2001:db8:0:1::" + i, 1000));
        }
        assertThat(notes).hasSize(2 * ThrottledAudit.MAX_PER_MINUTE);

        login(new InetSocketAddress("192.0.2.8", 1000));
        login(new InetSocketAddress("2001:db8:0:2::1", 1000));
        login("somewhere");
        assertThat(notes).hasSize(2 * ThrottledAudit.MAX_PER_MINUTE + 3);
    }

    @Test
    void othersAndWhatIsDoneAreNotedMeanwhile() {
        refuse("mallory", 1000);
        notes.clear();

        refuse("alice", 1);
        audit.note("mallory", "publish", "t", "there", Audit.OK);

        assertThat(notes).containsExactly("alice cancel key0: no right", "mallory publish t: ok");
    }

    @Test
    void peersWithManyNamesAreForgottenWithTheirNumber() {
        refuse("mallory", 31);
        notes.clear();

        for (int i = 0; i < ThrottledAudit.MAX_COUNTED; i++) {
            refuse("name" + i, 1);
        }

        assertThat(notes)
                .hasSize(ThrottledAudit.MAX_COUNTED + 1)
                .contains("mallory cancel : refused 1 more times within a minute");
    }
}
