package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.storage.CannotOpenNowException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DiskFailureReportTest {
    private final StringWriter said = new StringWriter();

    private int report(String reason) {
        IOException cause = new IOException(reason);
        return DiskFailureReport.reportFailure(
                "agent-b", new CannotOpenNowException("force directory /d: " + reason, cause), new PrintWriter(said));
    }

    @Test
    void lackOfDescriptorsIsNotTheDisksFault() {
        assertThat(report("Too many open files")).isEqualTo(ExitCode.FAILED.code());
        assertThat(said.toString()).contains("Nothing is wrong with its disk", "ulimit -n");
    }

    @Test
    void directoryThatTheDiskDoesNotOpenIsTheDisksFault() {
        assertThat(report("Input/output error")).isEqualTo(ExitCode.STORAGE.code());
        assertThat(said.toString()).contains("its disk failed", "dmesg").doesNotContain("ulimit");
    }
}
