package io.hawser.it.bench;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.it.bench.plot.SweepPlots;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Machine;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.Subcommand;
import io.hawser.release.process.WorkDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser bench}.
 *
 * <p>Thread: main, and the shutdown hook that ends the processes on Ctrl-C.
 */
@Command(
        name = "bench",
        header = "Measure this machine, and Hawser beside other programs.",
        description = {
            "Measures this machine, and Hawser beside other programs.",
            "'chain': FTP client to delivered through three processes, all three copies durable,"
                    + " cold and warm; next to what the same disk does with three concurrent forced writers."
                    + " 'phases': the same with recorded nodes: how long each stage was at work, and which ran side by side."
                    + " 'profile': the same: what the nodes' processor time was spent on."
                    + " 'small': many small files through the Java API, first send to last receipt."
                    + " 'crowd': very many uploads at once beside one with as many bytes, and the heap of those that stand still."
                    + " 'gridftp': globus-url-copy -p 4 to agent-a and straight to a globus-gridftp-server, in pairs."
                    + " 'recovery': a broker's start after kill -9, with much live data, and with a lost index."
                    + " 'links': files over emulated long links, between network namespaces (root), through sessions"
                    + " that are there, until they are delivered; needs the emulator that --wan names."
                    + " 'sweep': one file over links that differ in --over, and 'plots': its figures as SVG."
                    + " 'papers': the tables of the papers that Hawser comes from, over such links."
                    + " 'fanout': one file to several far ends, each with a copy of its own, and what went to the broker for it."
                    + " 'store': the broker's store on this machine, the one over Kafka, and Kafka's own producer and consumer with"
                    + " the same durability; three nodes of Kafka run here for it."
                    + " 'tls': with mutual TLS between the nodes and without; GridFTP with PROT P beside a globus-gridftp-server; with --wan"
                    + " also over 1 Gbit/s."
                    + " 'ptcp': a PTCPSocket beside plain sockets and iperf3, on loopback and, with --wan, over such links."
        },
        footer = {
            "",
            "Example:  hawser bench chain --size 1GiB --runs 5 --dir /data/bench",
            "          hawser bench phases --size 1GiB --json > phases.json",
            "          hawser bench small --files 10000 --file-size 4KiB",
            "          hawser bench crowd --uploads 1000 --size 1GiB",
            "          hawser bench gridftp --runs 5",
            "          hawser bench recovery --live 10GiB --fragments 1000000",
            "          hawser bench links --wan ../wan --runs 5",
            "          hawser bench sweep --wan ../wan --over rtt --runs 1 --peers --json > docs/plots/rtt.json",
            "          hawser bench plots --from docs/plots",
            "          hawser bench papers --wan ../wan --only rtt --runs 1",
            "          hawser bench fanout --size 64MiB",
            "          hawser bench store --size 512MiB",
            "          hawser bench tls --size 256MiB --wan ../wan",
            "          hawser bench ptcp --streams 8 --wan ../wan"
        })
public final class BenchCommand implements Subcommand {
    /** What can be measured; the description says how. */
    private enum What {
        chain(BenchPlans::chain),
        phases(BenchPlans::phases),
        profile(BenchPlans::profile),
        small(BenchPlans::small),
        crowd(BenchPlans::crowd),
        gridftp(BenchPlans::gridFtp),
        recovery(BenchPlans::recovery),
        links(BenchPlans::links),
        sweep(BenchPlans::sweep),
        papers(BenchPlans::papers),
        fanout(BenchPlans::fanout),
        store(BenchPlans::store),
        tls(BenchPlans::tls),
        hostile(BenchPlans::hostile),
        ptcp(BenchPlans::ptcp),
        /** Nothing: draws what sweeps have found. */
        plots(config -> {
            throw new IllegalStateException("nothing is measured for plots");
        });

        @SuppressWarnings("ImmutableEnumChecker") // a static method
        private final Function<BenchPlans, BenchPlans.Plan> plan;

        What(Function<BenchPlans, BenchPlans.Plan> plan) {
            this.plan = plan;
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "WHAT", description = "what to measure: ${COMPLETION-CANDIDATES}")
    private What what;

    private Config config;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return BenchKeys.all();
    }

    @Override
    public void configure(Config config) {
        this.config = config;
    }

    @Override
    public Integer call() throws Exception {
        if (what == What.plots) {
            PrintWriter out = spec.commandLine().getOut();
            SweepPlots.in(config.get(BenchKeys.FROM)).forEach(file -> out.println("drawn: " + file));
            return ExitCode.OK.code();
        }
        BenchPlans.Plan plan = what.plan.apply(new BenchPlans(config));
        Path directory = WorkDirectory.prepare(config.find(BenchKeys.DIRECTORY), "hawser-bench-", plan.neededBytes());
        Bench bench = plan.maker().in(directory);
        WorkDirectory.atExit(bench::end, directory, () -> true);
        BenchReport report = new BenchReport(
                what.name(),
                plan.title(),
                plan.parameters(),
                Machine.here(directory),
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                config.get(BenchKeys.JSON));
        try {
            boolean good = bench.run(report);
            report.end(good);
            return (good ? ExitCode.OK : ExitCode.FAILED).code();
        } finally {
            bench.end();
        }
    }
}
