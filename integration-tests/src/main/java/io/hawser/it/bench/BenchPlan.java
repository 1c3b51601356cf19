package io.hawser.it.bench;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.it.bench.links.LinksBench;
import io.hawser.it.bench.links.Papers;
import io.hawser.it.bench.links.SocketsBench;
import io.hawser.it.bench.links.Sweep;
import io.hawser.it.bench.recording.PhasesBench;
import io.hawser.it.bench.recording.ProfileBench;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.hostile.Attack;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.Chain;
import io.hawser.release.process.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be measured.
 *
 * @param title what is done, as a phrase
 * @param parameters those that it has, as on a command line
 * @param neededBytes what its directory must have room for
 * @param maker makes it in a directory
 */
record BenchPlan(String title, Map<String, String> parameters, long neededBytes, Maker maker) {
    private static final long MIB = 1 << 20;
    /** For what is small and not counted. */
    private static final long SPARE_BYTES = 1024 * MIB;
    /** For what the races over links leave behind until the end. */
    private static final long LINKS_BYTES = 10 * 1024 * MIB;

    /** Makes a bench that has not begun. */
    interface Maker {
        Bench in(Path directory) throws IOException;
    }

    private static BenchPlan of(Config config, String title, long neededBytes, List<ConfigKey<?>> keys, Maker maker) {
        Map<String, String> parameters = new LinkedHashMap<>();
        keys.forEach(key -> config.find(key).ifPresent(value -> parameters.put(key.flag(), text(value))));
        return new BenchPlan(title, parameters, neededBytes + SPARE_BYTES, maker);
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
    private static long ofRuns(Config config, long runBytes) {
        return 3 * runBytes * (config.get(BenchKeys.RUNS) + 2);
    }

    private static Chain chain(Path directory) throws IOException {
        return new Chain(directory).withJvmOptions(Chain.Part.BROKER, NodeProcess.BROKER_OPTIONS);
    }

    static BenchPlan chain(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                ByteSize.human(size) + " by FTP, 1 cold and " + runs + " warm runs",
                ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.RUNS),
                directory -> new ChainBench(chain(directory), directory, size, runs));
    }

    static BenchPlan phases(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                "where the time of " + ByteSize.human(size) + " by FTP goes, stage by stage, in " + runs
                        + " warm runs of recorded nodes",
                ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.RUNS),
                directory -> new PhasesBench(chain(directory), directory, size, runs));
    }

    static BenchPlan profile(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                "where the nodes' processor time goes in " + runs + " warm uploads of " + ByteSize.human(size),
                ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.RUNS),
                directory -> new ProfileBench(chain(directory), directory, size, runs));
    }

    static BenchPlan small(Config config) {
        int files = config.get(BenchKeys.FILES);
        int bytes = (int) config.get(BenchKeys.FILE_SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                files + " files of " + bytes + " bytes through the Java API, 1 cold and " + runs + " warm runs",
                ofRuns(config, files * (bytes + 4096L)),
                List.of(BenchKeys.FILES, BenchKeys.FILE_SIZE, BenchKeys.RUNS),
                directory -> new SmallBench(chain(directory), directory, files, bytes, runs));
    }

    static BenchPlan crowd(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int uploads = config.get(BenchKeys.UPLOADS);
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                uploads + " uploads at once, beside one of " + ByteSize.human(size) + ", 1 cold and " + runs
                        + " warm runs",
                2 * ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.UPLOADS, BenchKeys.RUNS),
                directory -> new CrowdBench(new Chain(directory), uploads, size, runs));
    }

    static BenchPlan gridFtp(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int pairs = config.get(BenchKeys.RUNS);
        return of(
                config,
                "globus-url-copy -p 4 of " + ByteSize.human(size) + ", " + pairs + " pairs after one to warm up",
                ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.RUNS),
                directory -> new GridFtpBench(chain(directory), directory, size, pairs));
    }

    static BenchPlan recovery(Config config) {
        long live = config.get(BenchKeys.LIVE).bytes();
        int fragments = config.get(BenchKeys.FRAGMENTS);
        int transfers = config.get(BenchKeys.TRANSFERS);
        int kills = config.get(BenchKeys.RUNS);
        return of(
                config,
                "a broker's start after " + kills + " kills each",
                live + (2L * fragments + transfers) * 4096L,
                List.of(BenchKeys.LIVE, BenchKeys.FRAGMENTS, BenchKeys.TRANSFERS, BenchKeys.RUNS),
                directory -> new RecoveryBench(chain(directory), directory, live, fragments, transfers, kills));
    }

    static BenchPlan fanout(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        List<Integer> ends = config.get(BenchKeys.ENDS);
        return of(
                config,
                ByteSize.human(size) + " by FTP to each of several far ends, 1 cold and " + runs + " warm runs",
                FanoutBench.copies(ends) * size * 2,
                List.of(BenchKeys.SIZE, BenchKeys.ENDS, BenchKeys.RUNS),
                directory -> new FanoutBench(directory, ends, size, runs));
    }

    static BenchPlan store(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                ByteSize.human(size) + " in " + StoreBench.TRANSFERS
                        + " transfers, until acknowledged and again, 1 turn to warm up and " + runs + " by turns",
                // Three copies each, and what is forgotten goes some time later.
                10 * size,
                List.of(BenchKeys.SIZE, BenchKeys.RUNS),
                directory -> new StoreBench(directory, size, runs));
    }

    static BenchPlan ptcp(Config config) {
        Optional<Path> wan = config.find(BenchKeys.WAN).isPresent() ? Optional.of(emulator(config)) : Optional.empty();
        int streams = config.get(BenchKeys.STREAMS);
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                streams + " streams, " + runs + " runs by turns",
                0,
                List.of(BenchKeys.SIZE, BenchKeys.STREAMS, BenchKeys.RUNS, BenchKeys.WAN),
                directory -> new SocketsBench(
                        wan,
                        directory,
                        streams,
                        runs,
                        config.get(BenchKeys.SIZE).bytes()));
    }

    static BenchPlan tls(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        Optional<Path> wan = config.find(BenchKeys.WAN).map(directory -> emulator(config));
        return of(
                config,
                ByteSize.human(size) + " with TLS and without, " + Math.min(2, runs) + " turns to warm up and " + runs
                        + " that count",
                3 * ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.RUNS, BenchKeys.WAN),
                directory -> new TlsBench(directory, size, runs, wan));
    }

    static BenchPlan hostile(Config config) {
        long size = config.get(BenchKeys.SIZE).bytes();
        int runs = config.get(BenchKeys.RUNS);
        return of(
                config,
                ByteSize.human(size) + " by FTP, alone and beside each kind of attack at the broker, " + runs
                        + " runs by turns",
                2L * Attack.Kind.values().length * ofRuns(config, size),
                List.of(BenchKeys.SIZE, BenchKeys.RUNS),
                directory -> new HostileBench(chain(directory), directory, size, runs));
    }

    static BenchPlan links(Config config) {
        Path wan = emulator(config);
        int runs = config.get(BenchKeys.RUNS);
        boolean peers = config.get(BenchKeys.PEERS);
        return of(
                config,
                "files over emulated links, " + runs
                        + " runs by turns through sessions that have carried two such files",
                LINKS_BYTES,
                List.of(BenchKeys.WAN, BenchKeys.PEERS, BenchKeys.RUNS),
                directory -> LinksBench.table(wan, directory, runs, peers));
    }

    static BenchPlan sweep(Config config) {
        Path wan = emulator(config);
        int runs = config.get(BenchKeys.RUNS);
        Sweep.Over over = config.get(BenchKeys.OVER);
        String points = config.find(BenchKeys.POINTS).orElse(over.points());
        boolean down = config.get(BenchKeys.DOWN);
        boolean peers = config.get(BenchKeys.PEERS);
        return of(
                config,
                "one file over links that differ in " + over.word() + " (" + points + "), " + runs + " runs by turns",
                LINKS_BYTES,
                List.of(
                        BenchKeys.WAN,
                        BenchKeys.OVER,
                        BenchKeys.POINTS,
                        BenchKeys.DOWN,
                        BenchKeys.PEERS,
                        BenchKeys.RUNS),
                directory -> LinksBench.sweep(wan, directory, runs, over, points, down, peers));
    }

    static BenchPlan papers(Config config) {
        Path wan = emulator(config);
        int runs = config.get(BenchKeys.RUNS);
        Papers.Part part = config.get(BenchKeys.ONLY);
        return of(
                config,
                "the tables of the papers, " + runs + " runs by turns through sessions that have carried one such file",
                LINKS_BYTES,
                List.of(BenchKeys.WAN, BenchKeys.ONLY, BenchKeys.RUNS),
                directory -> LinksBench.papers(wan, directory, runs, part));
    }

    /** Looked for before anything is made. */
    private static Path emulator(Config config) {
        Path wan = config.find(BenchKeys.WAN)
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE, "this bench needs the link emulator: give its directory with --wan DIR"));
        LinksBench.emulatorProblem(wan).ifPresent(problem -> {
            throw new CommandException(ExitCode.USAGE, problem);
        });
        return wan;
    }
}
