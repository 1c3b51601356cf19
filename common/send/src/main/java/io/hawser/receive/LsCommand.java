package io.hawser.receive;

import io.hawser.client.FarFile;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.observe.Json;
import io.hawser.send.ClientFlags;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser ls}: lists a directory at a far end. */
@Command(
        name = "ls",
        header = "List a directory at a far end.",
        description = {
            "Lists what the far end of a topic shows: permissions, size, time of the last change (UTC), and name. Needs the right"
                    + " 'list' on the topic, and a far end that serves its files (agent-b does so unless told otherwise)."
        },
        footer = {"", "Example:  hawser ls site-b", "          hawser ls site-b:photos/2026 --json"})
public final class LsCommand implements Subcommand {
    private static final PosixFilePermission[] BITS = PosixFilePermission.values();

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TOPIC[:PATH]", description = "what to list")
    private String place = "";

    @Option(names = "--json", description = "print one line of JSON for each entry")
    private boolean json;

    private Config config;

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
    }

    @Override
    public Integer call() throws IOException {
        FarPath path = FarPath.parse(place);
        List<FarFile> entries;
        try (FarEndClient client = FarEndClient.connect(config, path)) {
            FarFile itself = client.ask(files -> files.stat(path.path()));
            entries = itself.isDirectory()
                    ? client.ask(files -> files.list(path.path())).stream()
                            .sorted(Comparator.comparing(FarFile::name))
                            .toList()
                    : List.of(itself);
        }
        PrintWriter out = spec.commandLine().getOut();
        entries.forEach(entry -> out.println(json ? Json.line(Entry.of(entry)) : line(entry)));
        out.flush();
        return ExitCode.OK.code();
    }

    /** An entry as JSON. */
    private record Entry(String name, boolean directory, long sizeBytes, String modified, String mode) {
        static Entry of(FarFile file) {
            return new Entry(
                    file.name(),
                    file.isDirectory(),
                    file.sizeBytes(),
                    file.modified().toString(),
                    String.format(Locale.ROOT, "%04o", file.mode()));
        }
    }

    static String line(FarFile file) {
        return String.format(
                Locale.ROOT,
                "%s%s %10s  %s  %s%s",
                file.isDirectory() ? "d" : "-",
                permissions(file.mode()),
                file.isDirectory() ? "-" : ByteSize.human(file.sizeBytes()),
                file.modified().truncatedTo(ChronoUnit.SECONDS),
                Printable.text(file.name()),
                file.isDirectory() ? "/" : "");
    }

    private static String permissions(int mode) {
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < BITS.length; i++) {
            if ((mode >> (BITS.length - 1 - i) & 1) == 1) {
                set.add(BITS[i]);
            }
        }
        return PosixFilePermissions.toString(set);
    }
}
