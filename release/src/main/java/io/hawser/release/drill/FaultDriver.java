package io.hawser.release.drill;

import io.hawser.ops.cli.Errors;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Kills, or pauses, one node after the other during a drill. It brings each back in any case, also after Ctrl-C.
 *
 * <p>Thread: one.
 */
final class FaultDriver {
    private final DrillSettings settings;
    private final Map<Part, Victim> victims;
    private final FaultPlan plan;
    private final Evidence evidence;
    private final StopSignal stop;
    private final Consumer<DrillReport.FaultLine> show;
    private Map<String, Long> resentBefore = Map.of();
    private PlannedFault current = new PlannedFault(FaultKind.KILL, Part.BROKER);
    private boolean isOpen;

    FaultDriver(
            DrillSettings settings,
            Map<Part, Victim> victims,
            Evidence evidence,
            StopSignal stop,
            Consumer<DrillReport.FaultLine> show) {
        this.settings = settings;
        this.victims = victims;
        this.evidence = evidence;
        this.stop = stop;
        this.show = show;
        plan = new FaultPlan(settings.faults().kills(), settings.faults().pauses(), settings.seed());
    }

    /** Returns after the last fault, or when the drill is to stop or cannot continue. */
    void run() throws InterruptedException {
        long began = System.nanoTime();
        if (!stop.await(
                settings.patience().toMillis(), () -> evidence.canaries().delivered() > 0)) {
            if (!stop.isRequested()) {
                evidence.violations()
                        .add("nothing arrived within " + settings.patience().toSeconds()
                                + " s, so that no fault was done");
            }
            return;
        }
        long last = System.nanoTime();
        while (isWanted(began)) {
            long due = last + settings.faults().every().toNanos();
            boolean unused = stop.await(settings.faults().every().toMillis(), () -> System.nanoTime() - due >= 0);
            if (stop.isRequested() || !isWanted(began)) {
                return;
            }
            close();
            last = System.nanoTime();
            if (!oneFault()) {
                return;
            }
        }
    }

    private boolean isWanted(long beganNanos) {
        boolean inTime = settings.length().isEmpty()
                || System.nanoTime() - beganNanos < settings.length().get().toNanos();
        return inTime
                && (settings.faults().times() == 0
                        || evidence.faults().count() < settings.faults().times());
    }

    /** Returns whether the drill can continue. */
    private boolean oneFault() throws InterruptedException {
        for (Map.Entry<Part, Victim> each : victims.entrySet()) {
            String complaint = each.getValue().complaint();
            if (!complaint.isEmpty()) {
                evidence.violations().add(complaint);
                return false;
            }
        }
        current = plan.next();
        Victim victim = victims.get(current.node());
        if (victim == null) {
            throw new IllegalStateException(
                    "the drill has no way to reach " + current.node().command());
        }
        evidence.resends().look();
        resentBefore = evidence.resends().totals();
        boolean back = current.kind() == FaultKind.KILL ? kill(victim) : pause(victim);
        if (back && !stop.await(settings.patience().toMillis(), evidence.faults()::isOfUse) && !stop.isRequested()) {
            evidence.violations()
                    .add("after " + current + " no canary arrived through it within "
                            + settings.patience().toSeconds() + " s");
            return false;
        }
        return back;
    }

    private boolean kill(Victim victim) throws InterruptedException {
        try {
            begin();
            victim.kill();
        } catch (IOException e) {
            evidence.violations().add(current + " could not be done: " + Errors.sentence(e));
            return false;
        }
        stop.sleep(settings.faults().down().toMillis());
        try {
            evidence.faults().back(System.nanoTime());
            victim.start().ifPresent(evidence.faults()::ready);
            return true;
        } catch (IOException e) {
            if (!stop.isRequested()) {
                evidence.violations()
                        .add(current.node().command() + " did not come back, look after it: " + Errors.sentence(e));
            }
            return false;
        }
    }

    private boolean pause(Victim victim) throws InterruptedException {
        try {
            begin();
            victim.pause();
            stop.sleep(settings.faults().down().toMillis());
            evidence.faults().back(System.nanoTime());
            victim.resume();
            return true;
        } catch (IOException e) {
            evidence.violations().add(current + " could not be done: " + Errors.sentence(e));
            return false;
        }
    }

    private void begin() {
        evidence.faults().begin(current, System.nanoTime());
        evidence.resends().fault(current);
        isOpen = true;
    }

    /** Records and shows what the last fault cost. */
    void close() {
        if (!isOpen) {
            return;
        }
        isOpen = false;
        evidence.resends().look();
        Map<String, Long> now = new TreeMap<>(evidence.resends().totals());
        long bytes = now.entrySet().stream()
                .filter(hop -> ResendWatch.isEnd(hop.getKey(), current.node()))
                .mapToLong(hop -> hop.getValue() - resentBefore.getOrDefault(hop.getKey(), 0L))
                .sum();
        if (!now.isEmpty()) {
            evidence.faults().resent(bytes, evidence.resends().credit(current.node()));
        }
        show.accept(evidence.faults().lines().get(evidence.faults().count() - 1));
    }
}
