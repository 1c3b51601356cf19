package io.hawser.brokerkafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.common.storage.StorageException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {
    private static KafkaTopics.Question<String> failing(int times, AtomicInteger asked, RuntimeException problem) {
        return () -> {
            KafkaFutureImpl<String> future = new KafkaFutureImpl<>();
            if (asked.getAndIncrement() < times) {
                future.completeExceptionally(problem);
            } else {
                future.complete("settings");
            }
            return KafkaTopics.get(future, "the settings cannot be read");
        };
    }

    @Test
    void aNodeThatDoesNotKnowATopicYetIsAskedAgain() throws StorageException {
        AtomicInteger asked = new AtomicInteger();

        String answer = KafkaTopics.awaitKnown(failing(2, asked, new UnknownTopicOrPartitionException("")));

        assertThat(answer).isEqualTo("settings");
        assertThat(asked).hasValue(3);
    }

    @Test
    void whatDoesNotPassIsToldAtOnce() {
        AtomicInteger asked = new AtomicInteger();

        assertThatThrownBy(
                        () -> KafkaTopics.awaitKnown(failing(9, asked, new TopicAuthorizationException("not for you"))))
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
}
