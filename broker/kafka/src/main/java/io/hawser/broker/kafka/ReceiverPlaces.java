package io.hawser.broker.kafka;

import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the receivers of events have come: the metadata of an offset that a consumer group without members has committed, a group for each
 * receiver. So a broker on another machine delivers what is owed. Kafka forgets it a week after the last commit, unless its nodes are told
 * otherwise ({@code offsets.retention.minutes}).
 *
 * <p>Thread: any; blocks, and as long as Kafka does not answer.
 */
final class ReceiverPlaces {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverPlaces.class);
    private static final long PAUSE_MILLIS = 1_000;

    private final Admin admin;
    private final KafkaStoreConfig config;
    private final TopicPartition partition;
    private volatile boolean closed;

    ReceiverPlaces(Admin admin, KafkaStoreConfig config) {
        this.admin = admin;
        this.config = config;
        this.partition = new TopicPartition(config.eventsTopic(), 0);
    }

    /** Empty if there is none. */
    String read(String receiver) throws StorageException {
        String group = config.receiverGroupId(receiver);
        OffsetAndMetadata found = answer(
                        () -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .get(partition);
        return found == null ? "" : found.metadata();
    }

    void write(String receiver, String place) throws StorageException {
        String group = config.receiverGroupId(receiver);
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(partition, new OffsetAndMetadata(0, place));
        answer(() -> admin.alterConsumerGroupOffsets(group, offsets).all());
    }

    /** Makes whoever waits fail. */
    void close() {
        closed = true;
    }

    private interface Question<T> {
        KafkaFuture<T> ask();
    }

    private <T> T answer(Question<T> question) throws StorageException {
        while (true) {
            try {
                return question.ask().get();
            } catch (ExecutionException e) {
                if (closed || !(e.getCause() instanceof RetriableException)) {
                    throw new RemoteStoreException(
                            "Kafka does not keep how far receivers of events are: " + e.getMessage(), e);
                }
                LOG.atWarn()
                        .addKeyValue("reason", e.getCause().getMessage())
                        .log("Kafka does not answer how far a receiver of events is; it is asked again");
                pause();
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private static void pause() throws StorageException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static StorageException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new RemoteStoreException("interrupted while Kafka was asked", e);
    }
}
