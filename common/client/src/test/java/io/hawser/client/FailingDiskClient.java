package io.hawser.client;

import io.hawser.store.storage.DiskStorage;
import io.hawser.store.testkit.CrashStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The set-up of tests with a client whose disk they let fail. No broker listens. */
abstract class FailingDiskClient {
    @TempDir
    Path directory;

    @TempDir
    private Path graveyard;

    CrashStorage storage;
    HawserClient client;

    @BeforeEach
    void start() throws IOException {
        storage = new CrashStorage(new DiskStorage(), graveyard);
        client = ClientOnStorage.connect(options(), storage);
    }

    ClientOptions options() {
        return ClientOptions.of("127.0.0.1:1").withState(directory);
    }

    @AfterEach
    void stop() {
        client.close();
    }
}
