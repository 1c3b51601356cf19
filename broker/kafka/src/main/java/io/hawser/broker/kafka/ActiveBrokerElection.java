package io.hawser.broker.kafka;

import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the brokers' Kafka consumer group, which elects the active broker, and reports when this broker gains or loses the
 * store. The others stand by. When that member leaves, is removed by another one that sees its process end ({@link
 * ActiveWatch}), or is not heard of for some seconds, the next one gets it. Membership elects the broker; the journal's
 * transactions keep all others from writing.
 *
 * <pre>
 *   standing by ── assigned ──► having it ── revoked, lost ──► told to end
 *        └─ close ──► left         └─ close ──► left
 * </pre>
 *
 * <p>Thread: {@code hawser-kafka-member} asks the group; the rest any.
 */
final class ActiveBrokerElection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveBrokerElection.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaConsumer<byte[], byte[]> member;
    private final String topic;
    private final String group;
    private final OpeningReporter reporter;
    private final AckStallMonitor ackStalls;
    private final Consumer<StorageException> lost;
    private final CompletableFuture<Void> assigned = new CompletableFuture<>();
    private final ActiveWatch watch;
    private final Thread thread;
    private long lastInGroupNanos = System.nanoTime();
    private volatile boolean closing;

    /**
     * @param watch notices that the active broker has ended; from here on it belongs to this
     * @param reporter told how it goes until the store is assigned
     * @param ackStalls looked at every now and then
     * @param lost told once if the store was had and is not any more
     */
    ActiveBrokerElection(
            KafkaClients clients,
            KafkaStoreConfig config,
            ActiveWatch watch,
            OpeningReporter reporter,
            AckStallMonitor ackStalls,
            Consumer<StorageException> lost) {
        this.member = clients.memberConsumer();
        this.topic = config.journalTopic();
        this.group = config.groupId();
        this.reporter = reporter;
        this.ackStalls = ackStalls;
        this.lost = lost;
        this.watch = watch;
        this.thread = new Thread(this::run, "hawser-kafka-member");
        watch.start();
        thread.start();
    }

    /** Waits until this broker is the one. */
    void await() throws StorageException {
        try {
            assigned.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof StorageException storage
                    ? storage
                    : new RemoteStoreException(String.valueOf(cause.getMessage()), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RemoteStoreException("interrupted while standing by", e);
        }
    }

    private void run() {
        try {
            member.subscribe(List.of(topic), new Assignments());
            while (!closing) {
                member.poll(POLL);
                if (assigned.isDone()) {
                    ackStalls.tell();
                } else {
                    tellWhereItStands();
                }
            }
        } catch (WakeupException e) {
            LOG.atDebug().log("Leaves the group of brokers");
        } catch (KafkaException e) {
            end(new RemoteStoreException("the group of brokers cannot be kept: " + e.getMessage(), e));
        } finally {
            assigned.completeExceptionally(new RemoteStoreException("stopped while standing by"));
            watch.close();
            member.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            watch.awaitEnd();
        }
    }

    /** Without enough nodes Kafka has no coordinator for the group, and its client does not report that. */
    private void tellWhereItStands() {
        if (!member.groupMetadata().memberId().isEmpty()) {
            lastInGroupNanos = System.nanoTime();
            reporter.standsBy();
        } else if (System.nanoTime() - lastInGroupNanos > PATIENCE_NANOS) {
            reporter.waitsFor(
                    "Kafka does not take this broker into the group " + group + "; are enough of its nodes there?");
        }
    }

    private void end(StorageException reason) {
        if (!assigned.completeExceptionally(reason) && !closing) {
            lost.accept(reason);
        }
    }

    private final class Assignments implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                member.pause(partitions); // what it says is read by others
                LOG.atInfo().addKeyValue("topic", topic).log("This broker has the store");
                watch.close();
                assigned.complete(null);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                end(new RemoteStoreException("the store over Kafka was given to another broker"));
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            end(new RemoteStoreException(
                    "Kafka has not heard of this broker for too long; the store goes to the next one"));
        }
    }

    /** Leaves the group; the next broker gets the store at once. */
    @Override
    public void close() {
        closing = true;
        member.wakeup();
        UninterruptibleJoin.await(thread);
    }
}
