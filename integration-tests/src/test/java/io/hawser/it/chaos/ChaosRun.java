package io.hawser.it.chaos;

import io.hawser.common.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One run from the first start to the verdict. All that it starts it ends. Thread: one. */
final class ChaosRun implements AutoCloseable {
    private static final long DRAIN_LIMIT_SECONDS = 180;
    private static final int SHOWN = 20;

    private final Settings settings;
    private final Violations violations = new Violations();
    private final FaultCounts counts = new FaultCounts();
    private final Pulse pulse = new Pulse();
    private final Deployment deployment;
    private final Journal journal;
    private final Map<String, Publications> publications = new LinkedHashMap<>();
    private final List<FtpPublisher> ftpPublishers = new ArrayList<>();
    private final List<ApiPublisher> apiPublishers = new ArrayList<>();
    private final ResendMeter meter;
    private final Oracle oracle;

    ChaosRun(Settings settings) throws IOException {
        this.settings = settings;
        journal = new Journal(settings.journal());
        deployment = new Deployment(settings.directory());
        meter = new ResendMeter(deployment);
        oracle = new Oracle(deployment, journal, publications, violations);
    }

    ChaosReport run() throws Exception {
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            publications.put(
                    subscription,
                    new Publications(
                            subscription,
                            deployment.target(subscription),
                            List.of("ftp-0", "ftp-1", "api-0", "api-1", "api-last"),
                            journal,
                            violations,
                            pulse));
        }
        SplittableRandom random = new SplittableRandom(settings.seed());
        Downloader downloader = new Downloader(settings, journal, violations, pulse, random.split(), deployment);
        deployment.startAll();
        awaitSubscribed();
        makePublishers(random);
        List<Publisher> all = new ArrayList<>(ftpPublishers);
        all.addAll(apiPublishers);
        all.add(downloader);
        all.forEach(Publisher::start);
        meter.start();
        wreak();
        long healed = System.nanoTime();
        all.forEach(Publisher::stop);
        if (!await(() ->
                all.stream().allMatch(Publisher::isDone) && oracle.missing().isEmpty())) {
            all.stream().filter(p -> !p.isDone()).forEach(p -> violations.add("liveness", p.name + " is not done"));
            oracle.missing().stream().limit(SHOWN).forEach(what -> violations.add("liveness", what));
        }
        long drainMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed);
        meter.stop();
        restartAll();
        oracle.judge();
        ftpPublishers.forEach(p -> counts.add(Fault.CLIENT, p.name, p.killedClients()));
        checkFaults();
        return report(downloader, drainMillis);
    }

    private void awaitSubscribed() {
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            Path log = settings.directory().resolve("agent-" + subscription + ".log");
            Awaitility.await("the subscription " + subscription)
                    .atMost(30, TimeUnit.SECONDS)
                    .until(() -> Files.readString(log).contains("subscribed"));
        }
    }

    private void makePublishers(SplittableRandom random) throws IOException {
        Supplier<HostPort> ftp = () -> deployment.agentA.address("ftp");
        for (int i = 0; i < 2; i++) {
            ftpPublishers.add(
                    new FtpPublisher("ftp-" + i, settings, journal, violations, pulse, random.split(), ftp, i == 0));
            apiPublishers.add(new ApiPublisher(
                    "api-" + i, settings, journal, violations, pulse, random.split(), deployment.link("api")));
        }
    }

    private void wreak() throws Exception {
        NodeFaults nodeFaults =
                new NodeFaults(settings.seed() * 3 + 1, kinds(true), deployment, counts, violations, pulse);
        LinkFaults linkFaults = new LinkFaults(
                settings.seed() * 3 + 2,
                kinds(false),
                List.copyOf(deployment.links.values()),
                settings.length().toSeconds() >= 100,
                counts,
                violations);
        nodeFaults.start();
        linkFaults.start();
        TimeUnit.MILLISECONDS.sleep(settings.length().toMillis());
        if (!settings.faults().isEmpty()) {
            linkFaults.stop();
            nodeFaults.stop();
        }
        nodeFaults.reviveTheDead();
    }

    private List<Fault> kinds(boolean ofNode) {
        return settings.faults().stream()
                .filter(fault -> ofNode ? fault.ofNode : fault.ofLink())
                .sorted()
                .toList();
    }

    private static boolean await(BooleanSupplier condition) {
        try {
            Awaitility.await().atMost(DRAIN_LIMIT_SECONDS, TimeUnit.SECONDS).until(condition::getAsBoolean);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Once more everything dies and comes back; what a publisher then sends arrives, and nothing that had arrived before comes again. */
    private void restartAll() throws Exception {
        for (Member member : deployment.members()) {
            member.kill();
        }
        deployment.startAll();
        try (ApiPublisher last = new ApiPublisher(
                "api-last",
                settings,
                journal,
                violations,
                pulse,
                new SplittableRandom(settings.seed()),
                deployment.link("api"))) {
            last.once();
            if (!await(() -> last.isIdle() && oracle.missing().isEmpty())) {
                violations.add("liveness", "nothing goes through after the last restart");
            }
        }
    }

    private void checkFaults() {
        for (Fault fault : settings.faults()) {
            if (counts.of(fault) == 0) {
                violations.add("void", "the fault " + fault.word() + " never happened");
            }
        }
        Map<String, ResendMeter.Hop> hops = meter.hops(counts);
        for (String name : ResendMeter.expected()) {
            ResendMeter.Hop hop = hops.get(name);
            if (hop == null || hop.creditBytes() == 0) {
                violations.add("void", "nobody showed the credit of the hop of " + name);
            } else if (!hop.holds()) {
                violations.add("resent", name + ": " + hop);
            }
        }
    }

    private ChaosReport report(Downloader downloader, long drainMillis) {
        List<Journal.Expectation> paths = journal.expectations();
        int objects = paths.stream().mapToInt(Journal.Expectation::acked).sum();
        return new ChaosReport(
                System.getProperty("hawser.commit", "unknown"),
                Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.version") + ", Java " + System.getProperty("java.version"),
                settings.seed(),
                "spooled",
                settings.length().toSeconds(),
                drainMillis,
                objects,
                paths.stream().mapToInt(Journal.Expectation::attempts).sum(),
                paths.stream().mapToInt(Journal.Expectation::failures).sum(),
                journal.ackedBytes(),
                publications.values().stream().mapToLong(Publications::total).sum(),
                apiPublishers.stream().mapToLong(ApiPublisher::receipts).sum(),
                downloader.complete(),
                downloader.broken(),
                violations.count("lost"),
                violations.count("duplicated"),
                violations.count("corrupt"),
                violations.count("order"),
                3.0 / Math.max(1, objects),
                counts.all(),
                meter.hops(counts),
                pulse.readyFigures(),
                pulse.durableFigures(),
                violations.all());
    }

    /** Ends what runs, in whatever state. */
    @Override
    public void close() throws IOException {
        apiPublishers.forEach(ApiPublisher::close);
        for (Publications seen : publications.values()) {
            seen.close();
        }
        deployment.close();
        journal.close();
    }
}
