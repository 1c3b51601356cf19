package io.hawser.store.spool;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a spool in a directory of their own, which they may close and open again. */
abstract class OnOneSpool {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    SpoolFixture it;

    @BeforeEach
    void open() throws Exception {
        it = new SpoolFixture(directory, SpoolFixture.config()).started();
    }

    @AfterEach
    void close() {
        it.close();
    }

    void reopen() throws Exception {
        it.close();
        it = new SpoolFixture(directory, SpoolFixture.config()).started();
    }
}
