package io.hawser.common.transport;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits for a task of the loop hears what became of it. */
@Timeout(30)
class AgentNetTest {
    @Test
    void anErrorOnTheLoopReachesWhoWaits() {
        try (AgentNet net = new AgentNet()) {
            assertThatThrownBy(() -> net.onLoop(() -> {
                        throw new AssertionError("on purpose");
                    }))
                    .hasRootCauseMessage("on purpose");
        }
    }
}
