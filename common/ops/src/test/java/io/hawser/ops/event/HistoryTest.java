package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ops.observe.EventSettings;
import io.hawser.store.event.EventType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HistoryTest {
    @TempDir
    Path directory;

    private EventRig open() throws Exception {
        return new EventRig(directory, EventRig.FOREVER);
    }

    private static void record(EventRig rig) {
        rig.log.happened(EventRig.event(EventType.ACCEPTED, 1, "", false, 1));
        rig.log.happened(EventRig.event(EventType.BROKERED, 1, "", false, 2));
        rig.log.happened(EventRig.event(EventType.DELIVERED, 1, "b", true, 3));
        rig.log.happened(EventRig.event(EventType.ACCEPTED, 2, "", false, 4));
        rig.log.happened(EventRig.event(EventType.FAILED, 2, "b", true, 5));
        rig.log.happened(EventRig.event(EventType.DELIVERED, 3, "site-c", "other/x", "c", true, 6));
        rig.log.happened(EventRig.event(EventType.ACCEPTED, 4, "", false, 7));
        rig.log.awaitDurable();
    }

    @Test
    void aRowSaysWhatTheEventsOfATransferSaid() throws Exception {
        try (EventRig rig = open()) {
            record(rig);
            HistoryPage page = rig.find(Map.of());
            assertThat(page.rows()).extracting(HistoryRow::name).containsExactly("other/x", "dir/file-2", "dir/file-1");
            assertThat(page.next()).isNull();
            assertThat(page.notIndexed()).isZero();
            HistoryRow first = page.rows().get(2);
            assertThat(first.key()).isEqualTo(EventRig.key(1).toString());
            assertThat(first.outcome()).isEqualTo("delivered");
            assertThat(first.reason()).isEmpty();
            assertThat(first.who()).isEqualTo("alice");
            assertThat(first.sizeBytes()).isEqualTo(4096);
            assertThat(first.durationMillis()).isEqualTo(2000);
            assertThat(first.bytesPerSecond()).isEqualTo(2048);
            assertThat(first.digest()).startsWith("hts256-4096:");
            assertThat(first.hops())
                    .extracting(HistoryHop::hop)
                    .containsExactly("client->publisher", "publisher->broker", "broker->b");
            assertThat(page.rows().get(1).outcome()).isEqualTo("failed");
            assertThat(page.rows().get(1).reason()).isEqualTo("the disk is full");
        }
    }

    @Test
    void rowsAreFoundByTopicNameFailureAndTime() throws Exception {
        try (EventRig rig = open()) {
            record(rig);
            assertThat(rig.find(Map.of("topic", "site-c")).rows()).hasSize(1);
            assertThat(rig.find(Map.of("failed", "true")).rows())
                    .extracting(HistoryRow::name)
                    .containsExactly("dir/file-2");
            assertThat(rig.find(Map.of("name", "dir/file-1")).rows()).hasSize(1);
            String key = EventRig.key(2).toString();
            assertThat(rig.find(Map.of("key", key, "limit", "1")).rows())
                    .extracting(HistoryRow::key)
                    .containsExactly(key);
            assertThat(rig.find(Map.of("key", key, "name", "dir/*-1")).rows()).isEmpty();
            assertThat(rig.find(Map.of("key", EventRig.key(77).toString())).rows())
                    .isEmpty();
            assertThat(rig.find(Map.of("name", "dir/*")).rows()).hasSize(2);
            assertThat(rig.find(Map.of("name", "**-2", "failed", "true")).rows())
                    .hasSize(1);
            assertThat(rig.find(Map.of("name", "*-2")).rows()).isEmpty();
            assertThat(rig.find(Map.of("name", "**ile-2**")).rows()).hasSize(1);
            assertThat(rig.find(Map.of("name", "*ile-2*")).rows()).isEmpty();
            String second = rig.find(Map.of()).rows().get(1).endedAt();
            assertThat(rig.find(Map.of("since", second)).rows()).hasSize(2);
            assertThat(rig.find(Map.of("until", second)).rows()).hasSize(1);
            assertThat(rig.history
                            .find(HistoryQuery.of(Map.of()), topic -> topic.equals("site-c"))
                            .rows())
                    .hasSize(1);
        }
    }

    @Test
    void aPatternFindsNamesByTheirEnd() throws Exception {
        try (EventRig rig = open()) {
            record(rig);
            for (int i = 10; i < 1300; i++) {
                String name = i == 700 ? "far/down/\ud83d\ude00-a-long-name.txt" : "many/" + i + "-other.txt";
                rig.log.happened(EventRig.event(EventType.DELIVERED, i, "site-b", name, "b", true, i));
            }
            rig.log.awaitDurable();
            for (String pattern : new String[] {
                "**-name.txt",
                "**\ud83d\ude00-a-long-name.txt",
                "**/\ud83d\ude00-a-*name.txt",
                "far/**.txt",
                "**long-name.txt"
            }) {
                assertThat(rig.find(Map.of("name", pattern)).rows()).as(pattern).hasSize(1);
            }
            assertThat(rig.find(Map.of("name", "**another.txt")).rows()).isEmpty();
            assertThat(rig.find(Map.of("name", "**other.txt")).rows()) // more than are looked for by their ends
                    .hasSize(50)
                    .allMatch(row -> row.name().endsWith("other.txt"));
            assertThat(rig.find(Map.of("name", "**-name.txt", "topic", "site-c"))
                            .rows())
                    .isEmpty();
        }
    }

    @Test
    void anIndexOfAnotherSchemaIsMadeAgain() throws Exception {
        Path index = Files.createDirectories(directory.resolve("index"));
        try (var connection = new org.h2.Driver()
                        .connect("jdbc:h2:file:" + index.resolve("history"), new java.util.Properties());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE history(seq BIGINT PRIMARY KEY, name VARCHAR(4096))");
        }
        try (EventRig rig = open()) {
            record(rig);
            assertThat(rig.find(Map.of()).rows()).hasSize(3);
        }
    }

    @Test
    void pagesFollowEachOther() throws Exception {
        try (EventRig rig = open()) {
            record(rig);
            HistoryPage first = rig.find(Map.of("limit", "2"));
            assertThat(first.rows()).hasSize(2);
            HistoryPage second = rig.find(Map.of("limit", "2", "before", String.valueOf(first.next())));
            assertThat(second.rows()).extracting(HistoryRow::name).containsExactly("dir/file-1");
            assertThat(second.next()).isNull();
        }
    }

    @Test
    void aWrongParameterIsExplained() {
        assertThatThrownBy(() -> HistoryQuery.of(Map.of("since", "yesterday")))
                .hasMessageContaining("since is a time such as");
        assertThatThrownBy(() -> HistoryQuery.of(Map.of("limit", "0"))).hasMessage("limit is 1 to 1000, not '0'");
        assertThatThrownBy(() -> HistoryQuery.of(Map.of("failed", "yes"))).hasMessageContaining("true or false");
        assertThatThrownBy(() -> HistoryQuery.of(Map.of("before", "x"))).hasMessageContaining("'next'");
        assertThatThrownBy(() -> HistoryQuery.of(Map.of("key", "x"))).hasMessageContaining("NODE-TRANSFER");
    }

    @Test
    void aRetriedDeadLetterBecomesDelivered() throws Exception {
        try (EventRig rig = open()) {
            rig.log.happened(EventRig.event(EventType.DEAD_LETTERED, 1, "b", false, 1));
            rig.log.awaitDurable();
            assertThat(rig.find(Map.of("failed", "true")).rows())
                    .extracting(HistoryRow::outcome)
                    .containsExactly("dead-lettered");
            rig.log.happened(EventRig.event(EventType.DELIVERED, 1, "b", true, 2));
            rig.log.awaitDurable();
            assertThat(rig.find(Map.of()).rows())
                    .extracting(HistoryRow::outcome, HistoryRow::reason)
                    .containsExactly(org.assertj.core.api.Assertions.tuple("delivered", ""));
        }
    }

    @Test
    void aLostOrDamagedIndexIsMadeAgain() throws Exception {
        try (EventRig rig = open()) {
            record(rig);
            rig.find(Map.of());
        }
        Path index = directory.resolve("index/history.mv.db");
        Files.write(index, new byte[3]);
        try (EventRig rig = open()) {
            assertThat(rig.find(Map.of()).rows()).hasSize(3);
        }
        try (Stream<Path> files = Files.list(index.getParent())) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        try (EventRig rig = open()) {
            assertThat(rig.find(Map.of()).rows()).hasSize(3);
            rig.log.happened(EventRig.event(EventType.DELIVERED, 4, "b", true, 8));
            rig.log.awaitDurable();
            HistoryRow last = rig.find(Map.of()).rows().get(0);
            assertThat(last.hops()).extracting(HistoryHop::hop).containsExactly("client->publisher", "broker->b");
        }
    }

    @Test
    void noMoreRowsAreKeptThanMayBe() throws Exception {
        EventSettings few = new EventSettings(Duration.ofDays(36_500), 10, 1L << 30, EventSettings.Receivers.NONE);
        try (EventRig rig = new EventRig(directory, few)) {
            for (int i = 1; i <= 100; i++) {
                rig.log.happened(EventRig.event(EventType.DELIVERED, i, "b", true, i));
            }
            rig.log.awaitDurable();
            assertThat(rig.find(Map.of("limit", "1000")).rows())
                    .extracting(HistoryRow::name)
                    .hasSize(10)
                    .contains("dir/file-100")
                    .doesNotContain("dir/file-90");
        }
    }
}
