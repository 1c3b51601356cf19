package io.hawser.common.cli;

import io.hawser.common.config.ByteSize;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.config.HostPort;
import io.hawser.common.observe.Json;
import io.hawser.common.observe.ReplicaLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser replicas}: which far ends have a copy of a file.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "replicas",
        description = {
            "Shows which far ends hold a verified copy of a file, as their receipts have told the broker: topic, subscription, size,"
                    + " when it was published there (by that end's clock), and the tree digest that was verified.",
            "The broker remembers the latest 100,000 deliveries of files, renames and deletes (32 MiB). What other programs do to a far"
                    + " end's files it does not see."
        },
        footer = {
            "",
            "Example:  hawser replicas photos/cat.jpg",
            "          hawser replicas big.iso --topic mirrors --json"
        })
public final class ReplicasCommand implements HawserCommand {
    private static final ConfigKey<HostPort> BROKER_ADMIN =
            ConfigKey.hostPort("broker-admin", "127.0.0.1:7480", "the admin address of the broker");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "the file's whole name below its topic, such as photos/cat.jpg")
    private String name = "";

    @Option(names = "--topic", paramLabel = "TOPIC", description = "only of this topic")
    private @Nullable String topic;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(BROKER_ADMIN, NodeKeys.ADMIN_TOKEN, NodeKeys.TLS);
    }

    @Override
    public void configure(Config values) {
        config = values;
    }

    @Override
    public Integer call() throws IOException {
        Map<String, String> query = new HashMap<>(Map.of("name", name));
        if (topic != null) {
            query.put("topic", topic);
        }
        byte[] body = AdminClient.of(config, BROKER_ADMIN).get("/replicas", query);
        List<ReplicaLine> replicas = Json.readList(body, ReplicaLine.class);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.text(replicas));
        } else {
            replicas.forEach(each -> out.println(line(each)));
            if (!replicas.isEmpty()) {
                out.println(sum(replicas));
            }
        }
        out.flush();
        if (replicas.isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "no copy of '" + name + "' is known" + (topic == null ? "" : " on topic " + topic)
                            + "; 'hawser status' shows what is still on its way");
        }
        return ExitCode.OK.code();
    }

    private String line(ReplicaLine replica) {
        String size = replica.sizeBytes() < 0 ? "size not known" : ByteSize.human(replica.sizeBytes());
        String digest = replica.digest().isEmpty() ? "(patched since it was sent whole)" : replica.digest();
        String sent = replica.sentName().equals(name) ? "" : "  sent as " + StatusTable.printable(replica.sentName());
        return String.join(
                        "  ",
                        replica.topic(),
                        replica.subscription(),
                        size,
                        Instant.ofEpochMilli(replica.deliveredEpochMillis())
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString(),
                        digest)
                + sent;
    }

    /** Copies of one content have one digest if they were cut alike, which those of one topic usually are. */
    private static String sum(List<ReplicaLine> replicas) {
        long digests = replicas.stream().map(ReplicaLine::digest).distinct().count();
        String copies = replicas.size() + (replicas.size() == 1 ? " copy" : " copies");
        return digests == 1 ? copies : copies + " with " + digests + " different digests";
    }
}
