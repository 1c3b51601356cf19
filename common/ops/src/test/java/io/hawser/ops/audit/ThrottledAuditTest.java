package io.hawser.ops.audit;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void strangersAreOnePeerByNetwork() {
        for (int i = 0; i < 100; i++) {
            audit.note("-", "login", "anna", "/192.0.2.7:" + (1000 + i), "530");
            audit.note("-", "login", "anna", "/[2001:db8:0:1:0:0:0:" + i + "]:1000", "530");
        }
        assertThat(notes).hasSize(2 * ThrottledAudit.MAX_PER_MINUTE);

        audit.note("-", "login", "anna", "/192.0.2.8:1000", "530");
        audit.note("-", "login", "anna", "/[2001:db8:0:2:0:0:0:1]:1000", "530");
        audit.note("-", "login", "anna", "somewhere", "530");
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
