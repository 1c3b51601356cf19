package io.hawser.client;

import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.util.List;

/** Opens clients whose disk a test can let fail, also for tests of other packages. */
public final class ClientOnStorage {
    private ClientOnStorage() {}

    public static HawserClient connect(ClientOptions options, Storage storage) throws IOException {
        return HawserClient.connect(options, List.of(), storage);
    }
}
