package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7400", "[::1]:0", "broker.example:65535"})
    void textComesBackAsItWasGiven(String text) {
        assertThat(HostPort.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7400",
                "127.0.0.1",
                ":7400",
                "host:",
                "host:x",
                "host:65536",
                "::1:7400",
                "[]:1",
                "[[::1]]:1",
                "h:-1"
            })
    void whatIsNotHostAndPortIsRefusedWithTheText(String text) {
        assertThatThrownBy(() -> HostPort.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void onlyTheMachineItselfIsLoopback() {
        assertThat(HostPort.parse("127.0.0.1:1").isLoopback()).isTrue();
        assertThat(HostPort.parse("[::1]:1").isLoopback()).isTrue();
        assertThat(HostPort.parse("localhost:1").isLoopback()).isTrue();
        assertThat(HostPort.parse("0.0.0.0:1").isLoopback()).isFalse();
        assertThat(HostPort.parse("192.0.2.1:1").isLoopback()).isFalse();
    }
}
