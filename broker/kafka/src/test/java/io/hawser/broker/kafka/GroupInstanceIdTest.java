package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.NodeId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupInstanceIdTest {
    private static final NodeId NODE = new NodeId(1, 2);

    @ParameterizedTest
    @CsvSource({
        "10.0.0.7, /10.0.0.9, 10.0.0.7",
        "0.0.0.0, /10.0.0.9, 10.0.0.9",
        "::, /10.0.0.9, 10.0.0.9",
        "fd00::7, /fd00::9, fd00::7",
        "0.0.0.0, /fd00:0:0:0:0:0:0:9, fd00:0:0:0:0:0:0:9",
        "broker-1.example, /10.0.0.9, broker-1.example",
    })
    void saysWhereTheBrokerListens(String listen, String seen, String host) {
        String name = GroupInstanceId.of(NODE, 3, new HostPort(listen, 7400));
        assertThat(name).as("what Kafka takes").matches("[a-zA-Z0-9._-]{1,249}");
        assertThat(GroupInstanceId.address(name, seen)).contains(new HostPort(host, 7400));
    }

    @Test
    void saysNothingOfAPortOrHostThatItCannotSay() {
        assertThat(address(new HostPort("10.0.0.7", 0))).isEmpty();
        assertThat(address(new HostPort("fe80::1%eth0", 7400))).isEmpty();
        assertThat(address(new HostPort("a".repeat(250), 7400))).isEmpty();
        assertThat(GroupInstanceId.address(GroupInstanceId.unreachable(), "/10.0.0.9"))
                .isEmpty();
    }

    private static Optional<HostPort> address(HostPort listen) {
        String name = GroupInstanceId.of(NODE, 3, listen);
        assertThat(name).matches("[a-zA-Z0-9._-]{1,249}");
        return GroupInstanceId.address(name, "/10.0.0.9");
    }

    @Test
    void eachRunHasANameOfItsOwn() {
        HostPort listen = new HostPort("10.0.0.7", 7400);
        assertThat(GroupInstanceId.of(NODE, 3, listen)).isNotEqualTo(GroupInstanceId.of(NODE, 4, listen));
    }
}
