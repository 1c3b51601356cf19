package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.store.storage.RemoteStoreUnavailableException;
import io.hawser.store.storage.StorageException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class KafkaAnswersTest {
    private static KafkaAnswers answers(StoreOpeningListener opening) {
        return new KafkaAnswers("127.0.0.1:1", new OpeningReporter(opening, () -> 0));
    }

    private static KafkaAnswers.Question<String> failing(int times, AtomicInteger asked, RuntimeException problem) {
        return () -> {
            KafkaFutureImpl<String> future = new KafkaFutureImpl<>();
            if (asked.getAndIncrement() < times) {
                future.completeExceptionally(problem);
            } else {
                future.complete("settings");
            }
            return answers(StoreOpeningListener.UNSEEN).get(future, "the settings cannot be read");
        };
    }

    @Test
    void aNodeThatDoesNotKnowATopicYetIsAskedAgain() throws StorageException {
        AtomicInteger asked = new AtomicInteger();

        String answer = KafkaAnswers.awaitKnown(failing(2, asked, new UnknownTopicOrPartitionException("")));

        assertThat(answer).isEqualTo("settings");
        assertThat(asked).hasValue(3);
    }

    @Test
    void whatDoesNotPassIsToldAtOnce() {
        AtomicInteger asked = new AtomicInteger();

        assertThatThrownBy(() ->
                        KafkaAnswers.awaitKnown(failing(9, asked, new TopicAuthorizationException("not for you"))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("does not permit it (not for you)");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aReasonWithoutWordsIsNamed() {
        assertThatThrownBy(() -> failing(9, new AtomicInteger(), new UnknownTopicOrPartitionException(""))
                        .ask())
                .hasMessage("the settings cannot be read: UnknownTopicOrPartitionException");
    }

    @Test
    void thatKafkaIsSlowIsSaidLongBeforeItIsGivenUp() throws Exception {
        KafkaFutureImpl<String> future = new KafkaFutureImpl<>();
        Openings told = new Openings() {
            @Override
            public void waitsFor(String what) {
                super.waitsFor(what);
                future.complete("topics");
            }
        };

        assertThat(answers(told).get(future, "it does not list its topics")).isEqualTo("topics");

        assertThat(told.all())
                .containsExactly(
                        "waits: it does not list its topics: Kafka at 127.0.0.1:1 takes connections and has not"
                                + " answered yet");
    }

    @Test
    void whatKafkasClientGivesUpIsAStoreThatIsAway() {
        assertThatThrownBy(() -> failing(9, new AtomicInteger(), new TimeoutException("timed out"))
                        .ask())
                .isInstanceOf(RemoteStoreUnavailableException.class)
                .hasMessageContaining("the settings cannot be read: no answer within 60 s. Is that its address");
    }
}
