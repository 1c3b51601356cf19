package io.hawser.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchJournalTest {
    @TempDir
    Path directory;

    private WatchJournal open() throws IOException {
        return WatchJournal.open(directory);
    }

    private Path file() {
        return directory.resolve(WatchJournal.FILE);
    }

    @Test
    void theLastLineOfAPathCounts() throws IOException {
        WatchedFile begun = WatchedFile.begun("a\n\u00fc", "f1");
        WatchedFile sent = begun.sentAs("key").at(WatchedFile.Step.SENT);
        try (WatchJournal journal = open()) {
            journal.put(begun);
            journal.put(WatchedFile.begun("b", "f2"));
            journal.put(sent);
            journal.put(WatchedFile.begun("b", "f2").at(WatchedFile.Step.FORGOTTEN));
        }
        try (WatchJournal journal = open()) {
            assertThat(journal.all()).containsExactly(sent);
            assertThat(journal.find("a\n\u00fc")).contains(sent);
        }
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void aLineThatWasCutOffHidesNoOther() throws IOException {
        WatchedFile first = WatchedFile.begun("\u00fc", "f1");
        try (WatchJournal journal = open()) {
            journal.put(first);
        }
        byte[] line = WatchedFile.begun("\u00fc\u00fc", "f2").line().getBytes(StandardCharsets.UTF_8);
        Files.write(file(), java.util.Arrays.copyOf(line, 23), StandardOpenOption.APPEND);
        WatchedFile later = WatchedFile.begun("c", "f3");
        try (WatchJournal journal = open()) {
            assertThat(journal.all()).containsExactly(first);
            journal.put(later);
        }
        try (WatchJournal journal = open()) {
            assertThat(journal.all()).containsExactlyInAnyOrder(first, later);
        }
    }

    @Test
    void oneProcessAtATimeHasIt() throws IOException {
        WatchJournal journal = open();
        try (journal) {
            assertThatThrownBy(this::open)
                    .isInstanceOfSatisfying(CommandException.class, busy -> assertThat(busy.exitCode())
                            .isEqualTo(ExitCode.BUSY));
        }
        open().close();
    }

    @Test
    void aLaterVersionIsRefusedAndItsFileStays() throws IOException {
        String later = "{\"version\":2,\"path\":\"a\"}";
        Files.writeString(file(), later);
        assertThatThrownBy(this::open).hasMessageContaining("version 2").hasMessageContaining("Nothing was changed");
        assertThat(file()).hasContent(later);
    }

    @Test
    void oldLinesGo() throws IOException {
        WatchedFile last = WatchedFile.begun("a", "last");
        try (WatchJournal journal = open()) {
            for (int i = 0; i < 1100; i++) {
                journal.put(WatchedFile.begun("a", "f" + i));
            }
            journal.put(last);
            assertThat(Files.readAllLines(file())).hasSizeLessThan(200);
        }
        try (WatchJournal journal = open()) {
            assertThat(journal.all()).containsExactly(last);
        }
    }

    @Test
    @Invariant(InvariantName.FAIL_STOP)
    void whatCannotBeWrittenEndsTheCommandAndIsNotRemembered() throws IOException {
        WatchJournal journal = open();
        journal.close();
        assertThatThrownBy(() -> journal.put(WatchedFile.begun("a", "f")))
                .isInstanceOfSatisfying(CommandException.class, failed -> assertThat(failed.exitCode())
                        .isEqualTo(ExitCode.STORAGE));
        assertThat(journal.find("a")).isEmpty();
    }
}
