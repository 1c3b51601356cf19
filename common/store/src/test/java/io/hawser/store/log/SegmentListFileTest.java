package io.hawser.store.log;

import static io.hawser.store.log.LogOnDisk.DIRECTORY;
import static io.hawser.store.log.LogOnDisk.append;
import static io.hawser.store.log.LogOnDisk.bodies;
import static io.hawser.store.log.LogOnDisk.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage.Fault;
import io.hawser.store.testkit.TestRuntime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment that the log has lost is told from one that it deleted, also when a crash comes in between. */
class SegmentListFileTest {
    private static final Path LIST = DIRECTORY.resolve("segments");

    private final LogOnDisk disk = new LogOnDisk();

    /** Segments 2, 3 and 4; the first was deleted. */
    private void fill() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            for (int i = 1; i <= 4; i++) {
                append(log, "first of " + i);
                append(log, "second of " + i);
                if (i < 4) {
                    log.roll();
                }
            }
            log.deleteSegment(1);
        }
    }

    private List<Finding> check() throws StorageException {
        List<Finding> found = new ArrayList<>();
        new LogCheck(disk.storage, DIRECTORY, 100, true, new Findings(found::add, bytes -> {})).run(record -> {});
        return found;
    }

    private void assertRefused(String kind, Path named) throws StorageException {
        List<String> before = disk.storage.list(DIRECTORY);
        assertThatThrownBy(() -> disk.open(3))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(named.toString())
                .hasMessageContaining("delete " + LIST);
        assertThat(disk.storage.list(DIRECTORY)).isEqualTo(before);
        assertThat(check()).anySatisfy(finding -> {
            assertThat(finding.kind()).isEqualTo(kind);
            assertThat(finding.place()).contains(named.toString());
            assertThat(finding.advice()).containsAnyOf("delete " + LIST, "Restore it");
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    void aSegmentThatIsGoneIsRefusedUntilTheListIsDeleted(long gone) throws Exception {
        fill();
        assertThat(check()).isEmpty();
        disk.storage.delete(segment(gone));

        assertRefused("log.missing-segment", segment(gone));

        disk.storage.delete(LIST);
        for (int epoch = 4; epoch <= 5; epoch++) { // the second start has a list of what the first one found
            try (SegmentLog log = disk.open(epoch)) {
                assertThat(bodies(log)).hasSizeGreaterThanOrEqualTo(4).noneMatch(body -> body.endsWith("of " + gone));
                append(log, "new");
            }
        }
    }

    @Test
    void severalSegmentsThatAreGoneAreCounted() throws Exception {
        fill();
        disk.storage.delete(segment(2));
        disk.storage.delete(segment(4));

        assertThatThrownBy(() -> disk.open(3)).hasMessageContaining(segment(2) + " is missing, and 1 more, although");
    }

    @Test
    void aListThatIsDeletedUnderTheLogIsMadeAgain() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
            disk.storage.delete(LIST);
            log.roll();
            append(log, "second");
        }
        assertThat(check()).isEmpty();

        disk.storage.delete(segment(1));
        assertRefused("log.missing-segment", segment(1));
    }

    @Test
    void aLogThatLostItsOnlySegmentIsNotTakenForANewOne() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "only");
        }
        disk.storage.delete(segment(1));

        assertRefused("log.missing-segment", segment(1));
    }

    /** Both look like a log that just ended there. */
    @Test
    void aSegmentThatIsCutBetweenTwoGroupsIsRefused() throws Exception {
        LogPosition second;
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
            second = append(log, "second");
        }
        disk.cut(segment(1), second.offset());

        assertRefused("log.lost-end", segment(1));

        disk.storage.delete(LIST);
        try (SegmentLog log = disk.open(3)) {
            assertThat(bodies(log)).containsExactly("first");
        }
    }

    /** Nothing is lost with it. */
    @Test
    void aDamagedSealIsNoLoss() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
        }
        disk.cut(segment(1), new SegmentFiles(disk.storage, DIRECTORY).sizeBytes(segment(1)) - LogFormat.BLOCK_BYTES);

        try (SegmentLog log = disk.open(2)) {
            assertThat(bodies(log)).containsExactly("first");
        }
    }

    @Test
    void aListOfAnOlderBackupIsRefused() throws Exception {
        byte[] older;
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
            older = disk.storage.readAll(LIST);
            for (int i = 2; i <= 4; i++) {
                log.roll();
                append(log, "in " + i);
            }
        }
        disk.storage.replaceAll(LIST, older);

        assertThatThrownBy(() -> disk.open(2))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("the list is older than the log");
        assertThat(check()).extracting(Finding::kind).containsExactly("log.list");
    }

    @ParameterizedTest
    @ValueSource(strings = {"flipped", "cut", "empty", "foreign"})
    void aListThatCannotBeUsedIsToldAndMadeAgain(String how) throws Exception {
        fill();
        switch (how) {
            case "flipped" -> {
                disk.overwrite(LIST, 20, (byte) 99);
                disk.overwrite(LIST, LogFormat.BLOCK_BYTES + 20, (byte) 99);
            }
            case "cut" -> disk.cut(LIST, 100);
            case "empty" -> disk.cut(LIST, 0);
            default ->
                disk.storage.replaceAll(
                        LIST, LogOnDisk.bytes(new SegmentListEntry(new LogId(1, 2), 1, 1, 9, 9).toBlock()));
        }
        assertThat(check()).extracting(Finding::kind).containsExactly("log.list");

        try (SegmentLog log = disk.open(3)) {
            assertThat(bodies(log)).hasSize(6);
        }
        assertThat(check()).isEmpty();
        disk.storage.delete(segment(2));
        assertRefused("log.missing-segment", segment(2));
    }

    @Test
    void aListThatIsNotThereIsMadeAgain() throws Exception {
        fill();
        disk.storage.delete(LIST);
        assertThat(check()).extracting(Finding::kind).containsExactly("log.no-list");

        disk.open(3).close();

        assertThat(check()).isEmpty();
    }

    /** Entries take turns. */
    @Test
    void oneDamagedEntryLeavesTheOther() throws Exception {
        fill();
        disk.open(3).close(); // both entries tell the same now
        for (int entry = 0; entry < 2; entry++) {
            disk.overwrite(LIST, (long) entry * LogFormat.BLOCK_BYTES + 50, (byte) 7);
            try (SegmentLog log = disk.open(4 + entry)) {
                assertThat(bodies(log)).hasSize(6);
            }
        }
        disk.storage.delete(segment(4));
        assertRefused("log.missing-segment", segment(4));
    }

    @Test
    void aListOfALaterVersionIsRefused() throws Exception {
        fill();
        byte[] block = LogOnDisk.bytes(new SegmentListEntry(disk.header(2).log(), 99, 2, 4, 1).toBlock());
        block[SegmentListEntry.VERSION_OFFSET] = 1;
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(block, 0, 64);
        java.nio.ByteBuffer.wrap(block).putInt(64, (int) crc.getValue());
        disk.storage.replaceAll(LIST, block);

        assertThatThrownBy(() -> disk.open(3)).isInstanceOf(FormatTooNewException.class);
        assertThat(check()).extracting(Finding::kind).containsExactly("log.version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"log.before-list", "log.after-segment-begin", "log.before-delete", "log.after-segment-end"})
    void aPowerCutBetweenTheStepsOfARollOrADeletionLosesNothing(String point) throws Exception {
        for (long seed = 1; seed <= 12; seed++) {
            LogOnDisk here = new LogOnDisk();
            long[] left = {1 + seed % 3};
            CrashPoints deadly = reached -> {
                if (reached.equals(point) && --left[0] == 0) {
                    throw new IllegalStateException("the end, at " + point);
                }
            };
            List<String> acked = new ArrayList<>();
            LogConfig config = LogConfig.of(DIRECTORY, 1, "writer", TestRuntime.threads())
                    .withSegments(LogOnDisk.SEGMENT_BYTES, 1)
                    .withCrashPoints(deadly);
            SegmentLog log = SegmentLog.open(here.storage, config, LogObserver.NONE, cause -> {});
            try {
                for (int i = 1; i <= 6; i++) {
                    append(log, "in " + i);
                    acked.add("in " + i);
                    log.roll();
                    if (i > 2) {
                        log.deleteSegment(i - 2L);
                        acked.remove("in " + (i - 2));
                    }
                }
            } catch (IllegalStateException | java.util.concurrent.ExecutionException end) {
                assertThat(String.valueOf(end)).contains("the end, at " + point);
            }
            here.storage.powerCut(seed);
            log.close();

            try (SegmentLog again = LogOnDisk.open(here.storage, 2, 1)) {
                assertThat(bodies(again)).as("seed %d", seed).containsAll(acked);
                assertThat(again.damages().all()).isEmpty();
            }
        }
    }

    /** After a failed force of the list nothing may be deleted or begun on its word. */
    @ParameterizedTest
    @EnumSource(Fault.class)
    void aListThatCannotBeWrittenKeepsTheSegment(Fault fault) throws Exception {
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
            log.roll();
            append(log, "second");
            disk.storage.failCall(1, fault, false);
            assertThatThrownBy(() -> log.deleteSegment(1)).isInstanceOf(StorageException.class);
            disk.storage.heal();

            assertThat(disk.storage.facts(segment(1))).isNotNull();
            assertThat(bodies(log)).containsExactly("first", "second");
        }
        try (SegmentLog log = disk.open(2)) {
            assertThat(bodies(log)).containsExactly("first", "second");
        }
    }

    /** It still is an id. To move all segments away, as for foreign ones, would have the node start empty. */
    @ParameterizedTest
    @ValueSource(strings = {"all", "no list", "no segments"})
    void aFlippedBitInTheIdIsToldWithTheRightId(String left) throws Exception {
        Path file = DIRECTORY.resolve("log.id");
        try (SegmentLog log = disk.open(1)) {
            append(log, "first");
            log.roll();
            append(log, "second");
        }
        LogId id = disk.header(1).log();
        if (left.equals("no list")) {
            disk.storage.delete(LIST);
        } else if (left.equals("no segments")) {
            disk.storage.delete(segment(1));
            disk.storage.delete(segment(2));
        }
        disk.storage.replaceAll(file, (new LogId(id.high() ^ 1, id.low()) + "\n").getBytes(StandardCharsets.US_ASCII));

        assertThatThrownBy(() -> disk.open(2))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("write " + id + " into " + file);
        assertThat(check())
                .filteredOn(finding -> finding.kind().startsWith("log.id"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.advice()).contains(id.toString()));
        assertThat(check()).extracting(Finding::kind).doesNotContain("log.foreign", "log.list");
    }
}
