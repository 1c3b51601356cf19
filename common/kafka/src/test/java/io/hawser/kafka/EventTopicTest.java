package io.hawser.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.kafka.KafkaMessageFactory;
import io.hawser.ops.event.CloudEvent;
import io.hawser.ops.event.Event;
import io.hawser.ops.event.EventFacts;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTopicTest {
    /** A client that refuses a record with {@link #refused} in its value, and counts the others. */
    private final class Client extends MockProducer<byte[], byte[]> {
        Client() {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            clients.add(this);
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (text(record.value()).contains(refused)) {
                return CompletableFuture.failedFuture(why);
            }
            took.add(record);
            return super.send(record, callback);
        }
    }

    private static final String NOTHING = "no event has this";

    private final List<Client> clients = new ArrayList<>();
    private final List<ProducerRecord<byte[], byte[]>> took = new ArrayList<>();
    private String refused = NOTHING;
    private RuntimeException why = new TimeoutException("30 s have passed");

    @SuppressWarnings("NullAway.Init")
    private ServerSocket node;

    @BeforeEach
    void openNode() throws Exception {
        node = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void closeNode() throws Exception {
        node.close();
    }

    private EventTopic topic() {
        return topic(Client::new);
    }

    private EventTopic topic(Supplier<Producer<byte[], byte[]>> producers) {
        EventTopicProblems problems =
                new EventTopicProblems("127.0.0.1:" + node.getLocalPort(), "events", new KafkaNodeProbe("SASL_SSL"));
        return new EventTopic("events", problems, producers, EventTopicTest::form);
    }

    private static CloudEvent form(Event event) {
        CloudEvent.Data data = new CloudEvent.Data(
                "test", event.sequence(), null, null, null, null, null, null, null, null, null, null, false);
        return new CloudEvent(
                "1.0",
                "id-" + event.sequence() + ".",
                "/hawser/test/0",
                "io.hawser." + event.type().word(),
                event.subjectText(),
                "2026-01-01T00:00:00Z",
                "application/json",
                data);
    }

    private static Event event(int number, String subject) {
        return new Event(
                number, EventType.DELIVERED, 1, null, subject, "", false, Cause.START, EventFacts.of("a reason"));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private List<String> ids() {
        return took.stream()
                .map(record -> text(record.value()).replaceAll("(?s).*\"(id-\\d+)\\..*", "$1"))
                .toList();
    }

    @Test
    void anotherLibraryReadsTheEvent() throws Exception {
        EventTopic topic = topic();

        assertThat(topic.deliver(List.of(event(1, "the transfer")))).isEqualTo(1);

        ProducerRecord<byte[], byte[]> record = took.get(0);
        assertThat(record.key()).asString(StandardCharsets.UTF_8).isEqualTo("the transfer");
        io.cloudevents.CloudEvent read = KafkaMessageFactory.createReader(record.headers(), record.value())
                .toEvent();
        assertThat(read.getId()).isEqualTo("id-1.");
        assertThat(read.getType()).isEqualTo("io.hawser.delivered");
        assertThat(read.getSubject()).isEqualTo("the transfer");
        assertThat(read.getSource()).hasToString("/hawser/test/0");
        assertThat(read.getData()).isNotNull();
        assertThat(read.getData().toBytes()).asString().contains("\"sequence\":1");
        assertThat(topic.problem()).isEmpty();
    }

    @Test
    void aTransfersNextEventIsNotSentBeforeTheOneBeforeItIsThere() throws Exception {
        EventTopic topic = topic();
        List<Event> events = List.of(event(1, "a"), event(2, "b"), event(3, "a"), event(4, "c"));
        refused = "id-1.";

        assertThat(topic.deliver(events)).isZero();
        assertThat(ids()).containsExactly("id-2");
        assertThat(topic.problem()).hasValueSatisfying(said -> assertThat(said).contains("30 s have passed"));

        refused = NOTHING;
        assertThat(topic.deliver(events)).isEqualTo(4);
        assertThat(ids()).containsExactly("id-2", "id-1", "id-2", "id-3", "id-4");
        assertThat(topic.problem()).isEmpty();
    }

    @Test
    void whatIsDeliveredBeforeAFailureCounts() throws Exception {
        EventTopic topic = topic();
        refused = "id-3.";

        assertThat(topic.deliver(List.of(event(1, "a"), event(2, "a"), event(3, "b"), event(4, "b"))))
                .isEqualTo(2);

        assertThat(ids()).containsExactly("id-1", "id-2");
    }

    @Test
    void aClientIsReplacedIfItMayHaveFailedForGood() throws Exception {
        EventTopic topic = topic();
        refused = "id-1.";
        topic.deliver(List.of(event(1, "a")));
        topic.deliver(List.of(event(1, "a")));
        assertThat(clients).as("after a time limit").hasSize(1);

        why = new KafkaException("the producer is fenced");
        topic.deliver(List.of(event(1, "a")));
        refused = NOTHING;
        assertThat(topic.deliver(List.of(event(1, "a")))).isEqualTo(1);

        assertThat(clients).hasSize(2);
        assertThat(clients.get(0).closed()).isTrue();
    }

    @Test
    void noClientIsMadeWhereNoNodeAnswers() throws Exception {
        EventTopic topic = topic();
        node.close();

        assertThat(topic.deliver(List.of(event(1, "a")))).isZero();

        assertThat(clients).isEmpty();
        assertThat(topic.problem())
                .hasValue("Kafka cannot be reached at 127.0.0.1:" + node.getLocalPort() + " (Connection refused)");
    }

    @Test
    void aClientThatCannotBeMadeIsAProblemAndTriedAgain() throws Exception {
        List<RuntimeException> failures = new ArrayList<>(List.of(new KafkaException("no truststore")));
        EventTopic topic = topic(() -> {
            if (!failures.isEmpty()) {
                throw failures.remove(0);
            }
            return new Client();
        });

        assertThat(topic.deliver(List.of(event(1, "a")))).isZero();
        assertThat(topic.problem()).hasValueSatisfying(said -> assertThat(said).endsWith("no truststore"));
        assertThat(topic.deliver(List.of(event(1, "a")))).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheDelivery() {
        EventTopic topic = topic(() -> {
            throw new InterruptException("interrupted");
        });

        assertThatThrownBy(() -> topic.deliver(List.of(event(1, "a")))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted())
                .as("the flag is for whoever catches it")
                .isFalse();
    }

    @Test
    void afterItIsClosedNothingIsDelivered() throws Exception {
        EventTopic topic = topic();
        topic.deliver(List.of(event(1, "a")));

        topic.close();

        assertThat(clients.get(0).closed()).isTrue();
        assertThat(topic.deliver(List.of(event(2, "a")))).isZero();
        assertThat(clients).hasSize(1);
    }

    @Test
    void whatAnOperatorCanMendIsSaid() {
        EventTopicProblems problems = new EventTopicProblems("k:9092", "events", new KafkaNodeProbe("PLAINTEXT"));

        assertThat(problems.sentence(
                        new TimeoutException("Topic not in metadata", new UnknownTopicOrPartitionException(""))))
                .isEqualTo("Kafka at k:9092 has no topic events: make it, or correct --events-kafka");
        assertThat(problems.sentence(new TopicAuthorizationException("events")))
                .contains("does not permit this node to write to topic events");
        assertThat(problems.sentence(new RecordTooLargeException("1 byte"))).contains("max.message.bytes");
    }

    @Test
    void aNodeThatWantsTlsIsNotGivenToKafkasClient() throws Exception {
        Thread tls = new Thread(() -> {
            try (var client = node.accept()) {
                client.getInputStream().readNBytes(14);
                client.getOutputStream().write(0x15);
            } catch (IOException e) {
                return; // the test has ended
            }
        });
        tls.setDaemon(true);
        tls.start();
        String address = "127.0.0.1:" + node.getLocalPort();

        assertThat(new EventTopicProblems(address, "events", new KafkaNodeProbe("PLAINTEXT")).unreachable())
                .isEqualTo("Kafka at " + address + " wants TLS, and not PLAINTEXT: --events-kafka-properties has to say"
                        + " security.protocol=SSL or SASL_SSL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acks", "enable.idempotence", "bootstrap.servers", "transactional.id"})
    void noPropertyTakesTheGuaranteesAway(String property) {
        String value = property.startsWith("enable") ? "false" : "0";

        assertThat(EventProducer.properties("k:9092", Map.of(property, value)))
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .containsEntry("bootstrap.servers", "k:9092")
                .doesNotContainKey("transactional.id");
    }
}
