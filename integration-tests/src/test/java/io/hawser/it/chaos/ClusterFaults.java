package io.hawser.it.chaos;

import io.hawser.it.ledger.Violations;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Kills and stops the brokers over one Kafka, mostly the one that serves, harms their indexes, and kills nodes of Kafka, one at a time,
 * also at the same moment as a broker. A broker that ended by itself is a finding, unless it was stopped for so long that Kafka had given
 * the store to the other one.
 */
final class ClusterFaults extends MemberFaults {
    /** Victims as they are counted: what befalls the one that stands by makes nobody send again. */
    private static final String SERVING = "broker";

    private static final String STANDING_BY = "standby";
    private static final String KAFKA = "kafka";
    /** Of so many faults most are deaths. */
    private static final int KILLS = 4;
    /** The one that stands by is the victim of one fault in so many. */
    private static final int BYSTANDERS = 4;

    private static final int LOOK_MILLIS = 20;
    private static final long LIMIT_NANOS = 2 * TestTimes.LIMIT.toNanos();

    private final Set<Member> paused = new HashSet<>();

    ClusterFaults(RunParts run, long seed) {
        super("cluster-faults", seed, drawn(run.settings().faults()), run);
    }

    private static List<Fault> drawn(Set<Fault> chosen) {
        List<Fault> drawn = new ArrayList<>();
        for (Fault fault : chosen.stream().sorted().toList()) {
            boolean kills = fault == Fault.KILL || fault.realm == Fault.Realm.CLUSTER;
            if (kills || fault.realm == Fault.Realm.NODE) {
                for (int i = 0; i < (kills ? KILLS : 1); i++) {
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
            case KAFKA -> killKafka();
            case BOTH -> killBoth();
            case STOP, TWIN -> stop(fault, victim());
            default -> killBroker(fault, victim());
        }
    }

    private Member victim() {
        Member serving = deployment.serving();
        return random.nextInt(BYSTANDERS) > 0
                ? serving
                : oneOf(deployment.brokers.stream()
                        .filter(each -> each != serving)
                        .toList());
    }

    private String countedAs(Member victim) {
        return victim.isReady() ? SERVING : STANDING_BY;
    }

    private void killBroker(Fault fault, Member victim) throws Exception {
        String who = countedAs(victim);
        long killed = System.nanoTime();
        kill(fault, victim, who);
        comeBack(victim);
        awaitServing(who, killed);
    }

    /** The other one may get the store meanwhile; then this one has to end when it wakes up. */
    private void stop(Fault fault, Member victim) throws Exception {
        paused.add(victim);
        String who = countedAs(victim);
        if (fault == Fault.STOP) {
            pause(victim, who);
        } else {
            twin(victim, who);
        }
    }

    private void killKafka() throws Exception {
        int node = random.nextInt(deployment.kafka().size());
        deployment.kafka().kill(node);
        counts.add(Fault.KAFKA, KAFKA, 1);
        Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
        restartKafka(node);
    }

    private void restartKafka(int node) throws IOException, InterruptedException {
        long began = System.nanoTime();
        deployment.kafka().restart(node);
        pulse.ready("node of " + KAFKA, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    private void killBoth() throws Exception {
        Member victim = deployment.serving();
        int node = random.nextInt(deployment.kafka().size());
        String who = countedAs(victim);
        long killed = System.nanoTime();
        victim.kill();
        deployment.kafka().kill(node);
        counts.add(Fault.BOTH, who + " and " + KAFKA, 1);
        counts.add(Fault.KILL, who, 1);
        counts.add(Fault.KAFKA, KAFKA, 1);
        Thread.sleep(someMillis(USUAL_MILLIS, LONG_MILLIS));
        comeBack(victim);
        awaitServing(who, killed);
        restartKafka(node);
    }

    private void comeBack(Member broker) throws IOException {
        paused.remove(broker);
        broker.begin();
    }

    /** The time that counts is that from the death of the one until the other, or itself again, serves. */
    private void awaitServing(String whoDied, long killedNanos) throws InterruptedException {
        if (whoDied.equals(SERVING)) {
            pulse.started(SERVING, killedNanos);
        }
        while (deployment.brokers.stream().noneMatch(Member::isReady)) {
            if (System.nanoTime() - killedNanos > LIMIT_NANOS) {
                violations.add(
                        "start",
                        "no broker serves " + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS)
                                + " s after the death of the one that did");
                return;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        if (whoDied.equals(SERVING)) {
            pulse.ready(SERVING, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNanos));
        }
    }

    /** Finds that a broker, or a node of Kafka, does not run although nobody killed it. */
    @Override
    void reviveTheDead() throws IOException, InterruptedException {
        for (int node = 0; node < deployment.kafka().size(); node++) {
            if (!deployment.kafka().isRunning(node)) {
                violations.add(Violations.VOID, "a node of Kafka ended by itself");
                restartKafka(node);
            }
        }
        for (Member broker : deployment.brokers) {
            if (!broker.isAlive()) {
                int code = broker.exitCode();
                if (code == ExitCode.STORAGE.code() && paused.contains(broker)) {
                    pulse.note("a broker that was stopped ended itself when it woke up: the other one had the store");
                } else {
                    violations.add("ended", broker.name() + " ended by itself with exit code " + code);
                }
                comeBack(broker);
            }
        }
    }
}
