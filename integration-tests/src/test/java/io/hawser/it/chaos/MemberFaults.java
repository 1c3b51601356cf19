package io.hawser.it.chaos;

import java.io.IOException;
import java.util.List;

/** What may befall a node of Hawser's, and that there is progress between two faults. */
abstract class MemberFaults extends FaultLane {
    static final int USUAL_MILLIS = 1000;
    static final int LONG_MILLIS = 6000;

    final Pulse pulse;
    private volatile long published;

    MemberFaults(String name, long seed, List<Fault> drawn, RunParts run) {
        super(name, seed, drawn, run);
        pulse = run.pulse();
    }

    @Override
    boolean mayGoOn() {
        return pulse.published() > published;
    }

    /** From now on progress counts. */
    void begin() {
        published = pulse.published();
    }

    /** Kills it, and harms its index where the fault says so; returns some time later. */
    void kill(Fault fault, Member victim, String countedAs) throws IOException, InterruptedException {
        IndexDamage index = new IndexDamage(deployment.home(victim.name()), random);
        victim.kill();
        counts.add(Fault.KILL, countedAs, 1);
        if (fault == Fault.INDEX && index.delete()) {
            counts.add(fault, "deleted", 1);
        }
        if (fault == Fault.DAMAGE) {
            counts.add(fault, index.damage(), 1);
        }
        Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
    }

    /** Stops it for so long that others may take it for dead. */
    void pause(Member victim, String countedAs) throws Exception {
        counts.add(Fault.STOP, countedAs, 1);
        victim.signal("STOP");
        Thread.sleep(someMillis(3 * USUAL_MILLIS, 2 * LONG_MILLIS));
        victim.signal("CONT");
    }

    /** Starts a second one in its directory while it is stopped, and cuts its links. */
    void twin(Member victim, String countedAs) throws Exception {
        counts.add(Fault.TWIN, countedAs, 1);
        victim.signal("STOP");
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
}
