package io.hawser.it.chaos;

import io.hawser.it.harness.CloseAtExit;
import io.hawser.it.ledger.Verdict;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ops.cli.Errors;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs chaos, in one or several rounds, each with a deployment of its own. Exit code 0 only if all holds. Thread: one. */
@Command(
        description =
                "Starts a broker (or two over a Kafka), an agent-a and two agent-b, lets publishers work while faults happen, and compares what was"
                        + " acknowledged with what arrived. Exit code 0: all holds, in all runs of the journal; 1: something"
                        + " does not; 2: usage, nothing was begun; 3: void.")
class RunCommand implements Callable<Integer> {
    private static final long GRACE_SECONDS =
            TestTimes.scaled(Duration.ofMinutes(15)).toSeconds();

    @Option(names = "--minutes", description = "how long faults happen, in all rounds together; fractions are allowed")
    private double minutes = 2.5;

    @Option(names = "--rounds", description = "in so many runs, each from the beginning (default: ${DEFAULT-VALUE})")
    private int rounds = 1;

    @Option(
            names = "--seed",
            description = "what decides the faults and the work of the first run; the next has the next number")
    private long seed = System.currentTimeMillis() % 1_000_000;

    @Option(
            names = "--faults",
            split = ",",
            description =
                    "some of kill, stop, index, damage, twin, kafka, both, cut, blackhole, reset, throttle, stale, disk, clock, client,"
                            + " program (default: all that can be done here; disk needs root, clock a C compiler, kafka and both --store kafka)")
    private String[] faults = {};

    @Option(
            names = "--dir",
            description = "for the nodes' data, which is kept if not all holds (default: a temporary directory)")
    private @Nullable Path directory;

    @Option(
            names = "--journal",
            description =
                    "a directory for the runs' ledgers and their reports, best on another file system (default: in"
                            + " /dev/shm)")
    private @Nullable Path journal;

    @Option(names = "--resume", description = "adds to the runs of this commit that are in the journal's directory")
    private boolean resume;

    @Option(
            names = "--pace",
            description = "mean pause between two objects of one publisher, in ms (default: ${DEFAULT-VALUE})")
    private int pace = 150;

    @Option(
            names = "--fault-every",
            description =
                    "mean time between the beginnings of two faults of one of the six lanes, in ms (default: ${DEFAULT-VALUE})")
    private int faultPause = 3000;

    @Option(
            names = "--streams",
            description = "what agents and the API are told to use: a number, or auto (default: ${DEFAULT-VALUE})")
    private String streams = String.valueOf(AgentFlags.STREAMS.defaultText());

    @Option(
            names = "--store",
            paramLabel = "KIND",
            description =
                    "local: one broker with its own log; kafka: two brokers over three nodes of Kafka, which are started here"
                            + " (default: ${DEFAULT-VALUE})")
    private String store = Settings.Store.LOCAL.name().toLowerCase(Locale.ROOT);

    @Option(
            names = "--wan",
            paramLabel = "DIR",
            description =
                    "puts the broker at the far end of an emulated link; DIR has the emulator's programs wan and wanlink (root only)")
    private @Nullable Path wan; // integration-tests/lab chaos has done it when this starts

    @Option(
            names = "--link",
            description =
                    "with --wan: what the emulator is told of the link (default: --rtt 80ms --rate 200mbit --loss 0.1%%)")
    private @Nullable String link; // see above

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        checkNumbers();
        if ((wan != null || link != null) && Site.links().isEmpty()) {
            throw usage("--wan needs integration-tests/lab chaos, which makes the link; --link goes with --wan");
        }
        Settings.Store keeping = checkedStore();
        String checked = checkedStreams();
        Map<String, String> skipped = new TreeMap<>(
                Site.links().isEmpty()
                        ? Map.of("delay", "links have no emulated delay and loss; see --wan")
                        : Map.of());
        Set<Fault> chosen = chosen(keeping, skipped);
        Path data = data();
        RunJournal runs = journal(data);
        int begun = runs.begun();
        for (int i = begun; i < begun + rounds; i++) {
            round(i, data.resolve("run-" + i), runs, chosen, skipped, checked, keeping);
        }
        return runs.publish();
    }

    private ParameterException usage(String what) {
        return Verdict.usage(spec, what);
    }

    private void checkNumbers() {
        if (!(minutes > 0) || rounds < 1 || pace < 1 || faultPause < 1) {
            throw usage("--minutes is more than 0, --rounds, --pace and --fault-every are 1 or more");
        }
    }

    private String checkedStreams() {
        try {
            int count = AgentFlags.STREAMS.parser().apply(streams);
            return count == 0 ? "auto" : Integer.toString(count);
        } catch (IllegalArgumentException e) {
            throw usage("--streams: " + Errors.sentence(e));
        }
    }

    private Settings.Store checkedStore() {
        for (Settings.Store known : Settings.Store.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(store)) {
                if (known == Settings.Store.KAFKA && !Site.links().isEmpty()) {
                    throw usage("--wan goes with --store local");
                }
                return known;
            }
        }
        throw usage("--store: '" + store + "' is not one of local, kafka");
    }

    private Path data() {
        try {
            return directory == null ? Files.createTempDirectory("hawser-chaos") : Files.createDirectories(directory);
        } catch (IOException e) {
            throw Verdict.usage(spec, "--dir", e);
        }
    }

    private RunJournal journal(Path data) {
        Path memory = Path.of("/dev/shm");
        try {
            Path reports = journal != null
                    ? journal
                    : Files.createTempDirectory(Files.isDirectory(memory) ? memory : data, "hawser-chaos");
            RunJournal runs = new RunJournal(reports);
            runs.checkWritable();
            if (runs.begun() > 0 && !resume) {
                throw usage("--journal: " + reports + " has runs already; --resume adds to them");
            }
            String commit = System.getProperty("hawser.commit", "unknown");
            if (runs.reports().stream().anyMatch(report -> !report.commit().equals(commit))) {
                throw usage("--journal: " + reports + " has runs of another commit than " + commit);
            }
            return runs;
        } catch (IOException e) {
            throw Verdict.usage(spec, "--journal", e);
        }
    }

    private void round(
            int number,
            Path data,
            RunJournal runs,
            Set<Fault> chosen,
            Map<String, String> skipped,
            String checked,
            Settings.Store keeping)
            throws Exception {
        Duration length = Duration.ofMillis((long) (minutes * 60_000 / rounds));
        Settings settings = new Settings(
                length,
                Settings.Least.ANY,
                seed + number,
                chosen,
                data,
                runs.ledger(number),
                pace,
                faultPause,
                checked,
                keeping);
        System.err.println("chaos: run " + number + ", seed " + settings.seed() + ", streams " + checked + ", data in "
                + data + ", ledger " + settings.ledger() + ", not done: " + skipped);
        ChaosRun run = new ChaosRun(settings, skipped);
        Thread watchdog = watchdog(length.toSeconds() + GRACE_SECONDS);
        ChaosReport report = CloseAtExit.run(run, run::run);
        watchdog.interrupt();
        runs.ended(report);
        if (rounds > 1) {
            System.err.print(report.text());
        }
        if (report.holds()) {
            WorkDirectory.delete(data);
        }
    }

    /** Whatever hangs, the run does not. */
    private static Thread watchdog(long limitSeconds) {
        Thread thread = new Thread(
                () -> {
                    try {
                        TimeUnit.SECONDS.sleep(limitSeconds);
                    } catch (InterruptedException e) {
                        return; // it ended in time
                    }
                    System.err.println("chaos: void: the harness hangs; its threads are");
                    Thread.getAllStackTraces()
                            .forEach((who, where) -> System.err.println(who + " " + Arrays.toString(where)));
                    Runtime.getRuntime().exit(Verdict.VOID);
                },
                "watchdog");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private Set<Fault> chosen(Settings.Store keeping, Map<String, String> skipped) {
        Set<Fault> chosen = EnumSet.noneOf(Fault.class);
        if (faults.length == 0) {
            return possible(keeping, EnumSet.allOf(Fault.class), skipped);
        }
        for (String word : faults) {
            chosen.add(Fault.of(word)
                    .orElseThrow(() -> usage("--faults: '" + word + "' is not one of "
                            + Arrays.stream(Fault.values()).map(Fault::word).collect(Collectors.joining(", ")))));
        }
        Map<String, String> impossible = new TreeMap<>();
        possible(keeping, chosen, impossible);
        if (!impossible.isEmpty()) {
            throw usage("--faults: cannot be done here: " + impossible);
        }
        return chosen;
    }

    /** Those that can be done to this store on this machine; the others, with the reason, go to {@code skipped}. */
    static Set<Fault> possible(Settings.Store keeping, Set<Fault> wanted, Map<String, String> skipped) {
        String noKafka = keeping == Settings.Store.KAFKA ? "" : "there is no Kafka; see --store";
        Map<Fault, String> problems = Map.of(
                Fault.DISK,
                SmallDisk.problem(),
                Fault.CLOCK,
                NodeClock.problem(),
                Fault.KAFKA,
                noKafka,
                Fault.BOTH,
                noKafka);
        Set<Fault> possible = EnumSet.noneOf(Fault.class);
        for (Fault fault : wanted) {
            String problem = problems.getOrDefault(fault, "");
            if (problem.isEmpty()) {
                possible.add(fault);
            } else {
                skipped.put(fault.word(), problem);
            }
        }
        return possible;
    }
}
