package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a receiver answers about far ends, whom, and whose transfers it recalls. */
class ProgressReporterTest {
    private static final NodeId PUBLISHER = new NodeId(1, 1);

    private final FakeReceiverStore store = new FakeReceiverStore();
    private final FakeLink link = new FakeLink();
    private final HopReceiver receiver = new HopReceiver(
            store,
            new FragmentBufferPool(4096, 3),
            link,
            key -> key.publisher().equals(PUBLISHER),
            1,
            new ReceiveMeter(),
            SenderAllowance.UNLIMITED);

    private static TransferKey key(long number) {
        return new TransferKey(PUBLISHER, new TransferId(1, number));
    }

    private static FarEndProgress line(TransferKey key, int number) {
        return new FarEndProgress(key, "s" + number, number, true);
    }

    private void ask(TransferKey... keys) {
        receiver.on(new HopMessage.AskProgress(List.of(keys)));
    }

    private List<HopMessage.Progress> answers() {
        return link.sent.stream()
                .filter(HopMessage.Progress.class::isInstance)
                .map(HopMessage.Progress.class::cast)
                .toList();
    }

    @Test
    void oneAnswerHasTheFarEndsOfAllThatWereAskedAbout() {
        store.farEnds.put(key(1), List.of(line(key(1), 1)));
        store.farEnds.put(key(2), List.of(line(key(2), 2), line(key(2), 3)));
        ask(key(1), key(2), key(9));
        assertThat(answers()).as("the store has not answered").isEmpty();
        store.run();
        assertThat(answers())
                .containsExactly(new HopMessage.Progress(List.of(line(key(1), 1), line(key(2), 2), line(key(2), 3))));
    }

    private void assertNotAllowed() {
        assertThat(link.sent)
                .filteredOn(HopMessage.Refuse.class::isInstance)
                .singleElement()
                .satisfies(refusal -> assertThat(
                                ((HopMessage.Refuse) refusal).refusal().code())
                        .isEqualTo(ErrorCode.NOT_ALLOWED));
    }

    @Test
    void anotherPublishersTransfersAreNotTold() {
        TransferKey foreign = new TransferKey(new NodeId(2, 2), new TransferId(1, 1));
        store.farEnds.put(foreign, List.of(line(foreign, 1)));
        ask(key(1), foreign);
        store.run();
        assertThat(answers()).isEmpty();
        assertNotAllowed();
    }

    @Test
    void anotherPublishersTransferIsNotRecalled() {
        receiver.on(new HopMessage.Recall(new TransferKey(new NodeId(2, 2), new TransferId(1, 1)), "mine now"));
        store.run();

        assertThat(store.asked).doesNotContain("recall");
        assertNotAllowed();
        receiver.on(new HopMessage.Recall(key(1), "not needed"));
        assertThat(store.asked).contains("recall");
    }

    @Test
    void aQuestionBeforeTheAnswerToTheLastOneCostsNothing() {
        ask(key(1));
        for (int i = 0; i < 1000; i++) {
            ask(key(2));
        }
        store.run();
        assertThat(answers()).hasSize(1);
        assertThat(store.asked).filteredOn("farEnds"::equals).hasSize(1);
    }

    @Test
    void anAnswerHasAtMostSoManyLines() {
        List<FarEndProgress> many = new ArrayList<>();
        IntStream.range(0, HopMessage.Progress.MOST_LINES + 5).forEach(i -> many.add(line(key(1), i)));
        store.farEnds.put(key(1), many);
        ask(key(1));
        store.run();
        assertThat(answers()).singleElement().satisfies(answer -> assertThat(answer.farEnds())
                .hasSize(HopMessage.Progress.MOST_LINES));
    }

    @Test
    void afterTheLinkIsLostNothingIsSent() {
        ask(key(1));
        receiver.linkDown();
        store.run();
        assertThat(answers()).isEmpty();
    }
}
