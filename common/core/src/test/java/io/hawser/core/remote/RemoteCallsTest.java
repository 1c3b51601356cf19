package io.hawser.core.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.testkit.RecordingCallLink;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteCallsTest {
    private static final Topic TOPIC = new Topic("site-b");
    private static final Topic OTHER = new Topic("site-c");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final CallTimeouts LOOK = new CallTimeouts(PATIENCE, SILENCE);
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 4, 0, 0644, "v1");
    private static final Refusal AWAY = new Refusal(ErrorCode.UNREACHABLE, "away");
    private static final byte[] BYTES = {1, 2, 3, 4};

    private final Queue<Runnable> posted = new ArrayDeque<>();
    private final FragmentBufferPool reads = new FragmentBufferPool(4096, 4);
    private final FragmentBufferPool pages = new FragmentBufferPool(4096, 1);
    private long now;
    private final RemoteCalls calls = new RemoteCalls(reads, pages, posted::add, () -> now);
    private final CallHandler handler = calls.handler();
    private final RecordingCallLink link = new RecordingCallLink();
    private final List<Outcome<?>> outcomes = new ArrayList<>();

    private void run() {
        while (!posted.isEmpty()) {
            posted.remove().run();
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
        handler.tick(now);
        run();
    }

    private RemoteFiles.Call read(Topic topic, long offset) {
        return calls.read(topic, "f", "", offset, 4, PATIENCE, outcomes::add);
    }

    private RemoteBlock block(int n) {
        return (RemoteBlock) outcomes.get(n).get();
    }

    @Test
    void anAnswersBytesAreTheCallersUntilItReleasesThem() {
        handler.onUp(link);
        read(TOPIC, 0);
        link.deliver(handler, 0, new Answer.OfBlock(FILE), BYTES);

        assertThat(block(0).buffer().payload(0, block(0).length())).isEqualTo(ByteBuffer.wrap(BYTES));
        assertThat(block(0).file()).isEqualTo(FILE);
        assertThat(reads.available()).isEqualTo(3);
        block(0).buffer().release();
        assertThat(reads.available()).isEqualTo(4);
    }

    @Test
    void whatIsUnderWayWhenASessionEndsIsAskedAgainOnTheNext() {
        handler.onUp(link);
        read(TOPIC, 0);
        calls.stat(TOPIC, "f", LOOK, outcomes::add);
        handler.onDown(link);
        RecordingCallLink next = new RecordingCallLink();
        handler.onUp(next);

        assertThat(next.asked)
                .extracting(RecordingCallLink.Asked::question)
                .containsExactlyInAnyOrder(new Question.Read("f", "", 0, 4), new Question.Stat("f"));
        handler.onAnswered(link, link.number(1), new Answer.OfFile(FILE)); // of the old session
        assertThat(outcomes).isEmpty();
        assertThat(next.asked).extracting(RecordingCallLink.Asked::number).doesNotContain(link.number(0));
    }

    @Test
    void aDamagedAnswerIsAskedAgain() {
        handler.onUp(link);
        read(TOPIC, 0);
        link.deliverDamaged(handler, 0, new Answer.OfBlock(FILE), BYTES);
        assertThat(outcomes).isEmpty();
        assertThat(link.damaged).hasSize(1);
        pass(Duration.ofMillis(100));
        link.deliver(handler, 1, new Answer.OfBlock(FILE), BYTES);

        assertThat(block(0).buffer().payload(0, 4)).isEqualTo(ByteBuffer.wrap(BYTES));
        block(0).buffer().release();
    }

    @Test
    void anAnswerThatIsAlwaysDamagedEndsInARefusal() {
        handler.onUp(link);
        read(TOPIC, 0);
        for (int n = 0; outcomes.isEmpty(); n++) {
            assertThat(link.deliverDamaged(handler, n, new Answer.OfBlock(FILE), BYTES))
                    .isTrue();
            pass(Duration.ofSeconds(1));
            assertThat(n).isLessThan(20);
        }

        assertThat(outcomes.get(0).refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.STORAGE_FAILED);
        assertThat(reads.available()).isEqualTo(4);
    }

    @Test
    void aMemoryThatALatePacketStillWritesIntoIsNotUsedForAnother() {
        handler.onUp(link);
        read(TOPIC, 0);
        var late = handler.memoryFor(link, link.number(0), 4).retain(); // begins to arrive …
        handler.onRefused(link, link.number(0), AWAY); // … on a stream that the peer knows is lost
        pass(Duration.ofMillis(100));
        assertThat(link.asked).hasSize(1);
        late.release();
        pass(Duration.ofMillis(200));

        assertThat(link.asked).hasSize(2);
    }

    @Test
    void whoIsAwayIsAskedAgainUntilPatienceEnds() {
        handler.onUp(link);
        read(TOPIC, 0);
        int asked = 0;
        while (outcomes.isEmpty()) {
            if (link.asked.size() > asked) {
                handler.onRefused(link, link.number(asked++), AWAY);
            }
            pass(Duration.ofMillis(100));
        }

        assertThat(outcomes.get(0).refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.UNREACHABLE);
        assertThat(asked).isBetween(5, 40);
        assertThat(Duration.ofNanos(now)).isBetween(PATIENCE, PATIENCE.plusSeconds(2));
        assertThat(reads.available()).isEqualTo(4);
    }

    @Test
    void patienceDoesNotRunWhileAnAnswerIsUnderWay() {
        handler.onUp(link);
        calls.checksum(TOPIC, "f", ChecksumAlgorithm.MD5, 0, -1, PATIENCE, outcomes::add);
        pass(Duration.ofHours(2));
        handler.onDown(link);
        pass(Duration.ofSeconds(9));
        handler.onUp(link);
        handler.onAnswered(link, link.number(1), new Answer.OfChecksum("00"));

        assertThat(outcomes).containsExactly(Outcome.of("00"));
    }

    @Test
    void withoutASessionPatienceRuns() {
        calls.stat(TOPIC, "f", LOOK, outcomes::add);
        pass(Duration.ofSeconds(9));
        assertThat(outcomes).isEmpty();
        pass(Duration.ofSeconds(2));

        assertThat(outcomes.get(0).refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.UNREACHABLE);
    }

    @Test
    void readsWaitForMemoryInOrderAndHoldBackNothingElse() {
        handler.onUp(link);
        for (int i = 0; i < 6; i++) {
            read(i < 3 ? TOPIC : OTHER, i * 4L);
        }
        calls.stat(TOPIC, "f", LOOK, outcomes::add);
        assertThat(link.asked).hasSize(5); // four buffers, and the stat needs none

        link.deliver(handler, 0, new Answer.OfBlock(FILE), BYTES);
        run();
        assertThat(link.asked).hasSize(5);
        block(0).buffer().release();
        run();

        assertThat(link.asked.get(5).question()).isEqualTo(new Question.Read("f", "", 16, 4));
    }

    @Test
    void oneTopicLeavesPlacesToTheOthers() {
        handler.onUp(link);
        for (int i = 0; i < 8; i++) {
            read(TOPIC, i * 4L);
        }
        assertThat(link.asked).hasSize(3);
        read(OTHER, 0);

        assertThat(link.asked).hasSize(4);
        assertThat(link.asked.get(3).topic()).isEqualTo(OTHER);
    }

    @Test
    void cancelledCallsAreNotCalledBackAndGiveTheirMemoryBack() {
        handler.onUp(link);
        RemoteFiles.Call first = read(TOPIC, 0);
        first.cancel();
        first.cancel();
        run();

        assertThat(link.cancelled).containsExactly(link.number(0));
        assertThat(link.deliver(handler, 0, new Answer.OfBlock(FILE), BYTES)).isFalse();
        assertThat(outcomes).isEmpty();
        assertThat(reads.available()).isEqualTo(4);
    }

    /** Those that wait for their turn behind them too: there are more than may be under way at once. */
    @Test
    void looksAndListingsThatNobodyAnswersAreTakenBackAndReadsAreNot() {
        handler.onUp(link);
        for (int i = 0; i < 30; i++) {
            calls.stat(TOPIC, "f", LOOK, outcomes::add);
        }
        calls.list(TOPIC, "d", LOOK, outcomes::add);
        read(TOPIC, 0);
        int looks = (int) link.asked.stream()
                .filter(asked -> asked.question() instanceof Question.Stat)
                .count();
        assertThat(looks).isLessThan(30);
        pass(SILENCE.minusMillis(1));
        assertThat(outcomes).isEmpty();
        pass(Duration.ofMillis(1));

        assertThat(outcomes).hasSize(31).allMatch(outcome -> new Refusal(ErrorCode.UNREACHABLE, RemoteFiles.SILENT)
                .equals(outcome.refusal()));
        assertThat(link.cancelled).hasSize(looks + 1);
        assertThat(pages.available()).isEqualTo(1);
        handler.onAnswered(link, link.number(0), new Answer.OfFile(FILE)); // too late
        pass(SILENCE);
        assertThat(outcomes).hasSize(31);

        calls.stat(TOPIC, "f", LOOK, outcomes::add);
        handler.onAnswered(link, link.number(link.asked.size() - 1), new Answer.OfFile(FILE));
        assertThat(outcomes.get(31)).isEqualTo(Outcome.of(FILE));
    }

    @Test
    void eachPageOfAListingHasItsOwnTime() {
        handler.onUp(link);
        calls.list(TOPIC, "d", LOOK, outcomes::add);
        pass(SILENCE.minusMillis(1));
        link.deliver(handler, 0, new Answer.OfPage("k"), page("a"));
        run();
        pass(SILENCE.minusMillis(1));
        link.deliver(handler, 1, new Answer.OfPage(""), page("z"));

        assertThat((List<?>) outcomes.get(0).get()).hasSize(2);
    }

    @Test
    void refusalsOfTheFarEdgeAreTheCallers() {
        handler.onUp(link);
        calls.stat(TOPIC, "f", LOOK, outcomes::add);
        Refusal refusal = new Refusal(ErrorCode.NOT_FOUND, "No such file or directory");
        handler.onRefused(link, link.number(0), refusal);

        assertThat(outcomes).containsExactly(new Outcome<>(null, refusal));
    }

    @Test
    void answersOfAnotherKindOrLengthAreRefused() {
        handler.onUp(link);
        calls.stat(TOPIC, "f", LOOK, outcomes::add);
        handler.onAnswered(link, link.number(0), new Answer.OfChecksum("00"));
        read(TOPIC, 0);
        assertThat(link.deliver(handler, 1, new Answer.OfBlock(FILE), new byte[5]))
                .isFalse();
        run();

        assertThat(outcomes)
                .extracting(outcome -> outcome.refusal().code())
                .containsExactly(ErrorCode.MALFORMED, ErrorCode.MALFORMED);
        assertThat(reads.available()).isEqualTo(4);
    }

    @Test
    void aListingIsPutTogetherFromPages() {
        handler.onUp(link);
        calls.list(TOPIC, "d", LOOK, outcomes::add);
        link.deliver(handler, 0, new Answer.OfPage("k"), page("a", "b"));
        run();
        link.deliver(handler, 1, new Answer.OfPage("q"), new byte[0]);
        run();
        link.deliver(handler, 2, new Answer.OfPage(""), page("z"));
        run();

        assertThat(link.asked)
                .extracting(RecordingCallLink.Asked::question)
                .containsExactly(
                        new Question.ListPage("d", ""),
                        new Question.ListPage("d", "k"),
                        new Question.ListPage("d", "q"));
        assertThat((List<?>) outcomes.get(0).get())
                .extracting(file -> ((RemoteFile) file).name())
                .containsExactly("a", "b", "z");
        assertThat(pages.available()).isEqualTo(1);
    }

    @Test
    void aListingThatDoesNotGoOnOrCannotBeReadIsRefused() {
        handler.onUp(link);
        calls.list(TOPIC, "d", LOOK, outcomes::add);
        link.deliver(handler, 0, new Answer.OfPage("k"), page("a"));
        run();
        link.deliver(handler, 1, new Answer.OfPage("k"), page("a"));
        run();
        calls.list(TOPIC, "d", LOOK, outcomes::add);
        link.deliver(handler, 2, new Answer.OfPage(""), new byte[] {9});

        assertThat(outcomes)
                .extracting(outcome -> outcome.refusal().code())
                .containsExactly(ErrorCode.MALFORMED, ErrorCode.MALFORMED);
        assertThat(pages.available()).isEqualTo(1);
    }

    /** A client would write such a file beside or above its own directory. */
    @ParameterizedTest
    @ValueSource(strings = {"../../.bashrc", "/etc/passwd", "a/b", "..", ".", "", "a\0b"})
    void listingWithANameThatLeadsElsewhereIsRefused(String name) {
        handler.onUp(link);
        calls.list(TOPIC, "d", LOOK, outcomes::add);
        link.deliver(handler, 0, new Answer.OfPage(""), page("a", name, "z"));
        run();

        assertThat(outcomes).extracting(outcome -> outcome.refusal().code()).containsExactly(ErrorCode.MALFORMED);
        assertThat(pages.available()).isEqualTo(1);
    }

    private static byte[] page(String... names) {
        ByteBuffer bytes = ByteBuffer.allocate(1000);
        for (String name : names) {
            RemoteFileCodec.put(bytes, new RemoteFile(name, RemoteFile.Kind.FILE, 1, 2, 0644, ""));
        }
        byte[] page = new byte[bytes.flip().remaining()];
        bytes.get(page);
        return page;
    }
}
