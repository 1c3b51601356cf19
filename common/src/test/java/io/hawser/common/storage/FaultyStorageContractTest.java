package io.hawser.common.storage;

import io.hawser.common.testkit.FaultyStorage;
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
