package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Test;

class CongestionControlsTest {
    @Test
    void nameThatTheKernelDoesNotOfferIsRefusedWithWhatThereIs() {
        assumeTrue(Epoll.isAvailable());
        assertThatThrownBy(() -> CongestionControls.check("xyz"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'xyz'", "reno", "auto", "kernel", "modprobe tcp_xyz");
    }

    @Test
    void whatTheKernelOffersAndTheChoicesOfHawserAreTaken() {
        for (String name : new String[] {"reno", PtcpTuning.BEST, PtcpTuning.KERNEL}) {
            assertThatCode(() -> CongestionControls.check(name)).doesNotThrowAnyException();
        }
    }
}
