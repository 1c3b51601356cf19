package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Whoever waits for a task of the loop hears what became of it. */
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
