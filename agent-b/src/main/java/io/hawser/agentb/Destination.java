package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import java.nio.file.Path;
import java.time.Duration;

/** Where agent-b delivers. */
public sealed interface Destination {
    /** A directory of this machine; the landing area is below it, on its file system. */
    record Directory(Path path) implements Destination {}

    /**
     * A server that is there already; the landing area is in the data directory.
     *
     * @param deadline how long after its first failure a delivery is put on the dead-letter list
     */
    record Far(FarServer server, FarOptions options, Duration deadline) implements Destination {}
}
