package io.hawser.watch;

import io.hawser.client.HawserClient;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.integrity.Sha256;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.InterruptNotice;
import io.hawser.ops.cli.Subcommand;
import io.hawser.send.ClientFlags;
import io.hawser.send.NameFilter;
import io.hawser.send.SendDestination;
import io.hawser.send.SendOutput;
import io.hawser.send.SendingFlags;
import io.hawser.send.WaitLevel;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser watch}: a hot folder. */
@Command(
        name = "watch",
        header = "Send what appears in a directory (hot folder).",
        description = {
            "Sends each file below a directory that has not changed for --stable, under its path there, and then keeps, moves or"
                    + " deletes it when it has reached --wait. Runs until Ctrl-C; the same command continues, and sends no version of a"
                    + " file (inode, size, time) twice. Symbolic links and empty directories are passed over.",
            "Let writers use a name that --exclude fits, such as '.*' or '*.part', and rename the file when it is complete; --stable"
                    + " alone takes a file whose writer pauses for longer."
        },
        footer = {
            "",
            "Example:  hawser watch outbox --to site-b",
            "          hawser watch outbox --to site-b:in/ --then move:sent --exclude '.*'"
        })
public final class WatchCommand implements Subcommand {
    private static final ConfigKey<Duration> STABLE = ConfigKey.duration(
            "stable", "2s", "how long size and time of a file must not have changed before it is taken");
    private static final ConfigKey<Aftermath> THEN = new ConfigKey<>(
            "then",
            "keep|move:DIR|delete",
            "keep",
            "",
            "what is done with a file when it has reached --wait; DIR is on the same file system",
            Aftermath::parse);
    private static final ConfigKey<WaitLevel> WAIT =
            ConfigKey.choice("wait", WaitLevel.DELIVERED, "how safe a file must be before --then");
    private static final int DIGITS = 16;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "the directory to watch")
    private Path directory = Path.of("");

    @Mixin
    private SendingFlags sending = new SendingFlags();

    @Option(names = "--once", description = "end when all that is there has come to its end")
    private boolean once;

    @Option(names = "--json", description = "print one line of JSON for each file that is taken, delivered or failed")
    private boolean json;

    @Option(names = "--quiet", description = "say only what went wrong")
    private boolean quiet;

    private Config config;
    private SendOutput output;
    private NameFilter filter = NameFilter.ALL;

    @Override
    public CommandSection section() {
        return CommandSection.SEND;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        List<ConfigKey<?>> keys =
                new ArrayList<>(ClientFlags.keys(SendingFlags.TO, STABLE, THEN, WAIT, SendingFlags.RATE));
        keys.remove(ClientFlags.CONNECT_TIMEOUT); // it waits for the broker without end
        return keys;
    }

    @Override
    public void configure(Config values) {
        config = values;
        if (values.find(SendingFlags.TO).isEmpty()) {
            throw new ConfigException("--to is missing: the topic to send to");
        } else if (values.get(WAIT) == WaitLevel.SPOOLED && values.get(THEN).kind() != Aftermath.Kind.KEEP) {
            throw new ConfigException("files are read in place: with --wait spooled they have to stay (--then keep)");
        }
        output = SendOutput.of(spec, json, quiet);
        filter = sending.filter();
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new CommandException(ExitCode.FAILED, directory + " is no directory");
        }
        Path root = directory.toRealPath();
        Aftermath then = prepared(config.get(THEN), root);
        SendDestination to = config.get(SendingFlags.TO);
        Path state = ClientFlags.state(config).toAbsolutePath().resolve("watch").resolve(id(root, to));
        InterruptNotice notice = InterruptNotice.install(
                spec.commandLine().getErr(), "interrupted; run the same command again to continue");
        try (notice;
                WatchJournal journal = WatchJournal.open(state);
                HawserClient client = HawserClient.open(
                        ClientFlags.options(config).withState(state).withRate(SendingFlags.bytesPerSecond(config)))) {
            HotFolder.Order order = new HotFolder.Order(to, config.get(STABLE), config.get(WAIT), then, once);
            WatchReport report = new WatchReport(output, order.level());
            return new HotFolder(client, journal, scan(root, then), order, report)
                    .run()
                    .code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
    }

    private FolderScan scan(Path root, Aftermath then) {
        List<Path> apart = new ArrayList<>();
        apart.add(ClientFlags.state(config).toAbsolutePath().normalize());
        if (then.directory() != null) {
            apart.add(then.directory());
        }
        return new FolderScan(root, filter, apart, new DiskStorage());
    }

    /** With its directory, which is made. */
    private static Aftermath prepared(Aftermath then, Path root) throws IOException {
        Path given = then.directory();
        if (given == null) {
            return then;
        }
        Path made = Files.createDirectories(given.toAbsolutePath().normalize()).toRealPath();
        if (made.equals(root)) {
            throw new CommandException(ExitCode.USAGE, "--then move:" + given + " is the watched directory itself");
        } else if (!Files.getFileStore(made).equals(Files.getFileStore(root))) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "--then move:" + given + " is on another file system than " + root
                            + ", so files could not be moved there in one step");
        }
        return new Aftermath(then.kind(), made);
    }

    private static String id(Path root, SendDestination to) {
        return HexFormat.of()
                .formatHex(Sha256.of((root + "\0" + to).getBytes(StandardCharsets.UTF_8)))
                .substring(0, DIGITS);
    }
}
