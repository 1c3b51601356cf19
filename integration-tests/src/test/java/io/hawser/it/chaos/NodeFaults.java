package io.hawser.it.chaos;

import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Kills one node, stops it for a while, and harms its index if it is the broker. A node that ended by itself is a finding, and started again. */
final class NodeFaults extends MemberFaults {
    /** Of so many faults most are kills. */
    private static final int KILLS = 6;
    /** A disk may get full again between its room and the start. */
    private static final int STARTS_ON_FULL_DISK = 20;

    private final Member victim;

    /** @param victim no other lane may have it */
    NodeFaults(RunParts run, long seed, Member victim) {
        super(
                "node-faults of " + victim.name(),
                seed,
                drawn(run.settings().faults(), run.deployment().brokers.contains(victim)),
                run);
        this.victim = victim;
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
        begin();
        switch (fault) {
            case STOP -> pause(victim, victim.name());
            case TWIN -> twin(victim, victim.name());
            default -> {
                kill(fault, victim, victim.name());
                comeBack();
            }
        }
    }

    private void comeBack() throws IOException, InterruptedException {
        pulse.started(victim.name(), System.nanoTime());
        for (int i = 1; ; i++) {
            try {
                pulse.ready(victim.name(), victim.start());
                return;
            } catch (IllegalStateException e) {
                if (i == STARTS_ON_FULL_DISK || !deployment.awaitRoom(victim)) {
                    violations.add("start", victim.name() + " does not start: " + e.getMessage());
                    throw e;
                }
                pulse.note(victim.name() + " did not start on a full disk");
            }
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
