package io.hawser.agenta.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginGuardTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final LoginGuard guard = new LoginGuard(3, Duration.ofMinutes(1));

    private static InetAddress address(int last) throws Exception {
        return InetAddress.getByAddress(new byte[] {10, 0, (byte) (last >> 8), (byte) last});
    }

    @Test
    void wrongPasswordsBarTheirAddressAndNoOther() throws Exception {
        guard.failed(address(1), 0);
        guard.failed(address(1), 1);
        assertThat(guard.isBarred(address(1), 2)).isFalse();

        guard.failed(address(1), 2);

        assertThat(guard.isBarred(address(1), 3)).isTrue();
        assertThat(guard.isBarred(address(2), 3)).isFalse();
    }

    @Test
    void barEndsAfterItsTimeAndCountingBeginsAnew() throws Exception {
        for (int i = 0; i < 3; i++) {
            guard.failed(address(1), 0);
        }
        assertThat(guard.isBarred(address(1), MINUTE)).isTrue();
        assertThat(guard.isBarred(address(1), MINUTE + 1)).isFalse();

        guard.failed(address(1), MINUTE + 2);

        assertThat(guard.isBarred(address(1), MINUTE + 3)).isFalse();
    }

    @Test
    void addressesThatAreKnownAreBounded() throws Exception {
        for (int i = 0; i < 3; i++) {
            guard.failed(address(0), 0);
        }
        for (int i = 1; i <= 4096; i++) {
            guard.failed(address(i), 0);
        }

        assertThat(guard.isBarred(address(0), 1)).isFalse();
    }

    @Test
    void networkOfIpv6CountsAsOneAddress() throws Exception {
        guard.failed(InetAddress.getByName("2001:db8:1:2::1"), 0);
        guard.failed(InetAddress.getByName("2001:db8:1:2:ffff::2"), 0);
        guard.failed(InetAddress.getByName("2001:db8:1:2:aaaa:bbbb:cccc:3"), 0);

        assertThat(guard.isBarred(InetAddress.getByName("2001:db8:1:2::4"), 1)).isTrue();
        assertThat(guard.isBarred(InetAddress.getByName("2001:db8:1:3::1"), 1)).isFalse();
    }

    @Test
    void mappedAddressCountsAsItsIpv4Address() throws Exception {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, 10, 0, 0, 1};
        for (int i = 0; i < 3; i++) {
            guard.failed(Inet6Address.getByAddress(null, mapped, 0), 0);
        }

        assertThat(guard.isBarred(address(1), 1)).isTrue();
        assertThat(guard.isBarred(address(2), 1)).isFalse();
    }
}
