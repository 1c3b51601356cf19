package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.release.drill.FarEnd.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryFarEndTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private static CanaryLedger.PendingCanary pending(boolean reported) {
        return new CanaryLedger.PendingCanary(
                new Canary("canary", 1000, 9, CanaryRoute.FTP), CanaryLedger.CanaryState.AWAITED, "", reported, 0);
    }

    @Test
    void wholeOrCorruptOrNotThereYet() throws Exception {
        DirectoryFarEnd farEnd = new DirectoryFarEnd(directory);
        Path file = directory.resolve("canary");
        byte[] content = pending(false).canary().content().readAllBytes();

        assertThat(farEnd.look(pending(false)).outcome()).isEqualTo(Outcome.WAITING);
        Files.write(file, content);
        assertThat(farEnd.look(pending(false)).outcome()).isEqualTo(Outcome.WHOLE);
        content[500]++;
        Files.write(file, content);
        assertThat(farEnd.look(pending(false)).outcome()).isEqualTo(Outcome.CORRUPT);
        assertThat(farEnd.look(pending(false)).why()).contains("byte 500");
        assertThat(farEnd.names("can")).containsExactly("canary");
        assertThat(farEnd.names("other")).isEmpty();
    }

    @Test
    void whatIsReportedAndNotThereForAWhileIsLost() {
        AbsenceTimer absences = new AbsenceTimer();
        assertThat(absences.missed("a", 0)).isFalse();
        assertThat(absences.missed("a", 1_000_000_000L)).isFalse();
        assertThat(absences.missed("a", 3_000_000_000L)).isTrue();
        assertThat(absences.missed("b", 3_000_000_000L)).isFalse();
        absences.found("b");
        assertThat(absences.missed("b", 9_000_000_000L)).as("counted anew").isFalse();
    }

    @Test
    void aFirstLookAtWhatIsReportedIsNotBelieved() throws Exception {
        assertThat(new DirectoryFarEnd(directory).look(pending(true)).outcome()).isEqualTo(Outcome.WAITING);
    }
}
