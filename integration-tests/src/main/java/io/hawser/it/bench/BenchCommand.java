package io.hawser.it.bench;

import io.hawser.common.cli.ExitCode;
import io.hawser.common.cli.HawserCommand;
import io.hawser.common.config.ByteSize;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigKey;
import io.hawser.it.bench.links.LinksBench;
import io.hawser.it.bench.links.SocketsBench;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.NodeProcess;
import io.hawser.it.harness.WorkDirectory;
import io.hawser.ptcp.PtcpOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser bench}.
 *
 * <p>Thread: main, and the shutdown hook that ends the processes on Ctrl-C.
 */
@Command(
        name = "bench",
        description = {
            "Measures this machine. 'chain': FTP client to delivered through three processes, all three copies durable,"
                    + " cold and warm, by stage; next to what the same disk does with three concurrent forced writers."
                    + " 'small': many small files through the Java API, first send to last receipt."
                    + " 'gridftp': globus-url-copy -p 4 to agent-a and straight to a globus-gridftp-server, in pairs."
                    + " 'recovery': a broker's start after kill -9, with much live data, and with a lost index."
                    + " 'links': files over emulated long links, between network namespaces (root), through sessions"
                    + " that are there, until they are delivered; needs the emulator that --wan names."
                    + " 'fanout': one file to several far ends, each with a copy of its own, and what went to the broker for it."
                    + " 'ptcp': a PTCPSocket beside plain sockets and iperf3, on loopback and, with --wan, over such links."
        },
        footer = {
            "",
            "Example:  hawser bench chain --size 1GiB --runs 5 --dir /data/bench",
            "          hawser bench small --files 10000 --file-size 4KiB",
            "          hawser bench gridftp --runs 5",
            "          hawser bench recovery --live 10GiB --fragments 1000000",
            "          hawser bench links --wan ../wan --runs 5",
            "          hawser bench fanout --size 64MiB",
            "          hawser bench ptcp --streams 8 --wan ../wan"
        })
public final class BenchCommand implements HawserCommand {
    private static final long MIB = 1 << 20;

    private static final ConfigKey<ByteSize> SIZE =
            ConfigKey.size("size", "1GiB", new ByteSize(MIB), new ByteSize(1L << 40), "the size of each large file");
    private static final ConfigKey<Integer> RUNS = ConfigKey.integer("runs", 3, 1, 100, "warm runs, pairs, or kills");
    private static final ConfigKey<Path> DIRECTORY =
            ConfigKey.path("dir", "DIR", null, "where the data goes (default: a new temporary directory)");

    private static final ConfigKey<Integer> FILES =
            ConfigKey.integer("files", 10_000, 1, 1_000_000, "with 'small': how many files in each run");
    private static final ConfigKey<ByteSize> FILE_SIZE = ConfigKey.size(
            "file-size", "4KiB", new ByteSize(0), new ByteSize(16 * MIB), "with 'small': the size of each file");

    private static final ConfigKey<ByteSize> LIVE = ConfigKey.size(
            "live", "10GiB", new ByteSize(MIB), new ByteSize(1L << 40), "with 'recovery': what the broker holds");
    private static final ConfigKey<Integer> FRAGMENTS = ConfigKey.integer(
            "fragments", 1_000_000, 1, 100_000_000, "with 'recovery': fragments in the log whose index is lost");

    private static final ConfigKey<Path> WAN = ConfigKey.path(
            "wan", "DIR", null, "with 'links' and 'ptcp': where the emulator's programs are, wan and wanlink");
    private static final ConfigKey<Boolean> PEERS = ConfigKey.toggle(
            "peers",
            "with 'links': let other programs do the same by turns (globus-url-copy, curl, aria2c and rsync with their"
                    + " servers)");
    private static final ConfigKey<Boolean> JSON =
            ConfigKey.toggle("json", "with 'links' and 'ptcp': print the figures as JSON, when all are there");
    private static final ConfigKey<List<Integer>> ENDS = new ConfigKey<>(
            "ends",
            "N,N",
            "1,4,16",
            "",
            "with 'fanout': how many far ends, one number after the other",
            FanoutBench::numbers);
    private static final ConfigKey<Integer> STREAMS = ConfigKey.integer(
            "streams", 4, 1, PtcpOptions.MAX_STREAMS, "with 'ptcp': data channels, and as many plain connections");

    /** What can be measured. */
    private enum What {
        /** One large file at a time by FTP. */
        chain,
        /** Many small files through the Java API. */
        small,
        /** One large file at a time by GridFTP, next to a Globus server. */
        gridftp,
        /** Starts of a broker after its death. */
        recovery,
        /** Files over emulated long links. */
        links,
        /** One file to many far ends. */
        fanout,
        /** Sockets of this library and others. */
        ptcp
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "WHAT", description = "what to measure: ${COMPLETION-CANDIDATES}")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private What what;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(SIZE, FILES, FILE_SIZE, LIVE, FRAGMENTS, WAN, PEERS, ENDS, STREAMS, JSON, RUNS, DIRECTORY);
    }

    @Override
    public void configure(Config config) {
        this.config = config;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        int runs = config.get(RUNS);
        if (what == What.links) {
            return links(emulator(), runs, out);
        }
        if (what == What.ptcp) {
            return sockets(config.find(WAN).isPresent() ? Optional.of(emulator()) : Optional.empty(), runs, out);
        }
        Path directory = WorkDirectory.prepare(config.find(DIRECTORY), "hawser-bench-", neededBytes(runs));
        if (what == What.fanout) {
            return fanout(directory, runs, out);
        }
        try (Chain chain = new Chain(directory).withJvmOptions(Chain.Part.BROKER, NodeProcess.BROKER_OPTIONS)) {
            atExit(chain::end, directory);
            boolean good =
                    switch (what) {
                        case chain -> chain(chain, directory, runs, out);
                        case small -> small(chain, directory, runs, out);
                        case gridftp -> gridFtp(chain, directory, runs, out);
                        case recovery -> recovery(chain, directory, runs, out);
                        case links, ptcp, fanout -> throw new IllegalStateException(what + " has processes of its own");
                    };
            return (good ? ExitCode.OK : ExitCode.FAILED).code();
        }
    }

    /** Whatever ends this program. */
    private static void atExit(Runnable end, Path directory) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            end.run();
                            WorkDirectory.delete(directory);
                        },
                        "bench-end"));
    }

    /** What is held at once: three copies of a run; the spool and the log may keep the earlier runs for a while. */
    private long neededBytes(int runs) {
        if (what == What.fanout) {
            return FanoutBench.copies(config.get(ENDS)) * config.get(SIZE).bytes() * 2 + 1024 * MIB;
        }
        long runBytes =
                switch (what) {
                    case small -> config.get(FILES) * (config.get(FILE_SIZE).bytes() + 4096);
                    case chain, gridftp -> config.get(SIZE).bytes();
                    case recovery, links, ptcp, fanout -> 0;
                };
        long live = what == What.recovery ? config.get(LIVE).bytes() + config.get(FRAGMENTS) * 4096L : 0;
        return 3 * runBytes * (runs + 2) + live + 1024 * MIB;
    }

    /** Looked for before anything is made. */
    private Path emulator() {
        Path wan = config.find(WAN)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "bench links needs the link emulator: give its directory with --wan DIR"));
        LinksBench.emulatorProblem(wan).ifPresent(problem -> {
            throw new ParameterException(spec.commandLine(), problem);
        });
        return wan;
    }

    private int links(Path wan, int runs, PrintWriter out) throws Exception {
        Path directory = WorkDirectory.prepare(config.find(DIRECTORY), "hawser-bench-", neededBytes(runs));
        LinksBench bench = new LinksBench(wan, directory, runs, config.get(PEERS), out);
        atExit(bench::end, directory);
        bench.run(config.get(JSON));
        return ExitCode.OK.code();
    }

    private int sockets(Optional<Path> wan, int runs, PrintWriter out) throws Exception {
        Path directory = WorkDirectory.prepare(config.find(DIRECTORY), "hawser-bench-", neededBytes(runs));
        SocketsBench bench = new SocketsBench(
                wan, directory, config.get(STREAMS), runs, config.get(SIZE).bytes(), out);
        atExit(bench::end, directory);
        bench.run(config.get(JSON));
        return ExitCode.OK.code();
    }

    private int fanout(Path directory, int runs, PrintWriter out) throws Exception {
        long sizeBytes = config.get(SIZE).bytes();
        out.println("bench fanout: " + ByteSize.human(sizeBytes) + " by FTP to each of several far ends, 1 cold and "
                + runs + " warm runs, " + Runtime.getRuntime().availableProcessors() + " processors, in " + directory);
        FanoutBench bench = new FanoutBench(directory, config.get(ENDS), sizeBytes, runs, out);
        atExit(bench::end, directory);
        return (bench.run() ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private boolean chain(Chain chain, Path directory, int runs, PrintWriter out) throws Exception {
        long sizeBytes = config.get(SIZE).bytes();
        out.println(ChainBench.title(sizeBytes, runs, directory));
        return new ChainBench(chain, directory, sizeBytes, runs, out).run();
    }

    private boolean small(Chain chain, Path directory, int runs, PrintWriter out) throws Exception {
        int files = config.get(FILES);
        int fileBytes = (int) config.get(FILE_SIZE).bytes();
        out.println(SmallBench.title(files, fileBytes, runs, directory));
        return new SmallBench(chain, directory, files, fileBytes, runs, out).run();
    }

    private boolean gridFtp(Chain chain, Path directory, int pairs, PrintWriter out) throws Exception {
        long sizeBytes = config.get(SIZE).bytes();
        out.println("bench gridftp: globus-url-copy -p 4 of " + ByteSize.human(sizeBytes) + ", " + pairs
                + " pairs after one to warm up, in " + directory);
        GridFtpBench bench = new GridFtpBench(chain, directory, sizeBytes, pairs, out);
        Runtime.getRuntime().addShutdownHook(new Thread(bench::end, "bench-server-end"));
        return bench.run();
    }

    private boolean recovery(Chain chain, Path directory, int kills, PrintWriter out) throws Exception {
        out.println("bench recovery: " + kills + " kills each, in " + directory);
        new RecoveryBench(chain, directory, out).run(config.get(LIVE).bytes(), config.get(FRAGMENTS), kills);
        return true;
    }
}
