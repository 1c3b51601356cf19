package io.hawser.broker.kafka;

import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the topics of store and events if they are missing, and refuses topics with settings that could lose records.
 *
 * <p>Thread: any; blocks.
 */
final class KafkaTopics {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);
    private static final int JOURNAL_SEGMENT_BYTES = 64 << 20;
    private static final int EVENTS_SEGMENT_BYTES = 16 << 20;
    private static final int PAYLOAD_SEGMENT_BYTES = 128 << 20;

    private final Admin admin;
    private final KafkaStoreConfig config;
    private final KafkaAnswers answers;

    /** @param opening told when Kafka is slow to answer */
    KafkaTopics(Admin admin, KafkaStoreConfig config, OpeningReporter opening) {
        this.admin = admin;
        this.config = config;
        this.answers = new KafkaAnswers(config.bootstrap(), opening);
    }

    /**
     * What is known of the topics.
     *
     * @param journalId the journal's identity: 32 hex digits, others for a topic of the same name that was made anew
     * @param payloadPartitions how many partitions the topic of payloads has
     * @param journalMessageBytes how long a record of the journal may be
     * @param payloadMessageBytes how long a record with payload may be
     */
    record Facts(String journalId, int payloadPartitions, int journalMessageBytes, int payloadMessageBytes) {}

    /**
     * What is known of the topic of events.
     *
     * @param id its identity: 32 hex digits, others for a topic of the same name that was made anew
     * @param messageBytes how long a record may be
     */
    record EventFacts(String id, int messageBytes) {}

    /** A topic with its settings. */
    private record Described(TopicDescription topic, TopicSettings settings) {}

    /** Makes the store's topics if they are not there, and looks at their settings. */
    Facts prepare() throws StorageException {
        boolean development = config.development();
        Map<String, Described> found = prepare(List.of(
                topic(config.journalTopic(), 1, development, JOURNAL_SEGMENT_BYTES),
                topic(config.payloadTopic(), config.partitions(), development, PAYLOAD_SEGMENT_BYTES)));
        Described journal = of(found, config.journalTopic());
        Described payload = of(found, config.payloadTopic());
        return new Facts(
                hex(journal.topic.topicId()),
                payload.settings.partitions(),
                journal.settings.maxMessageBytes(),
                payload.settings.maxMessageBytes());
    }

    /** The same with the topic of events. */
    EventFacts prepareEvents() throws StorageException {
        String name = config.eventsTopic();
        Described events = of(prepare(List.of(topic(name, 1, config.development(), EVENTS_SEGMENT_BYTES))), name);
        return new EventFacts(hex(events.topic.topicId()), events.settings.maxMessageBytes());
    }

    private static Described of(Map<String, Described> found, String topic) throws StorageException {
        Described described = found.get(topic);
        if (described == null) {
            throw new RemoteStoreException("Kafka says nothing of topic " + topic);
        }
        return described;
    }

    private Map<String, Described> prepare(List<NewTopic> wanted) throws StorageException {
        Set<String> present =
                answers.get(admin.listTopics().names(), "Kafka at " + config.bootstrap() + " does not list its topics");
        for (NewTopic topic : wanted) {
            if (!present.contains(topic.name())) {
                make(topic);
            }
        }
        return check(wanted.stream().map(NewTopic::name).toList());
    }

    private static NewTopic topic(String name, int partitions, boolean development, int segmentBytes) {
        short copies = (short) (development ? 1 : TopicSettings.SAFE_COPIES);
        return new NewTopic(name, Optional.of(partitions), Optional.of(copies))
                .configs(TopicSettings.made(development, segmentBytes));
    }

    private void make(NewTopic topic) throws StorageException {
        try {
            answers.get(
                    admin.createTopics(List.of(topic)).all(),
                    "topic " + topic.name() + " cannot be made (with fewer than three nodes only --kafka-development"
                            + " makes it)");
            LOG.atInfo()
                    .addKeyValue("topic", topic.name())
                    .addKeyValue("partitions", topic.numPartitions())
                    .addKeyValue("copies", topic.replicationFactor())
                    .log("Topic made");
        } catch (StorageException e) {
            if (!(e.getCause() instanceof TopicExistsException)) { // another broker was faster
                throw e;
            }
        }
    }

    private Map<String, Described> check(List<String> names) throws StorageException {
        Map<String, TopicDescription> topics = KafkaAnswers.awaitKnown(
                () -> answers.get(admin.describeTopics(names).allTopicNames(), "the topics cannot be described"));
        List<ConfigResource> resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<ConfigResource, Config> configs = KafkaAnswers.awaitKnown(
                () -> answers.get(admin.describeConfigs(resources).all(), "the topics' settings cannot be read"));
        List<String> complaints = new ArrayList<>();
        Map<String, Described> described = new HashMap<>();
        for (ConfigResource resource : resources) {
            TopicDescription topic = topics.get(resource.name());
            Config values = configs.get(resource);
            if (topic == null || values == null) {
                throw new RemoteStoreException("Kafka says nothing of topic " + resource.name());
            }
            TopicSettings found = settings(topic, values);
            described.put(topic.name(), new Described(topic, found));
            boolean ordered = !topic.name().equals(config.payloadTopic());
            complaints.addAll(found.complaints(config.development(), ordered ? 1 : 0));
        }
        if (!complaints.isEmpty()) {
            throw new RemoteStoreException(
                    "the broker does not begin on unsafe topics; " + String.join("; ", complaints));
        }
        return described;
    }

    private static TopicSettings settings(TopicDescription topic, Config config) {
        Map<String, String> values = new HashMap<>();
        for (ConfigEntry entry : config.entries()) {
            values.put(entry.name(), entry.value() == null ? "" : entry.value());
        }
        int copies = topic.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        return new TopicSettings(topic.name(), copies, topic.partitions().size(), values);
    }

    private static String hex(Uuid id) {
        return HexFormat.of()
                .formatHex(ByteBuffer.allocate(16)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array());
    }
}
