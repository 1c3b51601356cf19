package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class PendingConnectionsTest {
    private final PendingConnections<String> pending = new PendingConnections<>(4);

    private static InetSocketAddress from(String address, int port) {
        return new InetSocketAddress(address, port);
    }

    @Test
    void floodFromOneAddressEvictsItsOwnOldest() {
        assertThat(pending.add("honest", from("192.0.2.1", 1))).isNull();
        for (int i = 0; i < 3; i++) {
            assertThat(pending.add("flood " + i, from("192.0.2.9", i))).isNull();
        }
        for (int i = 3; i < 1000; i++) {
            assertThat(pending.add("flood " + i, from("192.0.2.9", i))).isEqualTo("flood " + (i - 3));
        }
        assertThat(pending.contains("honest")).isTrue();
        assertThat(pending.all()).hasSize(4);
    }

    @Test
    void networkOfIpv6CountsAsOneAddress() {
        pending.add("honest", from("2001:db8:1::1", 1));
        for (int i = 0; i < 100; i++) {
            pending.add("flood " + i, from("2001:db8:2::" + Integer.toHexString(i + 1), 1));
        }
        assertThat(pending.contains("honest")).isTrue();
    }

    @Test
    void connectionThatHasSpokenNeedsNoPlace() {
        for (int i = 0; i < 4; i++) {
            pending.add("first " + i, from("192.0.2.1", i));
        }
        pending.remove("first 2");
        assertThat(pending.add("next", from("192.0.2.1", 9))).isNull();
        assertThat(pending.add("one more", from("192.0.2.1", 10))).isEqualTo("first 0");
    }

    @Test
    void addressWithTooManyLosesItsOwnOldest() {
        PendingConnections<String> few = new PendingConnections<>(4, 2);
        few.add("other", from("192.0.2.1", 1));
        few.add("first", from("192.0.2.9", 1));
        few.add("second", from("192.0.2.9", 2));
        assertThat(few.add("third", from("192.0.2.9", 3))).isEqualTo("first");
        assertThat(few.all()).containsExactlyInAnyOrder("other", "second", "third");
    }

    @Test
    void roomIsMadeByTheAddressWithTheMost() {
        pending.add("other", from("192.0.2.1", 1));
        pending.add("first", from("192.0.2.9", 1));
        pending.add("second", from("192.0.2.9", 2));
        assertThat(pending.evictOldest()).isEqualTo("first");
        assertThat(pending.evictOldest()).isEqualTo("other");
        assertThat(pending.evictOldest()).isEqualTo("second");
        assertThat(pending.evictOldest()).isNull();
    }
}
