package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Damage;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Findings;
import io.hawser.store.event.EventType;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a kill and a disk that lies cost the event log: events, which fsck and the start name; never a wrong one. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventLogDamageTest {
    private static final int HEADER_BYTES = 4096;

    @TempDir
    Path data;

    private Path directory;
    private int told;

    @BeforeEach
    void place() {
        directory = EventLog.directoryIn(data);
    }

    private EventRig open() throws Exception {
        return new EventRig(directory, EventRig.FOREVER);
    }

    /** Each in a record of its own. */
    private void record(EventRig rig, int events) {
        for (int i = 0; i < events; i++) {
            told++;
            rig.log.happened(EventRig.event(EventType.DELIVERED, told, "b", true, told));
            rig.log.awaitDurable();
        }
    }

    private static List<String> names(EventRig rig) throws Exception {
        return rig.log.read(1, 100).stream().map(event -> event.facts().name()).toList();
    }

    private Path segment(int number) throws IOException {
        try (Stream<Path> files = Files.list(EventLog.segmentsIn(directory))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList()
                    .get(number - 1);
        }
    }

    private static long placeOf(Path segment, int event) throws IOException {
        return Damage.find(segment, ("dir/file-" + event).getBytes(StandardCharsets.UTF_8));
    }

    /** Records that many events and then looks at the directory as a kill leaves it. */
    private void recordAndKill(int events) throws Exception {
        Path running = data.resolve("running");
        if (Files.exists(directory)) {
            Files.move(directory, running);
        }
        try (EventRig rig = new EventRig(running, EventRig.FOREVER)) {
            record(rig, events);
            Process copy = new ProcessBuilder("cp", "-a", running.toString(), directory.toString())
                    .inheritIO()
                    .start();
            assertThat(copy.waitFor()).isZero();
        }
    }

    /** What fsck finds, a line each. */
    private List<String> findings() throws Exception {
        List<String> found = new ArrayList<>();
        Findings findings = new Findings(
                each -> found.add(each.severity() + " " + each.kind() + ": " + each.meaning() + " " + each.advice()),
                bytes -> {});
        EventLogCheck.check(new CheckContext(new DiskStorage(), data, 1, false, data.resolve("scratch"), findings));
        return found;
    }

    @Test
    void fsckFindsNothingInAHealthyLogAndNoLog() throws Exception {
        assertThat(findings()).isEmpty();
        for (int i = 0; i < 3; i++) {
            try (EventRig rig = open()) {
                record(rig, 3);
            }
        }
        assertThat(findings()).isEmpty();
    }

    @Test
    void aSegmentWithoutAnEventIsPassed() throws Exception {
        try (EventRig rig = open()) {
            record(rig, 2);
        }
        recordAndKill(1);
        Damage.truncate(segment(2), HEADER_BYTES); // as if killed before the first event
        assertThat(findings()).isEmpty();
        for (int i = 0; i < 2; i++) { // the first start seals it; the second finds the seal alone
            try (EventRig rig = open()) {
                assertThat(names(rig)).containsExactly("dir/file-1", "dir/file-2");
                assertThat(rig.log.lastSequence()).isEqualTo(2);
                assertThat(rig.log.damages()).isZero();
            }
        }
        try (EventRig rig = open()) {
            record(rig, 1);
            assertThat(names(rig)).containsExactly("dir/file-1", "dir/file-2", "dir/file-4");
            assertThat(rig.find(Map.of()).rows()).hasSize(3);
        }
        assertThat(findings()).isEmpty();
    }

    @Test
    void aTornTailIsCutOffAndItsNumbersAreGivenAgain() throws Exception {
        recordAndKill(3);
        Path segment = segment(1);
        Damage.truncate(segment, placeOf(segment, 3) + 2);
        assertThat(findings()).singleElement().asString().startsWith("NOTE events.torn-tail: ");
        try (EventRig rig = open()) {
            record(rig, 1);
            assertThat(names(rig)).containsExactly("dir/file-1", "dir/file-2", "dir/file-4");
            assertThat(rig.log.lastSequence()).isEqualTo(3);
        }
    }

    @Test
    void aReceiverThatHadWhatWasCutOffGetsWhatComesInItsPlace() throws Exception {
        recordAndKill(3);
        try (EventRig rig = open()) {
            new EventCursor("r", rig.log).write(3);
        }
        Path segment = segment(1);
        Damage.truncate(segment, placeOf(segment, 3) + 2);
        Files.delete(EventLog.segmentsIn(directory).resolve("segments")); // an operator accepts the loss
        try (EventRig rig = open()) {
            record(rig, 1);
            assertThat(new EventCursor("r", rig.log).read()).isEqualTo(2);
        }
    }

    @Test
    void aFlippedBitCostsTheEventsOfItsRecordAndIsNamed() throws Exception {
        try (EventRig rig = open()) {
            record(rig, 3);
        }
        Path segment = segment(1);
        Damage.flip(segment, placeOf(segment, 2));
        assertThat(findings())
                .anySatisfy(found -> assertThat(found)
                        .startsWith("DAMAGE events.body: ")
                        .contains("No transfer depends on it", "move " + directory + " away"))
                .anySatisfy(found -> assertThat(found).startsWith("NOTE events.gap: Events 2 to 2"));
        try (EventRig rig = open()) {
            Awaitility.await().until(() -> rig.log.damages() == 1); // also if nobody asks for what is in it
            assertThat(names(rig)).containsExactly("dir/file-1", "dir/file-3");
            assertThat(rig.find(Map.of()).rows())
                    .extracting(HistoryRow::name)
                    .containsExactly("dir/file-3", "dir/file-1");
            record(rig, 1);
            assertThat(rig.log.lastSequence()).isEqualTo(4);
        }
    }

    /** The numbers go on, though the segment does not say with which it begins. */
    @Test
    void aFlippedBitInTheFirstRecordOfTheOnlySegmentHidesNoOther() throws Exception {
        try (EventRig rig = open()) {
            record(rig, 3);
        }
        Path segment = segment(1);
        Damage.flip(segment, placeOf(segment, 1));
        try (EventRig rig = open()) {
            assertThat(rig.log.damages()).isEqualTo(1);
            assertThat(rig.log.lastSequence()).isEqualTo(3);
            record(rig, 1);
            assertThat(rig.log.lastSequence()).isEqualTo(4);
            assertThat(names(rig)).containsExactly("dir/file-2", "dir/file-3", "dir/file-4");
        }
    }

    @Test
    void aDamageInAnOldSegmentIsFoundThoughNobodyReadsIt() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (EventRig rig = open()) {
                record(rig, 3);
            }
        }
        Path segment = segment(1);
        Damage.flip(segment, placeOf(segment, 2));
        try (EventRig rig = open()) {
            Awaitility.await().until(() -> rig.log.damages() == 1);
            assertThat(rig.log.lastSequence()).isEqualTo(6);
        }
    }

    @Test
    void aMissingSegmentIsRefusedWithWhatItCosts() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (EventRig rig = open()) {
                record(rig, 2);
            }
        }
        Files.delete(segment(2));
        assertThat(findings()).anySatisfy(found -> assertThat(found)
                .startsWith("DAMAGE events.missing-segment: ")
                .contains("No transfer depends on it"));
        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContainingAll("is missing", "no transfer depends on it", "move " + directory + " away");
        Files.move(directory, data.resolve("aside"));
        try (EventRig rig = open()) {
            record(rig, 1);
            assertThat(names(rig)).containsExactly("dir/file-7");
        }
    }

    @Test
    void aLostEndIsRefusedAfterAnOrderlyStop() throws Exception {
        try (EventRig rig = open()) {
            record(rig, 3);
        }
        Path segment = segment(1);
        Damage.truncate(segment, placeOf(segment, 3) + 2);
        assertThat(findings()).anySatisfy(found -> assertThat(found).startsWith("DAMAGE events.lost-end: "));
        assertThatThrownBy(this::open).hasMessageContaining("no transfer depends on it");
    }
}
