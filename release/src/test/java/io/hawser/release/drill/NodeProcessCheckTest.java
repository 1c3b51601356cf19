package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeProcessCheckTest {
    private static final String MAIN = "io.hawser.ops.cli.Hawser";

    @Test
    void theRoleIsTheWordBehindTheMainClass() {
        assertThat(NodeProcessCheck.role(List.of("java", "-cp", "x", MAIN, "broker", "--data", "agent-a")))
                .isEqualTo("broker");
        assertThat(NodeProcessCheck.role(List.of("java", "-cp", "x", MAIN))).isEmpty();
        assertThat(NodeProcessCheck.role(List.of("vi", "broker"))).isEmpty();
        assertThat(NodeProcessCheck.role(List.of())).isEmpty();
    }

    @Test
    void aProcessThatIsNoNodeIsRefused() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "600").start();
        try {
            assertThatThrownBy(() -> NodeProcessCheck.require(sleeper.pid(), Part.BROKER))
                    .isInstanceOf(IOException.class)
                    .hasMessage("process " + sleeper.pid()
                            + " is not the broker but no Hawser node; nothing was done to it");
            assertThat(sleeper.isAlive()).isTrue();
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void aPidMayComeFromACommandAndMustBeOne() {
        assertThat(new PidSource(Part.BROKER, "1234").isNumber()).isTrue();
        assertThat(new PidSource(Part.BROKER, "cat broker.pid").isNumber()).isFalse();
        assertThatThrownBy(() -> new PidSource(Part.BROKER, "echo none").find())
                .isInstanceOf(IOException.class)
                .hasMessage("'echo none' did not print the pid of the broker, but 'none'");
        assertThatThrownBy(() -> new PidSource(Part.BROKER, "echo oh >&2; exit 3").find())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with 3: oh");
    }
}
