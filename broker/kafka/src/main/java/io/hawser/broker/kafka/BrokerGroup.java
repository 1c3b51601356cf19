package io.hawser.broker.kafka;

import io.hawser.core.config.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * The group of brokers as Kafka describes it to a member.
 *
 * <p>Thread: one; blocks.
 */
final class BrokerGroup implements ActiveWatch.Group {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final Admin admin;
    private final String group;
    private final TopicPartition journal;
    private final String self;

    BrokerGroup(Admin admin, KafkaStoreConfig config) {
        this.admin = admin;
        this.group = config.groupId();
        this.journal = new TopicPartition(config.journalTopic(), 0);
        this.self = config.member();
    }

    @Override
    public Optional<ActiveBroker> active() throws ExecutionException, TimeoutException, InterruptedException {
        ConsumerGroupDescription described =
                answer(admin.describeConsumerGroups(List.of(group)).all()).get(group);
        return described == null
                ? Optional.empty()
                : described.members().stream()
                        .filter(member -> member.assignment().topicPartitions().contains(journal))
                        .findFirst()
                        .flatMap(this::other);
    }

    private Optional<ActiveBroker> other(MemberDescription member) {
        String name = member.groupInstanceId().orElse("");
        Optional<HostPort> address =
                name.equals(self) ? Optional.empty() : GroupInstanceId.address(name, String.valueOf(member.host()));
        return address.map(where -> new ActiveBroker(name, where));
    }

    @Override
    public void remove(ActiveBroker broker) throws ExecutionException, TimeoutException, InterruptedException {
        RemoveMembersFromConsumerGroupOptions which =
                new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove(broker.name())));
        which.reason("its port " + broker.address() + " refuses connections");
        answer(admin.removeMembersFromConsumerGroup(group, which).all());
    }

    private static <T> T answer(KafkaFuture<T> future)
            throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
