package io.hawser.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.ConfigException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a broker lends at most. */
class RecentFragmentSizingTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private static int buffers(long directBytes, long machineBytes) {
        return new RecentFragmentSizing(directBytes, machineBytes).buffers(Optional.empty(), MIB);
    }

    @Test
    void aNodeWithTheLeastMemoryLendsNothing() {
        assertThat(buffers(64 * MIB, 24 * GIB)).isZero();
    }

    @Test
    void withoutAWordItIsTheLeastOfWhatDoesNoHarm() {
        assertThat(buffers(352 * MIB, 24 * GIB)).isEqualTo(256);
        assertThat(buffers(196 * MIB, 24 * GIB)).as("the JVM's limit").isEqualTo(100);
        assertThat(buffers(352 * MIB, GIB)).as("a sixteenth of the machine").isEqualTo(64);
        assertThat(buffers(4 * GIB, 24 * GIB)).isEqualTo(256);
    }

    @Test
    void whatIsAskedForIsTaken() {
        RecentFragmentSizing memory = new RecentFragmentSizing(2 * GIB, GIB);

        assertThat(memory.buffers(Optional.of(new ByteSize(0)), MIB)).isZero();
        assertThat(memory.buffers(Optional.of(new ByteSize(GIB)), MIB)).isEqualTo(1024);
    }

    @Test
    void whatTheJvmMayNotTakeIsRefusedWithTheOptionThatSetsIt() {
        RecentFragmentSizing memory = new RecentFragmentSizing(352 * MIB, 24 * GIB);

        assertThatThrownBy(() -> memory.buffers(Optional.of(new ByteSize(GIB)), MIB))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("256 MiB")
                .hasMessageContaining("-XX:MaxDirectMemorySize");
    }
}
