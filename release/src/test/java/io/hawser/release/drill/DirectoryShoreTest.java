package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.release.drill.Shore.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryShoreTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private static Ledger.Flight flight(boolean reported) {
        return new Ledger.Flight(new Canary("canary", 1000, 9, Way.FTP), Ledger.Fate.AWAITED, "", reported, 0);
    }

    @Test
    void wholeOrCorruptOrNotThereYet() throws Exception {
        DirectoryShore shore = new DirectoryShore(directory);
        Path file = directory.resolve("canary");
        byte[] content = flight(false).canary().content().readAllBytes();

        assertThat(shore.look(flight(false)).outcome()).isEqualTo(Outcome.WAITING);
        Files.write(file, content);
        assertThat(shore.look(flight(false)).outcome()).isEqualTo(Outcome.WHOLE);
        content[500]++;
        Files.write(file, content);
        assertThat(shore.look(flight(false)).outcome()).isEqualTo(Outcome.CORRUPT);
        assertThat(shore.look(flight(false)).why()).contains("byte 500");
        assertThat(shore.names("can")).containsExactly("canary");
        assertThat(shore.names("other")).isEmpty();
    }

    @Test
    void whatIsReportedAndNotThereForAWhileIsLost() {
        Misses misses = new Misses();
        assertThat(misses.missed("a", 0)).isFalse();
        assertThat(misses.missed("a", 1_000_000_000L)).isFalse();
        assertThat(misses.missed("a", 3_000_000_000L)).isTrue();
        assertThat(misses.missed("b", 3_000_000_000L)).isFalse();
        misses.found("b");
        assertThat(misses.missed("b", 9_000_000_000L)).as("counted anew").isFalse();
    }

    @Test
    void aFirstLookAtWhatIsReportedIsNotBelieved() throws Exception {
        assertThat(new DirectoryShore(directory).look(flight(true)).outcome()).isEqualTo(Outcome.WAITING);
    }
}
