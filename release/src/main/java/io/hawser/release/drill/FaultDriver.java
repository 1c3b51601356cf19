package io.hawser.release.drill;

import io.hawser.ops.cli.Errors;
import io.hawser.release.process.Chain.Part;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Does one fault after the other. A node that it has killed or stopped it brings back in any case, also after Ctrl-C.
 *
 * <p>Thread: one.
 */
final class FaultDriver {
    private final DrillSettings settings;
    private final Map<Part, Victim> victims;
    private final FaultPlan plan;
    private final FaultLog log;
    private final Ledger ledger;
    private final ResendWatch watch;
    private final Complaints complaints;
    private final StopSignal stop;
    private final Consumer<DrillReport.FaultLine> show;
    private final Waiting waiting;
    private Map<String, Long> resentBefore = Map.of();
    private PlannedFault current = new PlannedFault(FaultKind.KILL, Part.BROKER);
    private boolean isOpen;

    /** Waits, and shows meanwhile how it stands. */
    interface Waiting {
        /** Returns whether the condition holds; false after the limit, or if the drill is to stop. */
        boolean await(long limitMillis, java.util.function.BooleanSupplier condition) throws InterruptedException;
    }

    FaultDriver(
            DrillSettings settings,
            Map<Part, Victim> victims,
            FaultLog log,
            Ledger ledger,
            ResendWatch watch,
            Complaints complaints,
            StopSignal stop,
            Waiting waiting,
            Consumer<DrillReport.FaultLine> show) {
        this.settings = settings;
        this.victims = victims;
        this.log = log;
        this.ledger = ledger;
        this.watch = watch;
        this.complaints = complaints;
        this.stop = stop;
        this.waiting = waiting;
        this.show = show;
        plan = new FaultPlan(settings.kills(), settings.pauses(), settings.seed());
    }

    /** Does them all. */
    void run() throws InterruptedException {
        long began = System.nanoTime();
        if (!waiting.await(settings.patience().toMillis(), () -> ledger.delivered() > 0)) {
            if (!stop.isRequested()) {
                complaints.add(
                        "nothing arrived within " + settings.patience().toSeconds() + " s, so that no fault was done");
            }
            return;
        }
        long last = System.nanoTime();
        while (isWanted(began)) {
            long due = last + settings.every().toNanos();
            waiting.await(settings.every().toMillis(), () -> System.nanoTime() - due >= 0);
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
        return inTime && (settings.times() == 0 || log.count() < settings.times());
    }

    /** Returns whether the drill can go on. */
    private boolean oneFault() throws InterruptedException {
        for (Map.Entry<Part, Victim> each : victims.entrySet()) {
            String complaint = each.getValue().complaint();
            if (!complaint.isEmpty()) {
                complaints.add(complaint);
                return false;
            }
        }
        current = plan.next();
        Victim victim = victims.get(current.node());
        if (victim == null) {
            throw new IllegalStateException(
                    "nobody was pointed at as " + current.node().command());
        }
        watch.look();
        resentBefore = watch.totals();
        boolean back = current.kind() == FaultKind.KILL ? kill(victim) : pause(victim);
        if (back && !waiting.await(settings.patience().toMillis(), log::isOfUse) && !stop.isRequested()) {
            complaints.add("after " + current + " no canary arrived through it within "
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
            complaints.add(current + " could not be done: " + Errors.sentence(e));
            return false;
        }
        stop.sleep(settings.down().toMillis());
        try {
            log.back(System.nanoTime());
            victim.start().ifPresent(log::ready);
            return true;
        } catch (IOException e) {
            if (!stop.isRequested()) {
                complaints.add(current.node().command() + " did not come back, look after it: " + Errors.sentence(e));
            }
            return false;
        }
    }

    private boolean pause(Victim victim) throws InterruptedException {
        try {
            begin();
            victim.pause();
            stop.sleep(settings.down().toMillis());
            log.back(System.nanoTime());
            victim.resume();
            return true;
        } catch (IOException e) {
            complaints.add(current + " could not be done: " + Errors.sentence(e));
            return false;
        }
    }

    private void begin() {
        log.begin(current, System.nanoTime());
        watch.fault(current);
        isOpen = true;
    }

    /** The last fault is over: what it cost is known, and shown. */
    void close() {
        if (!isOpen) {
            return;
        }
        isOpen = false;
        watch.look();
        Map<String, Long> now = new TreeMap<>(watch.totals());
        long bytes = now.entrySet().stream()
                .filter(hop -> ResendWatch.isEnd(hop.getKey(), current.node()))
                .mapToLong(hop -> hop.getValue() - resentBefore.getOrDefault(hop.getKey(), 0L))
                .sum();
        if (!now.isEmpty()) {
            log.resent(bytes, watch.credit(current.node()));
        }
        show.accept(log.lines().get(log.count() - 1));
    }
}
