package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import java.nio.file.Path;
import java.time.Duration;

/** Where agent-b delivers. */
sealed interface Destination {
    /** A directory of this machine; the landing area is below it, on its file system. */
    record Directory(Path path) implements Destination {}

    /**
     * An existing server; the landing area is in the data directory.
     *
     * @param deadline from the first failure of a delivery until it becomes a dead letter
     */
    record Far(FarServer server, FarOptions options, Duration deadline) implements Destination {}
}
