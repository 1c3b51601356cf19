package io.hawser.it.chaos;

import io.hawser.common.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Kills one node, stops it for a while, and harms its index if it is the broker. A node that ended by itself is a finding, and started again. */
final class NodeFaults extends FaultLane {
    private static final int USUAL_MILLIS = 1000;
    private static final int LONG_MILLIS = 6000;
    /** Of so many faults most are kills. */
    private static final int KILLS = 6;

    private final Deployment deployment;
    private final Member victim;
    private final Pulse pulse;
    private final IndexDamage index;
    private volatile long published;

    /** @param victim who it befalls; no other lane may have it */
    NodeFaults(
            Settings settings,
            long seed,
            Deployment deployment,
            Member victim,
            FaultCounts counts,
            Violations violations,
            Pulse pulse) {
        super(
                "node-faults of " + victim.name(),
                seed,
                settings.faultPause(),
                drawn(settings.faults(), deployment.brokers.contains(victim)),
                counts,
                violations);
        this.deployment = deployment;
        this.victim = victim;
        this.pulse = pulse;
        index = new IndexDamage(deployment.home(victim.name()), random);
    }

    @Override
    boolean mayGoOn() {
        return pulse.published() > published;
    }

    private static List<Fault> drawn(Set<Fault> chosen, boolean withBroker) {
        List<Fault> drawn = new ArrayList<>();
        for (Fault fault : chosen.stream().sorted().toList()) {
            boolean ofBroker = fault == Fault.INDEX || fault == Fault.DAMAGE;
            if (fault.realm == Fault.Realm.NODE && (withBroker || !ofBroker)) {
                for (int i = 0; i < (fault == Fault.KILL ? KILLS : 1); i++) {
                    drawn.add(fault);
                }
            }
        }
        return drawn;
    }

    @Override
    void inject(Fault fault) throws Exception {
        reviveTheDead();
        published = pulse.published();
        switch (fault) {
            case STOP -> pause();
            case TWIN -> twin();
            default -> kill(fault);
        }
    }

    private void pause() throws Exception {
        victim.signal("STOP");
        counts.add(Fault.STOP, victim.name(), 1);
        Thread.sleep(someMillis(3 * USUAL_MILLIS, 2 * LONG_MILLIS));
        victim.signal("CONT");
    }

    private void twin() throws Exception {
        victim.signal("STOP");
        counts.add(Fault.TWIN, victim.name(), 1);
        try {
            String complaint = victim.twinIsRefused();
            if (!complaint.isEmpty()) {
                violations.add("twin", complaint);
            }
            deployment.linksOf(victim).forEach(ChaosProxy::reset);
            Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
        } finally {
            victim.signal("CONT");
        }
    }

    private void kill(Fault fault) throws Exception {
        victim.kill();
        counts.add(Fault.KILL, victim.name(), 1);
        if (fault == Fault.INDEX && index.delete()) {
            counts.add(fault, "deleted", 1);
        }
        if (fault == Fault.DAMAGE) {
            counts.add(fault, index.damage(), 1);
        }
        Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
        comeBack();
    }

    private void comeBack() throws IOException, InterruptedException {
        pulse.started(victim.name(), System.nanoTime());
        try {
            pulse.ready(victim.name(), victim.start());
        } catch (IllegalStateException e) {
            if (!deployment.awaitRoom(victim)) {
                violations.add("start", victim.name() + " does not start: " + e.getMessage());
            } else {
                pulse.note(victim.name() + " did not start on a full disk");
            }
            victim.start();
        }
    }

    /** Finds that the node does not run although nobody killed it. */
    @Override
    void reviveTheDead() throws IOException, InterruptedException {
        if (victim.isAlive()) {
            return;
        }
        int code = victim.exitCode();
        if (code == ExitCode.STORAGE.code() && deployment.wasFull(victim)) {
            pulse.note(victim.name() + " ended itself when others had filled its disk (exit code " + code + ")");
        } else {
            violations.add("ended", victim.name() + " ended by itself with exit code " + code);
        }
        comeBack();
    }
}
