package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class IndexFailedExceptionTest {
    /** H2's own message of a full disk is "IO Exception: FILE", under which nobody looks for space. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void saysWhatTheFileSystemSaid() {
        SQLException cause = new SQLException(
                "IO Exception: \"index.mv.db\"",
                new IllegalStateException("Writing to index.mv.db failed", new IOException("No space left on device")));

        assertThat(new IndexFailedException("the index cannot be opened: " + cause.getMessage(), cause))
                .hasMessage("the index cannot be opened: IO Exception: \"index.mv.db\": No space left on device");
        assertThat(new IndexFailedException("no", new IOException("no"))).hasMessage("no");
        assertThat(new IndexFailedException("no", new SQLException())).hasMessage("no");
    }
}
