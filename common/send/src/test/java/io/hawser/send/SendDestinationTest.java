package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SendDestinationTest {
    @ParameterizedTest
    @CsvSource({
        "site-b,site-b,''",
        "site-b:,site-b,''",
        "site-b:/,site-b,''",
        "site-b:in/2026/,site-b,in/2026",
        "site-b://a//./b,site-b,a/b",
        "site-b:a:b,site-b,a:b"
    })
    void aDestinationIsATopicAndADirectory(String text, String topic, String directory) {
        SendDestination destination = SendDestination.parse(text);
        assertThat(destination.topic().name()).isEqualTo(topic);
        assertThat(destination.directory()).isEqualTo(directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":in", "a b", "site-b:../x", "site-b:a/.."})
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> SendDestination.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneWithoutADirectoryIsWrittenAsItsTopic() {
        assertThat(SendDestination.parse("site-b:/")).hasToString("site-b");
        assertThat(SendDestination.parse("site-b:in")).hasToString("site-b:in/");
    }
}
