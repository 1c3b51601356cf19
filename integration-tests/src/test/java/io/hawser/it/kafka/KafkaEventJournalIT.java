package io.hawser.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.kafka.KafkaEventJournal;
import io.hawser.broker.kafka.KafkaStoreConfig;
import io.hawser.kafkatestkit.KafkaCluster;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The broker's events in a real Kafka of one node. Each test has topics of its own. */
@Tag("kafka")
class KafkaEventJournalIT {
    private static final int MANY = (int) (KafkaEventJournal.SEGMENT_RECORDS * 5 / 2);

    @TempDir
    static Path clusterDirectory;

    @SuppressWarnings("NullAway.Init")
    private static KafkaCluster cluster;

    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private String name;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = KafkaCluster.start(clusterDirectory, 1);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @BeforeEach
    void nameTopics(TestInfo test) {
        name = test.getTestMethod().orElseThrow().getName();
    }

    private KafkaEventJournal open() throws StorageException {
        return KafkaEventJournal.open(
                KafkaStoreConfig.of(cluster.bootstrap()).withName(name).withDevelopment(true), fatal::add);
    }

    private static byte[] body(long sequence) {
        return String.format("events from %06d on", sequence).getBytes(StandardCharsets.US_ASCII);
    }

    private static CompletableFuture<Long> append(KafkaEventJournal journal, long sequence) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        journal.append(
                sequence,
                body(sequence),
                AppendCallback.of((number, position) -> done.complete(number), done::completeExceptionally));
        return done;
    }

    private static List<Long> append(KafkaEventJournal journal, long from, long to) throws Exception {
        List<CompletableFuture<Long>> all = LongStream.rangeClosed(from, to)
                .mapToObj(each -> append(journal, each))
                .toList();
        List<Long> numbers = new ArrayList<>();
        for (CompletableFuture<Long> each : all) {
            numbers.add(each.get(TestTimes.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
        return numbers;
    }

    private static List<Long> read(KafkaEventJournal journal, long segment, long sequence) throws StorageException {
        List<Long> found = new ArrayList<>();
        journal.replay(segment, sequence, record -> {
            assertThat(record.body()).isEqualTo(body(record.index()));
            found.add(record.index());
        });
        return found;
    }

    private static List<LogRecord> first(KafkaEventJournal journal) throws StorageException {
        List<LogRecord> found = new ArrayList<>();
        journal.showFirst(found::add);
        return found;
    }

    @Test
    void whatWasAppendedIsThereAfterAnotherStart() throws Exception {
        String id;
        try (KafkaEventJournal journal = open()) {
            id = journal.id();
            assertThat(first(journal)).isEmpty();
            assertThat(read(journal, 0, 1)).isEmpty();
            append(journal, 1, 5);
            assertThat(read(journal, 1, 1)).containsExactly(1L, 2L, 3L, 4L, 5L);
        }
        try (KafkaEventJournal journal = open()) {
            assertThat(journal.id()).isEqualTo(id);
            assertThat(first(journal)).singleElement().satisfies(record -> assertThat(record.index())
                    .isEqualTo(1));
            append(journal, 6, 7);
            assertThat(read(journal, 1, 1)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
            assertThat(journal.sizeBytes()).isEqualTo(7L * body(1).length);
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void aBrokerThatWasReplacedCannotWriteAndEnds() throws Exception {
        try (KafkaEventJournal old = open()) {
            append(old, 1, 1);
            try (KafkaEventJournal young = open()) {
                assertThat(append(old, 2)).failsWithin(TestTimes.LIMIT);
                Awaitility.await("the old one's end").atMost(TestTimes.LIMIT).until(() -> !fatal.isEmpty());
                assertThat(fatal).singleElement().satisfies(reason -> assertThat(reason)
                        .hasMessageContaining("another broker has taken over"));
                append(young, 2, 3);
                assertThat(read(young, 1, 1)).containsExactly(1L, 2L, 3L);
            }
        }
    }

    @Test
    void oldSegmentsGoAndTheSizeWithThem() throws Exception {
        try (KafkaEventJournal journal = open()) {
            append(journal, 1, MANY);
            assertThat(journal.segments()).hasSizeGreaterThanOrEqualTo(2);
            assertThat(journal.sizeBytes()).isEqualTo((long) MANY * body(1).length);
            long last = journal.segments().get(journal.segments().size() - 1).number();
            journal.deleteSegment(last);
            journal.deleteSegment(1);
            Awaitility.await("the first segment's end")
                    .atMost(TestTimes.LIMIT)
                    .until(() -> journal.segments().get(0).number() == 2);
            assertThat(journal.segments()).extracting(SegmentInfo::number).contains(last);
            checkRest(journal);
        }
        try (KafkaEventJournal journal = open()) {
            checkRest(journal);
            append(journal, MANY + 1, MANY + 1);
            assertThat(read(journal, 2, MANY)).endsWith((long) MANY, MANY + 1L);
        }
        assertThat(fatal).isEmpty();
    }

    private static void checkRest(KafkaEventJournal journal) throws StorageException {
        long oldest = first(journal).get(0).index();
        assertThat(oldest).isBetween(2L, KafkaEventJournal.SEGMENT_RECORDS + 1);
        assertThat(read(journal, 2, oldest))
                .startsWith(oldest)
                .endsWith((long) MANY)
                .hasSize((int) (MANY + 1 - oldest));
        assertThat(journal.sizeBytes()).isEqualTo((MANY + 1 - oldest) * body(1).length);
    }

    @Test
    void aReadingGoesOnFromWhereItEnded() throws Exception {
        try (KafkaEventJournal journal = open()) {
            append(journal, 1, 100);
            List<Long> shown = new ArrayList<>();
            StorageException enough = new StorageException("enough");
            for (long next = 1; next <= 100; next = shown.get(shown.size() - 1) + 1) {
                long from = next;
                try {
                    journal.replay(1, from, record -> {
                        if (record.index() >= from) {
                            shown.add(record.index());
                        }
                        if (record.index() >= from + 9) {
                            throw enough;
                        }
                    });
                } catch (StorageException e) {
                    assertThat(e).isSameAs(enough);
                }
            }
            assertThat(shown)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 100).boxed().toList());
        }
    }

    @Test
    void theReceiversPlacesAreThereForEachBroker() throws Exception {
        try (KafkaEventJournal journal = open()) {
            assertThat(journal.place("webhook")).isEmpty();
            journal.place("webhook", journal.id() + " 17");
            journal.place("kafka", journal.id() + " 4");
            journal.place("webhook", journal.id() + " 18");
        }
        try (KafkaEventJournal journal = open()) {
            assertThat(journal.place("webhook")).isEqualTo(journal.id() + " 18");
            assertThat(journal.place("kafka")).isEqualTo(journal.id() + " 4");
        }
    }
}
