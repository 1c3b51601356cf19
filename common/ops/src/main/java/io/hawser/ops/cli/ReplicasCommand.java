package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Printable;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.ReplicaLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hawser replicas}: which far ends have a copy of a file. */
@Command(
        name = "replicas",
        header = "Show which far ends have a file.",
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
public final class ReplicasCommand extends AdminCommand {
    @Parameters(paramLabel = "NAME", description = "the file's whole name below its topic, such as photos/cat.jpg")
    private String name = "";

    @Option(names = "--topic", paramLabel = "TOPIC", description = "only of this topic")
    private @Nullable String topic;

    public ReplicasCommand() {
        super(BROKER_ADMIN);
    }

    @Override
    protected void ask(AdminClient client) throws IOException {
        Map<String, String> query = new HashMap<>(Map.of("name", name));
        if (topic != null) {
            query.put("topic", topic);
        }
        List<ReplicaLine> replicas = Json.readList(client.get("/replicas", query), ReplicaLine.class);
        show(replicas, out -> print(replicas, out));
        if (replicas.isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "no copy of '" + name + "' is known" + (topic == null ? "" : " on topic " + topic)
                            + "; 'hawser status' shows what is still on its way");
        }
    }

    private void print(List<ReplicaLine> replicas, PrintWriter out) {
        replicas.forEach(each -> out.println(line(each)));
        if (!replicas.isEmpty()) {
            out.println(sum(replicas));
        }
    }

    private String line(ReplicaLine replica) {
        String size = replica.sizeBytes() < 0 ? "size not known" : ByteSize.human(replica.sizeBytes());
        String digest = replica.digest().isEmpty() ? "(patched since it was sent whole)" : replica.digest();
        String sent = replica.sentName().equals(name) ? "" : "  sent as " + Printable.text(replica.sentName());
        return String.join(
                        "  ",
                        Printable.text(replica.topic()),
                        Printable.text(replica.subscription()),
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
