package io.hawser.release.drill;

import io.hawser.ops.cli.ProgressLine;
import io.hawser.ops.cli.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One drill, from the first canary to the verdict.
 *
 * <p>Thread: main only.
 */
final class Drill {
    private static final long INTERRUPTED_LIMIT_MILLIS = 10_000;
    private static final long SETTLE_MILLIS = 1000;

    private final DrillSettings settings;
    private final DrillTarget deployment;
    private final Path state;
    private final StopSignal stop;
    private final Consumer<String> out;
    private final ProgressLine progress;
    private final DrillViolations violations = new DrillViolations();
    private final CanaryGenerator names;
    private final List<Sender> senders = new ArrayList<>();
    private final long startNanos = System.nanoTime();
    private final FaultLog faults = new FaultLog(startNanos);
    private final CanaryLedger ledger = new CanaryLedger(faults, violations, startNanos);
    private final ResendWatch watch;
    private @Nullable Long duplicated;

    /**
     * @param state where the API's journal is kept
     * @param out takes lines for the user
     */
    Drill(
            DrillSettings settings,
            DrillTarget deployment,
            CanaryGenerator names,
            Path state,
            StopSignal stop,
            Consumer<String> out,
            ProgressLine progress) {
        this.settings = settings;
        this.deployment = deployment;
        this.names = names;
        this.state = state;
        this.stop = stop;
        this.out = out;
        this.progress = progress;
        watch = new ResendWatch(deployment, names.prefix());
        stop.onWait(() -> progress.show(() -> DrillText.progress(millis(), ledger, faults)));
    }

    /** Drills a deployment that has been started. */
    DrillReport run() throws IOException, InterruptedException {
        FarEnd farEnd = deployment.farEnd();
        try (CanaryRemover removal = deployment.removal()) {
            CanaryCollector verifier = new CanaryCollector(ledger, farEnd, removal);
            try {
                verifier.start();
                watch.start();
                sendAndFault();
            } finally {
                senders.forEach(Sender::stop);
                verifier.stopAndWait();
                watch.stopAndWait();
            }
            cleanUp(farEnd, removal);
        } finally {
            farEnd.close();
            senders.forEach(Sender::close);
        }
        judgeResends();
        if (!stop.isRequested()) {
            deployment.end().forEach(violations::add);
        }
        progress.clear();
        return report();
    }

    private void startSenders() throws IOException {
        Sender.Terms terms =
                new Sender.Terms(ledger, names, violations, settings.canaries().gap(), settings.canariesEach());
        deployment.ftp().ifPresent(account -> senders.add(new FtpSender(account, !settings.isCheck(), terms)));
        if (deployment.api().isPresent()) {
            senders.add(new ApiSender(deployment.api().get(), state, terms));
        }
        senders.forEach(Sender::start);
    }

    private void sendAndFault() throws IOException, InterruptedException {
        startSenders();
        if (settings.isCheck()) {
            long limitMillis = settings.length().orElse(settings.patience()).toMillis();
            boolean unused = stop.await(limitMillis, () -> senders.stream().allMatch(Sender::isDone));
            settle();
            return;
        }
        FaultDriver driver = new FaultDriver(
                settings, deployment.victims(), new Evidence(faults, ledger, watch, violations), stop, this::show);
        driver.run();
        settle();
        driver.close();
    }

    private void show(DrillReport.FaultLine line) {
        progress.clear();
        if (line.number() == 1) {
            out.accept(DrillText.faultHead());
        }
        out.accept(DrillText.fault(line));
    }

    /** Waits until every promised canary has arrived. */
    private void settle() throws InterruptedException {
        senders.forEach(Sender::stop);
        boolean all = stop.await(
                settings.patience().toMillis(),
                () -> senders.stream().allMatch(Sender::isDone) && ledger.awaited() == 0);
        if (all || stop.isRequested()) {
            return;
        }
        for (Sender sender : senders) {
            if (!sender.lastProblem().isEmpty()) {
                violations.add("nothing could be handed over by FTP at the end: " + sender.lastProblem());
            }
        }
        ledger.giveUp(
                "was not there " + settings.patience().toSeconds() + " s after the last fault or canary",
                System.nanoTime());
    }

    /** Removes the canaries that are left, and looks for duplicates. */
    private void cleanUp(FarEnd farEnd, CanaryRemover removal) throws InterruptedException {
        if (settings.keep()) {
            return;
        }
        Set<String> left = new HashSet<>(ledger.corruptNames());
        left.addAll(ledger.lostNames());
        ledger.names().forEach(removal::remove);
        ledger.lostNames().forEach(removal::remove); // one may only be late
        // Also after Ctrl-C, but not for as long.
        StopSignal wait = new StopSignal();
        long limit = stop.isRequested()
                ? INTERRUPTED_LIMIT_MILLIS
                : settings.patience().toMillis();
        boolean removed = wait.await(limit, () -> removal.waiting() == 0);
        if (!removed) {
            violations.add(
                    removal.waiting() + " canaries could not be removed yet; their names begin with " + names.prefix());
        }
        removal.failures().forEach(violations::add);
        if (!stop.isRequested() && removed && removal.failures().isEmpty()) {
            stop.sleep(SETTLE_MILLIS);
            lookForDuplicates(farEnd, left, removal);
        }
    }

    private void lookForDuplicates(FarEnd farEnd, Set<String> left, CanaryRemover removal) throws InterruptedException {
        Set<String> there = new HashSet<>();
        boolean listed = stop.await(settings.patience().toMillis(), () -> addNames(farEnd, there));
        if (!listed) {
            violations.add("the far end could not be listed at the end: duplicates are not known");
            return;
        }
        there.removeAll(left);
        duplicated = (long) there.size();
        for (String name : there) {
            violations.add(name + " came again after it had been taken away");
            removal.remove(name);
        }
    }

    /** Returns false while a node is away, after which it is tried again. */
    private boolean addNames(FarEnd farEnd, Set<String> there) {
        try {
            there.addAll(farEnd.names(names.prefix()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void judgeResends() {
        watch.look();
        watch.hops().forEach((hop, figures) -> {
            if (!figures.holds()) {
                violations.add(hop + ": " + figures.resentBytes() + " bytes were sent again after " + figures.faults()
                        + " faults, more than " + figures.boundBytes());
            }
        });
    }

    private DrillReport report() {
        DrillReport.Canaries canaries = ledger.canaries(duplicated);
        DrillReport.Verdict verdict = stop.isRequested()
                ? DrillReport.Verdict.INTERRUPTED
                : violations.isEmpty() ? DrillReport.Verdict.HELD : DrillReport.Verdict.FAILED;
        boolean bounded = canaries.lost() == 0 && canaries.delivered() > 0;
        return new DrillReport(
                Version.text(),
                DrillReport.SPOOLED,
                verdict,
                deployment.description(),
                settings.seed(),
                millis(),
                canaries,
                faults.lines(),
                ledger.stall(),
                watch.hops(),
                bounded ? 3.0 / canaries.delivered() : null,
                violations.all());
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }
}
