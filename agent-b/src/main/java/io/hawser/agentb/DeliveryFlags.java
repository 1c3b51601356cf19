package io.hawser.agentb;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Parallelism;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags that say where agent-b delivers. */
final class DeliveryFlags {
    static final ConfigKey<String> INTO = ConfigKey.text(
            "into",
            "DIR|URL",
            null,
            "where to deliver: a directory, made if it is not there, or a server: ftp://USER@HOST[:PORT]/DIR, ftps://…, gridftp://…,"
                    + " gsiftp://…");
    private static final ConfigKey<Integer> EARLY = ConfigKey.integer(
            "into-early",
            Parallelism.DEFAULT.earlyUploads(),
            0,
            32,
            "how many large files are uploaded, besides, while they still arrive; 0: none, as with --member");
    private static final ConfigKey<Duration> DEADLINE = ConfigKey.duration(
            "into-deadline",
            "1d",
            "a file that cannot be delivered for so long is put on the dead-letter list, see 'hawser dead'");

    private DeliveryFlags() {}

    static List<ConfigKey<?>> keys() {
        List<ConfigKey<?>> keys = new ArrayList<>(List.of(INTO, EARLY, DEADLINE));
        keys.addAll(FarAccountFlags.INTO.keys());
        return keys;
    }

    /** The destination that the flags describe. Throws ConfigException with a sentence. */
    static Destination destination(Config config, Map<String, String> environment) {
        String text = config.get(INTO);
        if (!FarServer.isUrl(text)) {
            FarAccountFlags.INTO.refuseForDirectory(config);
            return new Destination.Directory(
                    ConfigKey.path(INTO.name(), "DIR", null, "").parser().apply(text));
        }
        FarServer server = FarAccountFlags.INTO.server(text);
        FarOptions options = FarAccountFlags.INTO.options(config, environment, server, Optional.empty());
        Parallelism usual = options.parallelism();
        int early = config.find(AgentBCommand.MEMBER).isPresent() ? 0 : config.get(EARLY);
        return new Destination.Far(
                server,
                options.withParallelism(new Parallelism(usual.connections(), early, usual.streams())),
                config.get(DEADLINE));
    }
}
