package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Whoever waits for a task of the loop hears what became of it. */
class NodeThreadsTest {
    @Test
    void anErrorOnTheLoopReachesWhoWaits() {
        try (NodeThreads net = new NodeThreads()) {
            assertThatThrownBy(() -> net.onLoop(() -> {
                        throw new AssertionError("on purpose");
                    }))
                    .hasRootCauseMessage("on purpose");
        }
    }
}
