package io.hawser.it.chaos;

import java.io.IOException;
import java.util.List;

/** Kills nodes, stops them for a while, and takes the broker's index away. A node that ended by itself is a finding, and started again. */
final class NodeFaults extends FaultLane {
    private static final int USUAL_MILLIS = 1000;
    private static final int LONG_MILLIS = 6000;

    private final Deployment deployment;
    private final Pulse pulse;

    NodeFaults(
            long seed,
            List<Fault> kinds,
            Deployment deployment,
            FaultCounts counts,
            Violations violations,
            Pulse pulse) {
        super("node-faults", seed, kinds, counts, violations);
        this.deployment = deployment;
        this.pulse = pulse;
    }

    @Override
    void inject(Fault fault) throws Exception {
        reviveTheDead();
        Member victim = fault == Fault.INDEX ? deployment.broker : oneOf(deployment.members());
        if (fault == Fault.STOP) {
            victim.signal("STOP");
            counts.add(fault, victim.name(), 1);
            Thread.sleep(someMillis(3 * USUAL_MILLIS, 2 * LONG_MILLIS));
            victim.signal("CONT");
            return;
        }
        victim.kill();
        counts.add(Fault.KILL, victim.name(), 1);
        if (fault == Fault.INDEX && deployment.deleteIndex()) {
            counts.add(fault, "index", 1);
        }
        Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
        start(victim);
    }

    private void start(Member member) throws IOException {
        pulse.started(member.name(), System.nanoTime());
        pulse.ready(member.name(), member.start());
    }

    /** Finds nodes that nobody killed and that do not run. */
    void reviveTheDead() throws IOException {
        for (Member member : deployment.members()) {
            if (!member.isAlive()) {
                violations.add("ended", member.name() + " ended by itself with exit code " + member.exitCode());
                start(member);
            }
        }
    }
}
