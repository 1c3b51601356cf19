package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One run from the first start to the verdict. All that it starts it ends. Thread: one. */
final class ChaosRun implements Closeable {
    private static final Duration DRAIN_LIMIT = TestTimes.scaled(Duration.ofMinutes(5));
    private static final Duration START_LIMIT = TestTimes.scaled(Duration.ofMinutes(2));
    private static final int SHOWN = 20;
    private static final long CLOSE_LIMIT_MILLIS =
            TestTimes.scaled(Duration.ofSeconds(15)).toMillis();
    private static final long LOOK_MILLIS = 200;
    private static final long TOLD_EVERY_SECONDS = 30;
    /** The publishers, each with a directory of its name. */
    private static final List<String> NAMES =
            List.of("ftp-0", "ftp-1", "ftp-2", "ftp-3", "api-0", "api-1", "api-last", "app-0");

    private final Settings settings;
    private final Violations violations = new Violations();
    private final FaultCounts counts = new FaultCounts();
    private final Pulse pulse = new Pulse();
    private final Deployment deployment;
    private final Ledger ledger;
    private final Map<String, Publications> publications = new LinkedHashMap<>();
    private final List<FtpPublisher> ftpPublishers = new ArrayList<>();
    private final List<Publisher> publishers = new ArrayList<>();
    private final Map<String, String> skipped;
    private final List<ApiPublisher> apiPublishers = new ArrayList<>();
    private final ResendMeter meter;
    private final Oracle oracle;
    private final RunParts parts;
    private final EventCheck events;
    /** How long faults happened. */
    private long wreakedSeconds;

    ChaosRun(Settings settings, Map<String, String> skipped) throws IOException {
        this.settings = settings;
        this.skipped = skipped;
        Files.createDirectories(settings.directory());
        ledger = new Ledger(settings.ledger());
        deployment = new Deployment(settings.directory(), settings.faults(), settings.streams(), settings.store());
        parts = new RunParts(settings, deployment, ledger, violations, counts, pulse);
        meter = new ResendMeter(deployment, violations);
        oracle = new Oracle(deployment, ledger, publications, violations);
        events = new EventCheck(parts, publications);
    }

    ChaosReport run() throws Exception {
        Map<String, Boolean> controls = Controls.run(settings.directory().resolve("controls"));
        controls.forEach((name, good) -> {
            if (!good) {
                violations.add(Violations.VOID, "the oracle does not call by its name what was planted: " + name);
            }
        });
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            publications.put(
                    subscription,
                    new Publications(subscription, deployment.target(subscription), NAMES, ledger, violations, pulse));
        }
        SplittableRandom random = new SplittableRandom(settings.seed());
        Downloader downloader = new Downloader(parts, random.split());
        deployment.startAll();
        awaitSubscribed();
        makePublishers(random);
        publishers.add(downloader);
        publishers.forEach(Publisher::start);
        meter.start();
        long began = System.nanoTime();
        wreak();
        wreakedSeconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        long drainMillis = becomeQuiet();
        meter.stop();
        restartAll();
        oracle.judge();
        events.run();
        ftpPublishers.forEach(p -> counts.add(Fault.CLIENT, p.name, p.killedClients()));
        for (Member member : deployment.members()) {
            for (int i = 0; i < member.slowStarts(); i++) {
                pulse.note(member.name() + " was not ready within " + NodeProcess.START_LIMIT.toSeconds() + " s");
            }
        }
        checkFaults();
        return report(downloader, drainMillis, controls);
    }

    /** Waits until all is done that was begun; says what is open if that takes too long. */
    private long becomeQuiet() {
        long healed = System.nanoTime();
        publishers.forEach(Publisher::stop);
        if (!await(() -> publishers.stream().allMatch(Publisher::isDone)
                && oracle.missing().isEmpty())) {
            tellWhatIsOpen("nothing more than this after the last fault");
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed);
    }

    private void tellWhatIsOpen(String what) {
        oracle.missing().stream().limit(SHOWN).forEach(missing -> violations.add("liveness", missing));
        OpenWork.of(deployment, publishers).forEach(open -> violations.add("liveness", what + ": " + open));
    }

    private void awaitSubscribed() {
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            Path log = settings.directory().resolve("agent-" + subscription + ".log");
            Awaitility.await("the subscription " + subscription)
                    .atMost(START_LIMIT)
                    .until(() -> Files.readString(log).contains("subscribed"));
        }
    }

    private void makePublishers(SplittableRandom random) throws IOException {
        for (FtpTool tool : FtpTool.values()) {
            ftpPublishers.add(new FtpPublisher(
                    "ftp-" + ftpPublishers.size(), parts, random.split(), tool.isInstalled() ? tool : FtpTool.PACED));
        }
        for (int i = 0; i < 2; i++) {
            apiPublishers.add(new ApiPublisher("api-" + i, parts, random.split(), deployment.link("api")));
        }
        publishers.addAll(ftpPublishers);
        publishers.addAll(apiPublishers);
        publishers.add(new ProgramPublisher("app-0", parts, random.split(), deployment.link("app")));
    }

    private void wreak() throws Exception {
        long seed = settings.seed() * 6;
        List<FaultLane> lanes = new ArrayList<>();
        if (settings.store() == Settings.Store.KAFKA) {
            lanes.add(new ClusterFaults(parts, seed + 2));
        }
        for (Member member : deployment.singles()) {
            lanes.add(new NodeFaults(parts, seed + 2 + lanes.size(), member));
        }
        lanes.add(new LinkFaults(parts, seed));
        lanes.add(new MachineFaults(parts, seed + 1));
        lanes.forEach(FaultLane::start);
        long end = System.nanoTime() + settings.length().toNanos();
        long told = System.nanoTime();
        long last = end + settings.least().patience().toNanos();
        while (System.nanoTime() < end || (System.nanoTime() < last && !isEnough())) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            if (System.nanoTime() - told > TimeUnit.SECONDS.toNanos(TOLD_EVERY_SECONDS)) {
                told = System.nanoTime();
                System.err.println(
                        "chaos: " + TimeUnit.NANOSECONDS.toSeconds(end - told) + " s left, " + counts.of(Fault.KILL)
                                + " kills, "
                                + publications.values().stream()
                                        .mapToLong(Publications::total)
                                        .sum() + " publications, "
                                + oracle.missing().size() + " on their way");
            }
        }
        lanes.forEach(FaultLane::stop);
        for (FaultLane lane : lanes) {
            lane.join();
        }
        for (FaultLane lane : lanes) {
            lane.reviveTheDead();
        }
    }

    private boolean isEnough() {
        return counts.of(Fault.KILL) >= settings.least().kills()
                && ledger.acks() >= settings.least().objects();
    }

    private static boolean await(BooleanSupplier condition) {
        try {
            Awaitility.await().atMost(DRAIN_LIMIT).until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Once more everything dies and comes back; what a publisher then sends arrives, and nothing that had arrived before comes again. */
    private void restartAll() throws Exception {
        Set<String> toldBefore = Set.copyOf(oracle.missing());
        deployment.killAll();
        deployment.startAll();
        ApiPublisher last =
                new ApiPublisher("api-last", parts, new SplittableRandom(settings.seed()), deployment.link("api"));
        apiPublishers.add(last);
        last.once();
        if (!await(() -> last.isIdle() && toldBefore.containsAll(oracle.missing()))) {
            publishers.add(last);
            tellWhatIsOpen("nothing goes through after the last restart");
        }
    }

    private void checkFaults() {
        if (ledger.acks() == 0) {
            violations.add(Violations.VOID, "nothing was acknowledged");
        }
        for (Fault fault : settings.faults()) {
            if (counts.of(fault) == 0) {
                violations.add(Violations.VOID, "the fault " + fault.word() + " never happened");
            }
        }
        Map<String, ResendMeter.Hop> hops = meter.hops(counts);
        for (String name : ResendMeter.expected()) {
            ResendMeter.Hop hop = hops.get(name);
            if (hop == null || hop.creditBytes() == 0) {
                violations.add(Violations.VOID, "nobody showed the credit of the hop of " + name);
            } else if (!hop.holds()) {
                violations.add("resent", name + ": " + hop);
            }
        }
    }

    private static String type(Path path) {
        try {
            return Files.getFileStore(path).type();
        } catch (IOException e) {
            return "unknown";
        }
    }

    private ChaosReport report(Downloader downloader, long drainMillis, Map<String, Boolean> controls) {
        Map<ChaosReport.Count, Long> sums = new EnumMap<>(ChaosReport.Count.class);
        sums.put(ChaosReport.Count.SECONDS, wreakedSeconds);
        sums.put(ChaosReport.Count.OBJECTS, (long) ledger.acks());
        sums.put(ChaosReport.Count.ATTEMPTS, (long) ledger.attempts());
        sums.put(ChaosReport.Count.UNANSWERED, (long) ledger.failures());
        sums.put(ChaosReport.Count.BYTES, ledger.ackedBytes());
        sums.put(
                ChaosReport.Count.PUBLICATIONS,
                publications.values().stream().mapToLong(Publications::total).sum());
        sums.put(
                ChaosReport.Count.RECEIPTS,
                apiPublishers.stream().mapToLong(ApiPublisher::receipts).sum());
        sums.put(ChaosReport.Count.DOWNLOADS, (long) downloader.complete());
        sums.put(ChaosReport.Count.DOWNLOADS_BROKEN, (long) downloader.broken());
        sums.put(ChaosReport.Count.HISTORY_ROWS, events.rows());
        sums.put(ChaosReport.Count.EVENTS, events.events());
        sums.put(ChaosReport.Count.EVENTS_REPEATED, events.repeated());
        return new ChaosReport(
                System.getProperty("hawser.commit", "unknown"),
                Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.version") + ", Java " + System.getProperty("java.version")
                        + (Site.links().isEmpty() ? "" : ", broker behind a link of " + Site.links()),
                "nodes on " + type(deployment.home(deployment.serving().name()))
                        + (settings.faults().contains(Fault.DISK) ? " on loop devices" : "") + ", ledger on "
                        + type(settings.ledger()),
                settings.store() == Settings.Store.KAFKA
                        ? "two brokers over three nodes of Kafka"
                        : "a broker with its own log",
                List.of(settings.seed()),
                "spooled",
                drainMillis,
                sums,
                counts.all(),
                skipped,
                meter.hops(counts),
                pulse.readyFigures(),
                pulse.durableFigures(),
                pulse.notes(),
                controls,
                violations.all());
    }

    /** Ends what runs, in whatever state. */
    @Override
    public void close() throws IOException {
        for (Publisher publisher : publishers) {
            if (publisher instanceof ProgramPublisher program) {
                program.close();
            }
        }
        apiPublishers.forEach(ChaosRun::close);
        for (Publications seen : publications.values()) {
            seen.close();
        }
        deployment.close();
    }

    /** A client that does not end is left behind. */
    private static void close(ApiPublisher publisher) {
        Thread closing = new Thread(publisher::close, "closing-" + publisher.name);
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE_LIMIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
