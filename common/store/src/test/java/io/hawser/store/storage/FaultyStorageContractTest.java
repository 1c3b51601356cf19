package io.hawser.store.storage;

import io.hawser.store.testkit.FaultyStorage;
import java.nio.file.Path;

class FaultyStorageContractTest extends StorageContract {
    private final Storage storage = new FaultyStorage();

    @Override
    Storage storage() {
        return storage;
    }

    @Override
    Path root() {
        return Path.of("/data/root");
    }
}
