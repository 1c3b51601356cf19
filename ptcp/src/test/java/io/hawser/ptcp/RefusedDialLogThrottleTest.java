package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusedDialLogThrottleTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final RefusedDialLogThrottle addresses = new RefusedDialLogThrottle();

    @Test
    void oneThatComesAgainAndAgainIsSaidRarelyAndThenWithHowOften() {
        for (int second = 0; second < 600; second += 2) {
            InetSocketAddress from = new InetSocketAddress("127.0.0.1", 2000 + second);
            assertThat(addresses.refused(from, "no TLS", second * SECOND)).isEqualTo(second == 0 ? 0 : -1);
        }
        InetSocketAddress from = new InetSocketAddress("127.0.0.1", 3000);
        assertThat(addresses.refused(from, "no TLS", 600 * SECOND)).isEqualTo(299);
        assertThat(addresses.refused(from, "another cause", 600 * SECOND)).isZero();
        assertThat(addresses.refused(new InetSocketAddress("127.0.0.2", 3000), "no TLS", 600 * SECOND))
                .isZero();
    }

    @Test
    void theAddressesOfAnIpv6NetworkAreOne() {
        for (int host = 1; host <= 9; host++) {
            InetSocketAddress from = new InetSocketAddress("2001:db8::" + host, 2000);
            assertThat(addresses.refused(from, "no TLS", 0)).isEqualTo(host == 1 ? 0 : -1);
        }
    }
}
