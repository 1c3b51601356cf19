package io.hawser.store.log;

import static io.hawser.store.log.LogOnDisk.DIRECTORY;
import static io.hawser.store.log.LogOnDisk.append;
import static io.hawser.store.log.LogOnDisk.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a check of a log's files finds, and what it does not find where there is nothing. */
class LogCheckTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final int SEALS_TAIL_BYTES = LogFormat.BLOCK_BYTES;

    private final LogOnDisk disk = new LogOnDisk();
    private final List<Finding> found = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private final List<LogPosition> written = new ArrayList<>();

    /** Three segments of two records each, written in epoch 5 and closed in order. */
    private void fill() throws Exception {
        try (SegmentLog log = disk.open(5)) {
            for (int i = 1; i <= 3; i++) {
                written.add(append(log, i == 1 ? KEY : null, "first of " + i));
                written.add(append(log, "second of " + i));
                log.roll();
            }
        }
    }

    private LogCheck check() throws StorageException {
        return check(disk.storage, 5, record -> shown.add(LogOnDisk.text(record)));
    }

    private LogCheck check(Storage storage, long epoch, RecordVisitor visitor) throws StorageException {
        LogCheck check = new LogCheck(storage, DIRECTORY, epoch, true, new Findings(found::add, bytes -> {}));
        check.run(visitor);
        return check;
    }

    private List<String> kinds() {
        return found.stream().map(Finding::kind).toList();
    }

    private Finding only(String kind) {
        assertThat(kinds()).containsExactly(kind);
        return found.get(0);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aSoundLogIsShownWholeAndNothingIsFound() throws Exception {
        fill();

        LogCheck check = check();

        assertThat(found).isEmpty();
        assertThat(shown)
                .containsExactly("first of 1", "second of 1", "first of 2", "second of 2", "first of 3", "second of 3");
        assertThat(check.isWhole()).isTrue();
        assertThat(check.isReadable()).isTrue();
        assertThat(check.segments()).hasSize(3);
        assertThat(check.lastSequence()).isPositive();
        assertThat(check.id()).isEqualTo(disk.header(1).log().toString());
    }

    @Test
    void whereThereIsNoLogNothingIsFound() throws Exception {
        disk.storage.createDirectories(DIRECTORY);

        LogCheck check = check();

        assertThat(found).isEmpty();
        assertThat(check.isReadable()).isTrue();
        assertThat(check.isWhole()).isTrue();
        assertThat(check.id()).isEqualTo("0".repeat(32));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not hex at all", "abcd"})
    void theIdIsTakenFromASegmentWhoseHeaderIsWhole(String damaged) throws Exception {
        fill();
        String id = disk.header(1).log().toString();
        if (damaged.isEmpty()) {
            assertThat(disk.storage.delete(DIRECTORY.resolve("log.id"))).isTrue();
        } else {
            disk.storage.replaceAll(DIRECTORY.resolve("log.id"), ascii(damaged));
        }
        disk.overwrite(segment(1), 3, (byte) 1);

        LogCheck check = check();

        assertThat(kinds()).containsExactly("log.id", "log.segment-header");
        assertThat(found.get(0).advice()).contains(id);
        assertThat(found.get(0).meaning()).contains(damaged.isEmpty() ? "is missing" : "should hold 32 hex digits");
        assertThat(shown).hasSize(6);
        assertThat(check.isReadable()).isTrue();
    }

    @Test
    void withoutAnyHeaderTheIdIsLost() throws Exception {
        fill();
        disk.storage.delete(DIRECTORY.resolve("log.id"));
        for (int i = 1; i <= 3; i++) {
            disk.overwrite(segment(i), 3, (byte) 1);
        }

        LogCheck check = check();

        assertThat(only("log.id").advice()).isEqualTo("Restore it from a backup.");
        assertThat(shown).isEmpty();
        assertThat(check.isReadable()).isFalse();
        assertThat(check.isWhole()).isFalse();
    }

    @Test
    void aDamagedBodyIsNamedWithItsTransferIfItHasOne() throws Exception {
        fill();
        disk.overwrite(segment(1), written.get(0).offset() + LogFormat.RECORD_HEADER_BYTES, (byte) 0);
        disk.overwrite(segment(1), written.get(1).offset() + LogFormat.RECORD_HEADER_BYTES, (byte) 0);

        LogCheck check = check();

        assertThat(kinds()).containsOnly("log.body");
        assertThat(found.get(0).meaning()).contains("record 1 of transfer " + KEY + " (index 7)");
        assertThat(found.get(0).place())
                .isEqualTo(segment(1) + " at " + written.get(0).offset());
        assertThat(shown).hasSize(4).doesNotContain("first of 1", "second of 1");
        assertThat(check.isWhole()).isFalse();
        assertThat(check.isReadable()).isTrue();
    }

    @Test
    void aDamagedBodyOfARecordWithoutTransferIsNamedByItsNumber() throws Exception {
        fill();
        disk.overwrite(segment(2), written.get(2).offset() + LogFormat.RECORD_HEADER_BYTES, (byte) 0);

        check();

        assertThat(only("log.body").meaning()).contains("of record ").doesNotContain("transfer");
    }

    @Test
    void recordsThatCannotBeReadAreCounted() throws Exception {
        fill();
        disk.overwrite(segment(2), written.get(2).offset() + 20, (byte) 99);
        check();
        assertThat(only("log.record").meaning()).contains("; record 6 is missing.");

        found.clear(); // the record and the padding behind it
        disk.overwrite(segment(2), written.get(2).offset(), new byte[LogFormat.BLOCK_BYTES]);
        check();
        assertThat(only("log.record").meaning()).contains("; records 6 to 7 are missing.");
        assertThat(shown).doesNotContain("first of 2").contains("second of 2");
    }

    @Test
    void aSegmentThatLostItsSealIsTruncatedAndTheNextOneNeedNotFollow() throws Exception {
        fill();
        long size = disk.storage.facts(segment(1)).sizeBytes();
        disk.cut(segment(1), size - SEALS_TAIL_BYTES);

        LogCheck check = check();

        assertThat(only("log.truncated").place()).startsWith(segment(1).toString());
        assertThat(shown).hasSize(6);
        assertThat(check.isWhole()).isFalse();
    }

    @Test
    void aRecordThatReachesPastTheFilesEndIsTruncated() throws Exception {
        try (SegmentLog log = disk.open(5)) {
            append(log, "small");
            written.add(append(log, "x".repeat(10_000)));
            log.roll();
            append(log, "behind");
        }
        disk.cut(segment(1), 3 * LogFormat.BLOCK_BYTES);

        check();

        assertThat(only("log.truncated").place())
                .isEqualTo(segment(1) + " at " + written.get(0).offset());
        assertThat(shown).containsExactly("small", "behind");
    }

    @Test
    void aDamagedSealAndADamagedHeaderBehindItHideNoRecord() throws Exception {
        fill();
        long size = disk.storage.facts(segment(1)).sizeBytes();
        disk.overwrite(segment(1), size - SEALS_TAIL_BYTES + 20, (byte) 99);
        disk.overwrite(segment(2), 30, (byte) 99);

        check();

        assertThat(kinds()).containsExactly("log.truncated", "log.segment-header");
        assertThat(shown).hasSize(6);
    }

    @Test
    void aDamagedSegmentHeaderHidesNoRecord() throws Exception {
        fill();
        disk.overwrite(segment(2), 30, (byte) 99);

        LogCheck check = check();

        only("log.segment-header");
        assertThat(shown).hasSize(6);
        assertThat(check.isReadable()).isTrue();
    }

    @Test
    void aTornTailIsANoteAndOnlyAtTheEnd() throws Exception {
        SegmentLog log = disk.open(5);
        append(log, "kept");
        LogPosition torn = append(log, "torn");
        disk.storage.kill();
        log.close();
        disk.overwrite(segment(1), torn.offset() + LogFormat.RECORD_HEADER_BYTES, (byte) 9);

        LogCheck check = check();

        assertThat(only("log.torn-tail").severity()).isEqualTo(Finding.Severity.NOTE);
        assertThat(found.get(0).place()).isEqualTo(segment(1) + " at " + torn.offset());
        assertThat(check.end()).isEqualTo(torn);
        assertThat(shown).containsExactly("kept");
        assertThat(check.isWhole()).isTrue();
    }

    @Test
    void aLogThatWasKilledBetweenTwoWritesIsSound() throws Exception {
        SegmentLog log = disk.open(5);
        append(log, "kept");
        disk.storage.kill();
        log.close();

        check();

        assertThat(found).isEmpty();
        assertThat(shown).containsExactly("kept");
    }

    @Test
    void aMissingSegmentIsNamed() throws Exception {
        fill();
        assertThat(disk.storage.delete(segment(2))).isTrue();

        LogCheck check = check();

        assertThat(only("log.missing-segment").place()).isEqualTo(segment(2).toString());
        assertThat(shown).hasSize(4);
        assertThat(check.isWhole()).isFalse();
    }

    @Test
    void recordsThatAreMissingBetweenTwoSegmentsAreFound() throws Exception {
        fill();
        SegmentHeader header = disk.header(2);
        disk.putHeader(new SegmentHeader(header.log(), 2, header.firstSequence() + 1, 5, false));

        LogCheck check = check();

        assertThat(found.get(0).kind()).isEqualTo("log.gap");
        assertThat(found.get(0).meaning()).contains("begins with record " + (header.firstSequence() + 1));
        assertThat(check.isWhole()).isFalse();
    }

    @Test
    void aSegmentOfAnotherPlaceOrLogIsNotRead() throws Exception {
        fill();
        byte[] first = disk.storage.readAll(segment(1));
        disk.storage.replaceAll(segment(2), first);

        LogCheck check = check();
        assertThat(found.get(0).kind()).isEqualTo("log.foreign");
        assertThat(found.get(0).place()).isEqualTo(segment(2).toString());
        assertThat(shown).containsExactly("first of 1", "second of 1", "first of 3", "second of 3");
        assertThat(check.isReadable()).isFalse();
    }

    @Test
    void epochsThatCannotBeAreFound() throws Exception {
        fill();
        check(disk.storage, 4, record -> {});
        assertThat(kinds()).contains("log.epoch");

        found.clear();
        SegmentHeader header = disk.header(2);
        disk.putHeader(new SegmentHeader(header.log(), 2, header.firstSequence(), 3, false));
        check();
        assertThat(only("log.epoch").place()).isEqualTo(segment(2).toString());
    }

    @Test
    void aSegmentOfALaterVersionIsNotCalledDamagedContent() throws Exception {
        fill();
        ByteBuffer block = disk.header(3).toBlock();
        block.putShort(SegmentHeader.VERSION_OFFSET, (short) (LogFormat.VERSION + 1));
        CRC32C crc = new CRC32C();
        crc.update(block.slice(0, SegmentHeader.CRC_OFFSET));
        block.putInt(SegmentHeader.CRC_OFFSET, (int) crc.getValue());
        disk.overwrite(segment(3), 0, LogOnDisk.bytes(block));

        LogCheck check = check();

        assertThat(only("log.version").advice()).contains("the version of Hawser that wrote it");
        assertThat(check.isReadable()).isFalse();
    }

    @Test
    void aFileThatCannotBeReadIsFoundAndTheOthersAreRead() throws Exception {
        fill();
        Storage failing = Interposed.before(disk.storage, (method, arguments, real) -> {
            if (method.equals("open") && arguments[0].equals(segment(2))) {
                throw new StorageException(segment(2) + ": Input/output error");
            }
            return real.call();
        });

        LogCheck check = check(failing, 5, record -> shown.add(LogOnDisk.text(record)));

        assertThat(only("io").meaning()).contains("Input/output error");
        assertThat(shown).hasSize(4);
        assertThat(check.isReadable()).isFalse();
    }

    @Test
    void whatTheLogsOwnerCannotReadIsToldByWhoseFaultItIs() throws Exception {
        fill();
        LogCheck check = check(disk.storage, 5, record -> {
            shown.add(LogOnDisk.text(record));
            if (shown.size() == 1) {
                throw new CorruptRecordException("nonsense");
            } else if (shown.size() == 2) {
                throw new FormatTooNewException("of tomorrow");
            }
        });

        assertThat(kinds()).containsExactly("log.content", "log.version");
        assertThat(found.get(0).advice()).contains("defect of Hawser");
        assertThat(found.get(1).advice()).contains("the version of Hawser that wrote it");
        assertThat(shown).hasSize(6);
        assertThat(check.isWhole()).isFalse();
    }

    @Test
    void whatLiesBesideTheSegmentsIsNotedByWhatItIs() throws Exception {
        fill();
        for (String name : List.of("spare-1", "spare-2.tmp", "9.tmp", "torn-1-4096", "notes.txt")) {
            disk.storage.replaceAll(DIRECTORY.resolve(name), new byte[10]);
        }
        disk.storage.replaceAll(DIRECTORY.resolve("9".repeat(20) + ".log"), new byte[10]);

        check();

        assertThat(found.stream()
                        .map(finding -> finding.kind() + " "
                                + finding.place().substring(DIRECTORY.toString().length() + 1)))
                .containsExactlyInAnyOrder(
                        "log.temporary spare-2.tmp",
                        "log.temporary 9.tmp",
                        "log.torn-copy torn-1-4096",
                        "log.unknown-file notes.txt",
                        "log.foreign " + "9".repeat(20) + ".log");
        assertThat(shown).hasSize(6);
    }
}
