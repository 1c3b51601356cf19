package io.hawser.release.demo;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.Subcommand;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.TwoBrokerChain;
import io.hawser.release.process.WorkDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code hawser demo}.
 *
 * <p>Thread: main, and the shutdown hook that ends the processes on Ctrl-C.
 */
@Command(
        name = "demo",
        header = "Kill each of three nodes during an upload, compare the file.",
        description = {
            "Runs agent-a, broker and agent-b as three processes, uploads a file by FTP, and kills each of them with"
                    + " kill -9 on the way. Ends by comparing SHA-256 at both ends.",
            "With --store kafka there are two brokers over three nodes of Apache Kafka, also as processes of their own; agent-b,"
                    + " the broker that serves and a node of Kafka are killed, and the other broker goes on. In a clone Maven"
                    + " fetches Kafka for it; with --kafka-bootstrap it runs on a cluster that is there.",
            "It needs four times the file's size in the temporary directory (with Kafka seven times), and about a minute."
        },
        footer = {
            "",
            "Example:  hawser demo",
            "          hawser demo --store kafka",
            "          hawser demo --size 1GiB --rate 64MiB --dir /data/demo"
        })
public final class DemoCommand implements Subcommand {
    private static final long MIB = 1 << 20;

    private static final ConfigKey<ByteSize> SIZE =
            ConfigKey.size("size", "256MiB", new ByteSize(32 * MIB), new ByteSize(1L << 40), "the size of the file");
    private static final ConfigKey<ByteSize> RATE = ConfigKey.size(
            "rate", "16MiB", new ByteSize(MIB), new ByteSize(1L << 34), "bytes per second that the client sends");
    private static final ConfigKey<Path> DIRECTORY =
            ConfigKey.path("dir", "DIR", null, "where the data goes (default: a new temporary directory)");
    private static final ConfigKey<Boolean> KEEP =
            ConfigKey.toggle("keep", "keep the directory with data and logs; it is kept after a failure, too");

    private enum Store {
        LOCAL,
        KAFKA
    }

    private static final ConfigKey<Store> STORE =
            ConfigKey.choice("store", Store.LOCAL, "where the broker keeps what it has taken");
    private static final ConfigKey<String> BOOTSTRAP = ConfigKey.text(
            "kafka-bootstrap",
            "HOST:PORT[,…]",
            null,
            "with --store kafka: a cluster that is there, of three nodes or more; topics are made there and removed");
    private static final ConfigKey<Path> PROPERTIES =
            ConfigKey.path("kafka-properties", "FILE", null, "with --kafka-bootstrap: properties for Kafka's clients");

    @Spec
    private CommandSpec spec;

    private Config config;

    @Override
    public CommandSection section() {
        return CommandSection.TRY;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(SIZE, RATE, STORE, BOOTSTRAP, PROPERTIES, DIRECTORY, KEEP);
    }

    @Override
    public void configure(Config config) {
        if (config.get(STORE) != Store.KAFKA) {
            config.refuseWithout(STORE.flag() + " kafka", BOOTSTRAP, PROPERTIES);
        }
        config.requirePartner(BOOTSTRAP, PROPERTIES);
        this.config = config;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        boolean kafka = config.get(STORE) == Store.KAFKA;
        long sizeBytes = config.get(SIZE).bytes();
        // The source, the spool, the log and what is delivered; and the log's segments that are made ahead.
        Path directory = WorkDirectory.prepare(
                config.find(DIRECTORY), "hawser-demo-", kafka ? 7 * sizeBytes + 1024 * MIB : 4 * sizeBytes + 256 * MIB);
        out.println("Data and logs: " + directory);
        AtomicBoolean remove = new AtomicBoolean(!config.get(KEEP));
        Scenario scenario = kafka ? this::overKafka : this::local;
        boolean equal = false;
        try {
            equal = scenario.play(directory, remove, out);
        } catch (DemoFailedException e) {
            throw new CommandException(ExitCode.FAILED, "the demo failed: " + e.getMessage(), e);
        } finally {
            remove.set(equal && !config.get(KEEP));
            if (!remove.get()) {
                out.println("Data and logs are kept in " + directory);
            }
            out.flush();
        }
        return (equal ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private interface Scenario {
        boolean play(Path directory, AtomicBoolean remove, PrintWriter out) throws IOException, InterruptedException;
    }

    private boolean local(Path directory, AtomicBoolean remove, PrintWriter out)
            throws IOException, InterruptedException {
        try (ProcessChain chain = new ProcessChain(directory)) {
            WorkDirectory.atExit(chain::end, directory, remove::get);
            return new Demo(chain, terms(directory, out)).run();
        }
    }

    private boolean overKafka(Path directory, AtomicBoolean remove, PrintWriter out)
            throws IOException, InterruptedException {
        try (DemoKafka kafka = DemoKafka.begin(
                        directory.resolve("kafka"), config.find(BOOTSTRAP), config.find(PROPERTIES), out);
                TwoBrokerChain nodes = new TwoBrokerChain(directory.resolve("nodes"), kafka.storeOptions())) {
            WorkDirectory.atExit(
                    () -> {
                        nodes.end();
                        kafka.end();
                    },
                    directory,
                    remove::get);
            return new KafkaDemo(nodes, kafka.cluster(), terms(directory, out)).run();
        }
    }

    private DemoScenario.Terms terms(Path directory, PrintWriter out) {
        return new DemoScenario.Terms(
                directory, config.get(SIZE).bytes(), config.get(RATE).bytes(), out);
    }
}
