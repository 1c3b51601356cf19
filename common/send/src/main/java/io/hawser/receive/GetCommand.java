package io.hawser.receive;

import io.hawser.client.FarFile;
import io.hawser.client.HawserException;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.integrity.Sha256;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.InterruptNotice;
import io.hawser.ops.cli.ProgressLine;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.cli.Terminal;
import io.hawser.send.ClientFlags;
import io.hawser.send.RateWindow;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser get}: fetches a file of a far end. */
@Command(
        name = "get",
        header = "Fetch a file from a far end.",
        description = {
            "Fetches a file of a topic's far end by way of the broker. What has come is in a part file beside FILE; after Ctrl-C or a"
                    + " crash the same command continues. FILE appears when all of it is durable and has the SHA-256 that the far end"
                    + " computes of its own; a file of that name is replaced.",
            "Needs the rights 'list' and 'read' on the topic."
        },
        footer = {
            "",
            "Example:  hawser get site-b:photos/cat.jpg",
            "          hawser get site-b:dumps/shop.sql -o - | psql shop"
        })
public final class GetCommand implements Subcommand {
    private static final String STANDARD_OUTPUT = "-";
    private static final int CHUNK_BYTES = 1 << 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TOPIC:PATH", description = "what to fetch")
    private String place = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "the file to write, a directory to write it into, or '-' for standard output (default: the file's own name,"
                            + " here)")
    private @Nullable String output;

    @Option(names = "--quiet", description = "say only what went wrong")
    private boolean quiet;

    private Config config;
    private final RateWindow rate = new RateWindow();

    @Override
    public CommandSection section() {
        return CommandSection.SEND;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return ClientFlags.keys();
    }

    @Override
    public void configure(Config values) {
        config = values;
        if (FarPath.parse(place).path().isEmpty()) {
            throw new ConfigException("say which file: TOPIC:PATH, such as site-b:photos/cat.jpg");
        }
    }

    @Override
    public Integer call() throws IOException {
        FarPath path = FarPath.parse(place);
        boolean toOutput = STANDARD_OUTPUT.equals(output);
        InterruptNotice notice = InterruptNotice.install(
                spec.commandLine().getErr(),
                toOutput ? "interrupted" : "interrupted; run the same command again to continue");
        try (notice;
                FarEndClient client = FarEndClient.connect(config, path)) {
            FarFile version = client.ask(files -> files.stat(path.path()));
            if (version.isDirectory()) {
                throw new CommandException(
                        ExitCode.FAILED,
                        path + " is a directory; get fetches one file, and 'hawser ls " + path + "' lists");
            }
            if (toOutput) {
                toOutput(client, path, version);
            } else {
                toFile(client, path, version, target(path));
            }
        }
        return ExitCode.OK.code();
    }

    private Path target(FarPath path) {
        Path given = Path.of(output == null ? path.name() : output);
        return output != null && Files.isDirectory(given) ? given.resolve(path.name()) : given;
    }

    private void toFile(FarEndClient client, FarPath path, FarFile version, Path target) throws IOException {
        if (Files.isDirectory(target)) {
            throw new CommandException(ExitCode.FAILED, target + " is a directory; choose another name with -o");
        }
        try (PartFile part = PartFile.open(target, path, version)) {
            long before = part.sizeBytes();
            ProgressLine progress = progress();
            copy(client, path, version, before, progress, part::append);
            String here = part.sha256();
            progress.clear();
            if (!here.equals(digestThere(client, path, version))) {
                part.delete();
                throw new CommandException(
                        ExitCode.FAILED,
                        path
                                + ": what has come does not have the digest of the file there, and was deleted. Run the same"
                                + " command again");
            }
            part.publish(version);
            say("got " + path + ", " + ByteSize.human(version.sizeBytes())
                    + (before == 0 ? "" : " (" + ByteSize.human(before) + " earlier)") + ", SHA-256 " + here);
        }
    }

    /** The digest at the far end, of that version. */
    private static String digestThere(FarEndClient client, FarPath path, FarFile version) throws IOException {
        return client.ask(files -> {
            String digest = files.sha256(path.path());
            if (!files.stat(path.path()).version().equals(version.version())) {
                throw new CommandException(
                        ExitCode.FAILED, path + ": it changed while it was read. Run the same command again");
            }
            return digest;
        });
    }

    private void toOutput(FarEndClient client, FarPath path, FarFile version) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        ProgressLine progress = progress();
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            copy(client, path, version, 0, progress, (bytes, length) -> {
                digest.update(bytes, 0, length);
                try {
                    out.write(bytes, 0, length);
                } catch (IOException e) {
                    throw new CommandException(
                            ExitCode.FAILED, "standard output could not be written: " + e.getMessage(), e);
                }
            });
        }
        progress.clear();
        if (!HexFormat.of().formatHex(digest.digest()).equals(digestThere(client, path, version))) {
            throw new CommandException(
                    ExitCode.FAILED,
                    path
                            + ": what was written to standard output does not have the digest of the file there; do not use it");
        }
    }

    /** Where the bytes go. */
    private interface Sink {
        void take(byte[] bytes, int length);
    }

    private void copy(FarEndClient client, FarPath path, FarFile version, long from, ProgressLine progress, Sink sink)
            throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        long bytes = from;
        try (InputStream in = client.files().open(path.path(), version, from)) {
            int count = in.read(chunk);
            while (count >= 0) {
                sink.take(chunk, count);
                bytes += count;
                show(progress, path, bytes, version.sizeBytes());
                count = in.read(chunk);
            }
        } catch (HawserException e) {
            progress.clear();
            throw client.worded(e);
        }
    }

    private void show(ProgressLine progress, FarPath path, long bytes, long totalBytes) {
        progress.show(() -> {
            rate.add(System.nanoTime(), bytes);
            double perSecond = rate.bytesPerSecond();
            return String.format(
                    Locale.ROOT,
                    "%3d%%  %s of %s  %.1f MB/s  %s",
                    100 * bytes / Math.max(1, totalBytes),
                    ByteSize.human(bytes),
                    ByteSize.human(totalBytes),
                    perSecond / 1e6,
                    Printable.text(path.name()));
        });
    }

    private ProgressLine progress() {
        return new ProgressLine(spec.commandLine().getErr(), Terminal.showsErrors() && !quiet);
    }

    private void say(String line) {
        if (!quiet) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(Printable.text(line));
            out.flush();
        }
    }
}
