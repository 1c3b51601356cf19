package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.ops.observe.Json;
import io.hawser.store.check.DirectoryCheck;
import io.hawser.store.storage.DiskStorage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser fsck}: looks at the data directories of nodes that do not run. */
@Command(
        name = "fsck",
        header = "Check the data directory of a stopped node.",
        description = {
            "Checks the data directory of a node that does not run: a broker's, the spool of agent-a or of a program, or"
                    + " agent-b's, with its landing area. Which one it is shows by itself; for a directory that holds"
                    + " several (what 'hawser up' makes, or what agent-b delivers into) all of them are checked.",
            "Nothing is changed, but for --repair-index. Each finding is one line: what, where, what it means, what to do.",
            "Exit code 0: no damage (notes are harmless); 1: damage was found; 2: DIR is no data directory;"
                    + " 6: a node runs in it."
        },
        footer = {
            "",
            "Example:  hawser fsck /var/lib/hawser/broker",
            "          hawser fsck /var/lib/hawser/broker --repair-index",
            "          hawser fsck /data/received --json      # where agent-b delivers to"
        })
public final class FsckCommand implements Subcommand {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "the data directory")
    private Path directory;

    @Option(
            names = "--quick",
            description =
                    "leave out payloads, digests and the rows of the index: a look at names, headers and journals")
    private boolean quick;

    @Option(
            names = "--repair-index",
            description = "first make the broker's index again from its log; the old one is kept as index.mv.db.bad")
    private boolean repairIndex;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "where the broker's index is made a second time to compare it, about as large as it is"
                    + " (default: ${DEFAULT-VALUE})")
    private Path scratch;

    @Option(names = "--json", description = "print one JSON object at the end instead of lines")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        FsckReport report =
                new FsckReport(json, out, new ProgressLine(spec.commandLine().getErr(), Terminal.showsErrors()));
        List<DirectoryCheck> checks = new ArrayList<>();
        ServiceLoader.load(DirectoryCheck.class).forEach(checks::add);
        FsckRun run = new FsckRun(new DiskStorage(), checks, report, quick, scratch);
        int checked = run.run(directory, repairIndex);
        if (checked == 0) {
            throw new CommandException(
                    ExitCode.USAGE,
                    directory + " is no data directory of Hawser, nor does it hold one; see hawser fsck --help");
        }
        if (json) {
            out.println(Json.text(report.summary()));
        } else {
            FsckReport.Summary sums = report.summary();
            out.println(checked + (checked == 1 ? " directory" : " directories") + " checked, "
                    + ByteSize.human(sums.readBytes()) + " read: " + damageText(sums) + ", " + noteText(sums) + ".");
        }
        out.flush();
        return report.summary().damages() == 0 ? ExitCode.OK.code() : ExitCode.FAILED.code();
    }

    private static String damageText(FsckReport.Summary sums) {
        return sums.damages() == 0
                ? "no damage"
                : sums.damages() + " damaged (" + ByteSize.human(sums.damagedBytes()) + ")";
    }

    private static String noteText(FsckReport.Summary sums) {
        return sums.notes() == 0
                ? "no notes"
                : sums.notes() + (sums.notes() == 1 ? " note (" : " notes (") + ByteSize.human(sums.notedBytes()) + ")";
    }
}
