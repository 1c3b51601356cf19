package io.hawser.it.bench;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.it.bench.links.LinksBench;
import io.hawser.it.bench.links.PaperRaces;
import io.hawser.it.bench.links.SocketsBench;
import io.hawser.it.bench.links.SweepRaces;
import io.hawser.it.bench.links.Wan;
import io.hawser.it.bench.recording.PhasesBench;
import io.hawser.it.bench.recording.ProfileBench;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.hostile.Attack;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What each bench would do with the flags of a command line. */
final class BenchPlans {
    private static final long MIB = 1 << 20;
    /** For what is small and not counted. */
    private static final long SPARE_BYTES = 1024 * MIB;
    /** For what the races over links leave behind until the end. */
    private static final long LINKS_BYTES = 10 * 1024 * MIB;

    private final Config config;
    private final long size;
    private final int runs;

    BenchPlans(Config config) {
        this.config = config;
        this.size = config.get(BenchKeys.SIZE).bytes();
        this.runs = config.get(BenchKeys.RUNS);
    }

    /**
     * What is to be measured.
     *
     * @param title what is done, as a phrase
     * @param parameters those that it has, as on a command line
     * @param neededBytes what its directory must have room for
     * @param maker makes it in a directory
     */
    record Plan(String title, Map<String, String> parameters, long neededBytes, Maker maker) {}

    /** Makes a bench that has not begun. */
    interface Maker {
        Bench in(Path directory) throws IOException;
    }

    private Plan plan(String title, long neededBytes, Maker maker, ConfigKey<?>... keys) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (ConfigKey<?> key : keys) {
            config.find(key).ifPresent(value -> parameters.put(key.flag(), text(value)));
        }
        parameters.put(BenchKeys.RUNS.flag(), Integer.toString(runs));
        return new Plan(title, parameters, neededBytes + SPARE_BYTES, maker);
    }

    private static String text(Object value) {
        if (value instanceof Enum<?> choice) {
            return choice.name().toLowerCase(Locale.ROOT);
        }
        return value instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : value.toString().replace(" ", "");
    }

    /** What is held at once: three copies of a run; the spool and the log may keep the earlier runs for a while. */
    private long ofRuns(long runBytes) {
        return 3 * runBytes * (runs + 2);
    }

    private static ProcessChain chain(Path directory) throws IOException {
        return new ProcessChain(directory).withJvmOptions(ProcessChain.Part.BROKER, NodeProcess.BROKER_OPTIONS);
    }

    private String human() {
        return ByteSize.human(size);
    }

    Plan chain() {
        return plan(
                human() + " by FTP, 1 cold and " + runs + " warm runs",
                ofRuns(size),
                directory -> new ChainBench(chain(directory), directory, size, runs),
                BenchKeys.SIZE);
    }

    Plan phases() {
        return plan(
                "where the time of " + human() + " by FTP goes, stage by stage, in " + runs
                        + " warm runs of recorded nodes",
                ofRuns(size),
                directory -> new PhasesBench(chain(directory), directory, size, runs),
                BenchKeys.SIZE);
    }

    Plan profile() {
        return plan(
                "where the nodes' processor time goes in " + runs + " warm uploads of " + human(),
                ofRuns(size),
                directory -> new ProfileBench(chain(directory), directory, size, runs),
                BenchKeys.SIZE);
    }

    Plan small() {
        int files = config.get(BenchKeys.FILES);
        int bytes = (int) config.get(BenchKeys.FILE_SIZE).bytes();
        return plan(
                files + " files of " + bytes + " bytes through the Java API, 1 cold and " + runs + " warm runs",
                ofRuns(files * (bytes + 4096L)),
                directory -> new SmallBench(chain(directory), directory, files, bytes, runs),
                BenchKeys.FILES,
                BenchKeys.FILE_SIZE);
    }

    Plan crowd() {
        int uploads = config.get(BenchKeys.UPLOADS);
        return plan(
                uploads + " uploads at once, beside one of " + human() + ", 1 cold and " + runs + " warm runs",
                2 * ofRuns(size),
                directory -> new CrowdBench(new ProcessChain(directory), uploads, size, runs),
                BenchKeys.SIZE,
                BenchKeys.UPLOADS);
    }

    Plan gridFtp() {
        return plan(
                "globus-url-copy -p 4 of " + human() + ", " + runs + " pairs after one to warm up",
                ofRuns(size),
                directory -> new GridFtpBench(chain(directory), directory, size, runs),
                BenchKeys.SIZE);
    }

    Plan recovery() {
        long live = config.get(BenchKeys.LIVE).bytes();
        int fragments = config.get(BenchKeys.FRAGMENTS);
        int transfers = config.get(BenchKeys.TRANSFERS);
        return plan(
                "a broker's start after " + runs + " kills each",
                live + (2L * fragments + transfers) * 4096L,
                directory -> new RecoveryBench(chain(directory), directory, live, fragments, transfers, runs),
                BenchKeys.LIVE,
                BenchKeys.FRAGMENTS,
                BenchKeys.TRANSFERS);
    }

    Plan fanout() {
        List<Integer> ends = config.get(BenchKeys.ENDS);
        return plan(
                human() + " by FTP to each of several far ends, 1 cold and " + runs + " warm runs",
                FanoutBench.copies(ends) * size * 2,
                directory -> new FanoutBench(directory, ends, size, runs),
                BenchKeys.SIZE,
                BenchKeys.ENDS);
    }

    Plan store() {
        return plan(
                human() + " in " + BrokerStoreBench.TRANSFERS
                        + " transfers, until acknowledged and again, 1 turn to warm up and " + runs + " by turns",
                // Three copies each, and what is forgotten goes some time later.
                10 * size,
                directory -> new BrokerStoreBench(directory, size, runs),
                BenchKeys.SIZE);
    }

    Plan ptcp() {
        Optional<Path> wan = emulator();
        int streams = config.get(BenchKeys.STREAMS);
        return plan(
                streams + " streams, " + runs + " runs by turns",
                0,
                directory -> new SocketsBench(wan, directory, streams, runs, size),
                BenchKeys.SIZE,
                BenchKeys.STREAMS,
                BenchKeys.WAN);
    }

    Plan tls() {
        Optional<Path> wan = emulator();
        return plan(
                human() + " with TLS and without, " + Math.min(2, runs) + " turns to warm up and " + runs
                        + " that count",
                3 * ofRuns(size),
                directory -> new TlsBench(directory, size, runs, wan),
                BenchKeys.SIZE,
                BenchKeys.WAN);
    }

    Plan hostile() {
        return plan(
                human() + " by FTP, alone and beside each kind of attack at the broker, " + runs + " runs by turns",
                2L * Attack.Kind.values().length * ofRuns(size),
                directory -> new HostileBench(chain(directory), directory, size, runs),
                BenchKeys.SIZE);
    }

    Plan links() {
        Path wan = neededEmulator();
        boolean peers = config.get(BenchKeys.PEERS);
        return plan(
                "files over emulated links, " + runs
                        + " runs by turns through sessions that have carried two such files",
                LINKS_BYTES,
                directory -> LinksBench.table(wan, directory, runs, peers),
                BenchKeys.WAN,
                BenchKeys.PEERS);
    }

    Plan sweep() {
        Path wan = neededEmulator();
        SweepRaces.Over over = config.get(BenchKeys.OVER);
        String points = config.find(BenchKeys.POINTS).orElse(over.points());
        boolean down = config.get(BenchKeys.DOWN);
        boolean peers = config.get(BenchKeys.PEERS);
        return plan(
                "one file over links that differ in " + over.word() + " (" + points + "), " + runs + " runs by turns",
                LINKS_BYTES,
                directory -> LinksBench.sweep(wan, directory, runs, over, points, down, peers),
                BenchKeys.WAN,
                BenchKeys.OVER,
                BenchKeys.POINTS,
                BenchKeys.DOWN,
                BenchKeys.PEERS);
    }

    Plan papers() {
        Path wan = neededEmulator();
        PaperRaces.Part part = config.get(BenchKeys.ONLY);
        return plan(
                "the tables of the papers, " + runs + " runs by turns through sessions that have carried one such file",
                LINKS_BYTES,
                directory -> LinksBench.papers(wan, directory, runs, part),
                BenchKeys.WAN,
                BenchKeys.ONLY);
    }

    /** Looked for before anything is made. */
    private Optional<Path> emulator() {
        Optional<Path> wan = config.find(BenchKeys.WAN);
        wan.flatMap(Wan::problem).ifPresent(problem -> {
            throw new CommandException(ExitCode.USAGE, problem);
        });
        return wan;
    }

    private Path neededEmulator() {
        return emulator()
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE, "this bench needs the link emulator: give its directory with --wan DIR"));
    }
}
