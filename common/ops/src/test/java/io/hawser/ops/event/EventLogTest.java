package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.EventSettings;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.testkit.Interposed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventLogTest {
    @TempDir
    Path directory;

    private EventRig open() throws Exception {
        return new EventRig(directory, EventRig.FOREVER);
    }

    @Test
    void eventsAreThereAfterARestartAndNumberedOn() throws Exception {
        List<Event> before;
        try (EventRig rig = open()) {
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 10));
            rig.log.note(EventType.HEALTH_CHANGED, "certificate", false, EventFacts.of("ends in 9 days"));
            rig.log.awaitDurable();
            before = rig.log.read(1, 10);
            assertThat(before).extracting(Event::sequence).containsExactly(1L, 2L);
        }
        try (EventRig rig = open()) {
            assertThat(rig.log.read(1, 10)).isEqualTo(before);
            rig.log.happened(EventRig.event(EventType.DELIVERED, 1, "b", true, 11));
            rig.log.awaitDurable();
            assertThat(rig.log.read(3, 10)).singleElement().satisfies(event -> {
                assertThat(event.type()).isEqualTo(EventType.DELIVERED);
                assertThat(event.id()).isEqualTo(EventRig.key(1) + ".delivered.b");
                assertThat(event.facts().who()).isEqualTo("alice");
            });
        }
    }

    @Test
    void causesThatAreKnownAreNotRecordedAgain() throws Exception {
        try (EventRig rig = open()) {
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 10));
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 2, "", false, 20));
            rig.log.happened(EventRig.event(EventType.EXPIRED, 3, "b", true, 30));
        }
        try (EventRig rig = open()) { // the store reads its records again, and one of them had told of two transfers
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 10));
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 2, "", false, 20));
            rig.log.happened(EventRig.event(EventType.EXPIRED, 3, "b", true, 30));
            rig.log.happened(EventRig.event(EventType.EXPIRED, 4, "b", true, 30));
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 5, "", false, 40));
            rig.log.awaitDurable();
            assertThat(rig.log.read(1, 10))
                    .extracting(event -> event.facts().name())
                    .containsExactly("dir/file-1", "dir/file-2", "dir/file-3", "dir/file-4", "dir/file-5");
        }
    }

    @Test
    void anotherStoreOrAnOlderOneBeginsAnew() throws Exception {
        try (EventRig rig = open()) {
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 50));
        }
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER, EventRig.SOURCE, new Cause(1, 20))) {
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 2, "", false, 20));
        }
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER, "f".repeat(32), EventRig.FAR)) {
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 3, "", false, 10));
            rig.log.awaitDurable();
            assertThat(rig.log.read(1, 10)).hasSize(3);
        }
    }

    @Test
    void whatIsNotDurableKeepsItsCause() throws Exception {
        try (EventRig rig = open()) {
            assertThat(rig.log.neededSegment()).isEqualTo(Long.MAX_VALUE);
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 10));
            assertThat(rig.log.neededSegment()).isLessThanOrEqualTo(Long.MAX_VALUE);
            rig.log.awaitDurable();
            assertThat(rig.log.neededSegment()).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void oldSegmentsAreDeletedBeyondTheQuota() throws Exception {
        EventSettings small =
                new EventSettings(Duration.ofDays(36_500), 1_000_000, 6L << 20, EventSettings.Receivers.NONE);
        try (EventRig rig = new EventRig(directory, small)) {
            for (int i = 1; i <= 60_000; i++) {
                rig.log.happened(EventRig.event(EventType.ACCEPTED, i, "", false, i));
                if (i % 1000 == 0) {
                    rig.log.awaitDurable();
                }
            }
            rig.log.expireNow();
            assertThat(rig.log.firstSequence()).isGreaterThan(1);
            assertThat(rig.log.lastSequence()).isEqualTo(60_000);
            List<Event> oldest = rig.log.read(1, 1);
            assertThat(oldest.get(0).sequence()).isEqualTo(rig.log.firstSequence());
        }
    }

    @Test
    void whatEventsDoNotUseOfTheirQuotaIsSetApart() throws Exception {
        AtomicReference<LongSupplier> apart = new AtomicReference<>();
        Storage disk = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            if (method.equals("setApart")) {
                assertThat(arguments[0]).isEqualTo(directory);
                apart.set((LongSupplier) arguments[1]);
                return null;
            }
            return method.equals("totalSpaceBytes") ? 1000L << 20 : real.call();
        });
        try (EventRig rig =
                new EventRig(directory, EventRig.FOREVER, EventRig.SOURCE, EventRig.FAR, journal -> journal, disk)) {
            long before = apart.get().getAsLong();
            rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 10));
            rig.log.awaitDurable();

            assertThat(before).isBetween(1L, 10L << 20);
            assertThat(apart.get().getAsLong()).isBetween(1L, before - 1);
        }
    }
}
