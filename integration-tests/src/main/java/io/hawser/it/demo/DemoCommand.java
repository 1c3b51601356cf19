package io.hawser.it.demo;

import io.hawser.common.cli.CommandException;
import io.hawser.common.cli.ExitCode;
import io.hawser.common.cli.HawserCommand;
import io.hawser.common.config.ByteSize;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigKey;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.WorkDirectory;
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
        description = {
            "Runs agent-a, broker and agent-b as three processes, uploads a file by FTP, and kills each of them with"
                    + " kill -9 on the way. Ends by comparing SHA-256 at both ends.",
            "It needs four times the file's size in the temporary directory, and about a minute."
        },
        footer = {"", "Example:  hawser demo", "          hawser demo --size 1GiB --rate 64MiB --dir /data/demo"})
public final class DemoCommand implements HawserCommand {
    private static final long MIB = 1 << 20;

    private static final ConfigKey<ByteSize> SIZE =
            ConfigKey.size("size", "256MiB", new ByteSize(32 * MIB), new ByteSize(1L << 40), "the size of the file");
    private static final ConfigKey<ByteSize> RATE = ConfigKey.size(
            "rate", "16MiB", new ByteSize(MIB), new ByteSize(1L << 34), "bytes per second that the client sends");
    private static final ConfigKey<Path> DIRECTORY =
            ConfigKey.path("dir", "DIR", null, "where the data goes (default: a new temporary directory)");
    private static final ConfigKey<Boolean> KEEP =
            ConfigKey.toggle("keep", "keep the directory with data and logs; it is kept after a failure, too");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(SIZE, RATE, DIRECTORY, KEEP);
    }

    @Override
    public void configure(Config config) {
        this.config = config;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        long sizeBytes = config.get(SIZE).bytes();
        // The source, the spool, the log and what is delivered; and the log's segments that are made ahead.
        Path directory = WorkDirectory.prepare(config.find(DIRECTORY), "hawser-demo-", 4 * sizeBytes + 256 * MIB);
        AtomicBoolean remove = new AtomicBoolean(!config.get(KEEP));
        try (Chain chain = new Chain(directory)) {
            Thread hook = new Thread(
                    () -> {
                        chain.end();
                        if (remove.get()) {
                            WorkDirectory.delete(directory);
                        }
                    },
                    "demo-end");
            Runtime.getRuntime().addShutdownHook(hook);
            boolean equal = false;
            try {
                equal = new Demo(chain, directory, sizeBytes, config.get(RATE).bytes(), out).run();
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
    }
}
