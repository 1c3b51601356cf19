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
