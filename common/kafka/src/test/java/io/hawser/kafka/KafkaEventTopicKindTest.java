package io.hawser.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.event.EventReceivers;
import io.hawser.ops.observe.EventSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The flags of the topic, as a node checks them at its start. */
class KafkaEventTopicKindTest {
    @TempDir
    Path directory;

    private static void check(EventSettings.Topic topic) {
        EventReceivers.check(
                new EventSettings.Receivers(null, "", Duration.ofDays(1), List.of(), Duration.ofMinutes(1), topic));
    }

    private EventSettings.Topic withProperties(String lines, String rights) throws Exception {
        Path file = Files.writeString(directory.resolve("properties"), lines);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
        return EventSettings.Topic.parse("127.0.0.1:9092,localhost:9093/the.events")
                .with(file);
    }

    @Test
    void anAddressAndATopicAreEnough() {
        EventSettings.Topic topic = EventSettings.Topic.parse("127.0.0.1:9092, localhost:9093/the.events");

        assertThat(topic.bootstrap()).isEqualTo("127.0.0.1:9092,localhost:9093");
        assertThat(topic.name()).isEqualTo("the.events");
        assertThatCode(() -> check(topic)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9092", "127.0.0.1:9092/", "/events", "127.0.0.1/events", "k:1/a b", "k:1/a/b"})
    void whatIsNoAddressAndTopicIsRefused(String text) {
        assertThatThrownBy(() -> EventSettings.Topic.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aValueThatKafkasClientDoesNotTakeIsRefusedAtTheStart() throws Exception {
        EventSettings.Topic topic = withProperties("linger.ms = soon\n", "rw-r--r--");

        assertThatThrownBy(() -> check(topic))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--events-kafka-properties")
                .hasMessageContaining("linger.ms");
    }

    @Test
    void aFileWithAPasswordThatOthersMayReadIsRefused() throws Exception {
        EventSettings.Topic topic = withProperties("ssl.truststore.password = secret\n", "rw-r--r--");

        assertThatThrownBy(() -> check(topic))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("chmod 600");
        assertThatCode(() -> check(withProperties("ssl.truststore.password = secret\n", "rw-------")))
                .doesNotThrowAnyException();
    }
}
