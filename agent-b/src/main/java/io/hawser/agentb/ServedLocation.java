package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import java.nio.file.Path;

/** What clients of agent-a may list and read. */
public sealed interface ServedLocation {
    record Directory(Path path) implements ServedLocation {}

    /**
     * A directory of an existing server.
     *
     * @param options its connections are {@link io.hawser.agentb.serve.FarFiles#MIN_CONNECTIONS} or more
     */
    record Far(FarServer server, FarOptions options) implements ServedLocation {}
}
