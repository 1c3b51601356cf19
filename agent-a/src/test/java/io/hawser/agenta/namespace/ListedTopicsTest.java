package io.hawser.agenta.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.TopicsFile;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which topics the root directory lists, on a disk that fails. Pins the file {@code topics}. */
@Invariant(InvariantName.HONEST_ANSWERS)
class ListedTopicsTest {
    private static final Path DATA = Path.of("/data");
    private static final Path FILE = DATA.resolve("topics");
    private static final Topic B = new Topic("site-b");
    private static final Topic C = new Topic("site-c");

    private final FaultyStorage storage = new FaultyStorage();
    private Executor disk = Runnable::run;

    @BeforeEach
    void make() throws Exception {
        storage.createDirectories(DATA);
        storage.forceDirectory(DATA);
    }

    private ListedTopics open() throws Exception {
        return ListedTopics.open(new TopicsFile(storage, DATA), disk, Runnable::run);
    }

    private static Optional<String> lacking(ListedTopics topics) {
        List<Optional<String>> answers = new ArrayList<>();
        topics.whenSettled(answers::add);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private String text() throws Exception {
        return new String(storage.readAll(FILE), StandardCharsets.US_ASCII);
    }

    @Test
    void topicsThatWereUsedAreDurable() throws Exception {
        ListedTopics topics = open();
        assertThat(topics.all()).isEmpty();
        topics.used(B);
        topics.used(C);
        long calls = storage.calls();
        topics.used(B);
        assertThat(storage.calls()).as("once for each topic").isEqualTo(calls);

        storage.powerCut(1);

        assertThat(open().all()).containsExactly(B, C);
        assertThat(lacking(open())).isEmpty();
        assertThat(text()).isEqualTo("site-b 35d4cd43\nsite-c c7bf4e40\n");
    }

    @Test
    void beyondTheLimitNothingIsWholeAlsoAfterRestart() throws Exception {
        ListedTopics topics = open();
        for (int i = 0; i < ListedTopics.MAX_TOPICS; i++) {
            topics.used(new Topic("t" + i));
        }
        assertThat(lacking(topics)).isEmpty();
        assertThat(lacking(open())).isEmpty();

        topics.used(B);
        topics.used(C);

        assertThat(lacking(topics).orElseThrow()).contains("more than 1000 topics", "operator");
        assertThat(lacking(open())).isPresent();
        assertThat(text().lines()).hasSize(ListedTopics.MAX_TOPICS + 1);
    }

    @Test
    void whatCannotBeWrittenIsTriedAnew() throws Exception {
        ListedTopics topics = open();
        topics.used(B);
        storage.failCall(1, FaultyStorage.Fault.ENOSPC, true);
        topics.used(C);
        assertThat(lacking(topics).orElseThrow()).contains("cannot write");
        assertThat(topics.all()).containsExactly(B);

        storage.heal();

        assertThat(lacking(topics)).isEmpty();
        assertThat(topics.all()).containsExactly(B, C);
        storage.powerCut(2);
        assertThat(open().all()).containsExactly(B, C);
    }

    @Test
    void aListingWaitsForTheDiskAndTheLoopDoesNot() throws Exception {
        Deque<Runnable> waiting = new ArrayDeque<>();
        disk = waiting::add;
        ListedTopics topics = open();
        List<Optional<String>> answers = new ArrayList<>();
        long calls = storage.calls();

        topics.used(B);
        topics.whenSettled(answers::add);
        topics.used(C);

        assertThat(storage.calls()).as("nothing is written on the loop").isEqualTo(calls);
        assertThat(answers).isEmpty();
        waiting.remove().run();
        assertThat(answers).as("the other topic was used meanwhile").isEmpty();
        waiting.remove().run();
        assertThat(answers).containsExactly(Optional.empty());
        assertThat(topics.all()).containsExactly(B, C);
        assertThat(waiting).isEmpty();
        storage.powerCut(1);
        assertThat(open().all()).containsExactly(B, C);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "site-b",
                "site-b\n",
                "site-c 35d4cd43\n",
                "site-b 35d4cd43\nsite-c c7bf",
                "version 2\n",
                "\0\0\0\0\n",
                "site-b 35d4cd43 site-c\n"
            })
    void damagedFilesAreRefused(String text) throws Exception {
        storage.replaceAll(FILE, text.getBytes(StandardCharsets.US_ASCII));

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(FILE + " is damaged")
                .hasMessageContaining("delete");
        assertThat(text()).isEqualTo(text);
    }

    @Test
    void anOperatorMayDeleteLines() throws Exception {
        ListedTopics topics = open();
        topics.used(B);
        topics.used(C);
        storage.replaceAll(
                FILE,
                text().lines().skip(1).findFirst().orElseThrow().concat("\n").getBytes(StandardCharsets.US_ASCII));

        assertThat(open().all()).containsExactly(C);
    }
}
