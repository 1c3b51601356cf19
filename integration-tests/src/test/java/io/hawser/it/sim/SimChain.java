package io.hawser.it.sim;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.it.reference.ReferenceRelay;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One schedule: publishers, the relay and consumers, from the first upload until everything is delivered long after the last
 * fault. The seed decides everything, so that a schedule can be run again step by step.
 */
final class SimChain {
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long ONE_DAY_MILLIS = 86_400_000L;
    private static final long PATIENCE_NANOS = 120_000 * Plan.MILLIS;
    private static final long SETTLE_NANOS = 3_000 * Plan.MILLIS;
    /** How long a peer may be silent. */
    private static final long SILENCE_NANOS = 1_000 * Plan.MILLIS;

    private static final int SMALL_FRAGMENTS = 3;
    /** At other times a power cut meets a rename that is not durable in one of several hundred schedules. */
    private static final int RENAMES_FOR_EACH_CUT = 20;

    private static final long MAX_STEPS = 2_000_000;

    final Plan plan;
    final SplittableRandom random;
    private final SplittableRandom aside;
    /** For power cuts after renames: drawn apart, so that the kept seeds stay as they were. */
    private final SplittableRandom cuts;

    final SimScheduler scheduler = new SimScheduler();
    final Invariants invariants = new Invariants(this);
    final SimBroker broker;
    final SimOperator operator;
    final SimIntruder intruder;
    final SimCanceller canceller;
    final List<SimPublisher> publishers = new ArrayList<>();
    final List<SimConsumer> consumers = new ArrayList<>();
    final Map<Fault, Long> counts = new EnumMap<>(Fault.class);

    private final Map<TransferKey, SampleTransfer> truths = new LinkedHashMap<>();
    /** The file that each confirmation is of. */
    private final Map<TransferKey, TransferKey> confirmed = new LinkedHashMap<>();

    private final Map<TransferKey, List<String>> paths = new LinkedHashMap<>();
    private final Map<TransferKey, Set<String>> subscribedBefore = new LinkedHashMap<>();
    private final Set<TransferKey> completed = new LinkedHashSet<>();
    private final Set<TransferKey> finishing = new HashSet<>();
    private final Set<TransferKey> givenUp = new LinkedHashSet<>();
    private final Set<TransferKey> lost = new LinkedHashSet<>();
    private final Map<String, SubscriptionSpec> subscribed = new LinkedHashMap<>();
    private final List<SimSession> sessions = new ArrayList<>();
    private boolean healed;
    private long quietSinceNanos;
    private boolean done;
    private long steps;
    private boolean traced;
    private final Reduction reduction;
    private @Nullable CrashPoint crash;
    /** Which nodes were down, of each step behind the last chosen crash. */
    private final BitSet downBehindCrash = new BitSet();

    private long lastCrashStep;
    private long recoveredAtStep;
    private long settledAtStep;
    private int faultsDrawn;
    private int faultsStruck;
    private int wishes;
    private @Nullable Throwable failure;

    SimChain(long seed, PlantedBug bug, Reduction reduction) {
        this.reduction = reduction;
        boolean chosen = !ScheduleKind.of(seed).isRandom();
        crash = ScheduleKind.of(seed) == ScheduleKind.EVERY_STEP ? CrashPoint.ofSeed(seed) : null;
        random = new SplittableRandom(chosen ? ScheduleKind.EVERY_STEP.firstSeed() : seed);
        aside = new SplittableRandom(~seed);
        cuts = new SplittableRandom(~seed + 2);
        plan = new Plan(seed, bug, random);
        broker = new SimBroker(this, new NodeId(9, 9));
        operator = new SimOperator(this, seed);
        intruder = new SimIntruder(this, seed);
        canceller = new SimCanceller(this, seed);
        for (int i = 0; i < plan.publishers; i++) {
            publishers.add(new SimPublisher(this, "publisher-" + i, new NodeId(1, i)));
        }
        for (int i = 0; i < plan.consumers; i++) {
            consumers.add(new SimConsumer(this, "s" + i, new NodeId(2, i), topic(random.nextInt(plan.topics))));
        }
    }

    private void chooseCall() {
        if (plan.kind == ScheduleKind.EVERY_CALL) {
            CallPoint point = CallPoint.ofSeed(plan.seed);
            disk(point.node()).door().choose(point.call(), point.way());
        }
    }

    SimDisk disk(int node) {
        return node == 0
                ? publishers.get(0).disk()
                : node == 1 ? broker.disk() : consumers.get(0).disk();
    }

    /** Runs the schedule to its end, whatever comes of it. */
    void runToEnd() {
        try {
            Invariants.Violation.takeFirst();
            run();
        } catch (AssertionError | RuntimeException e) {
            failure = e;
        } finally {
            close();
        }
    }

    /** What went wrong, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The kind of what went wrong, or null. */
    @Nullable
    String symptom() {
        return Shrinker.symptomOf(failure);
    }

    /** A store catches what it does not foresee, also what an invariant throws under it. */
    private static void throwIfViolated() {
        Invariants.Violation violation = Invariants.Violation.takeFirst();
        if (violation != null) {
            throw violation;
        }
    }

    private void run() {
        chooseCall();
        broker.start();
        for (SimPublisher publisher : publishers) {
            publisher.start();
            if (plan.kind.isRandom()) {
                publisher.planUploads(1 + plan.uploads / plan.publishers);
            } else {
                publisher.planUploadOf(plan.isWhole() ? 1 : SMALL_FRAGMENTS);
            }
        }
        for (SimConsumer consumer : consumers) {
            boolean late = strikes(Fault.LATE_SUBSCRIPTION, 2);
            scheduler.after(late ? random.nextLong(2 * plan.faultPhaseNanos) : 0, consumer::start);
        }
        operator.start();
        canceller.start();
        nextFault();
        scheduler.after(plan.faultPhaseNanos, this::heal);
        while (!done && scheduler.step()) {
            throwIfViolated();
            crashIfDue();
            if (++steps > MAX_STEPS) {
                invariants.acceptWhatCanFinish.notFinished(": it runs in circles" + state());
            }
        }
        invariants.atEnd();
    }

    /** Remembers a session, so that it can be cleaned up. */
    void opened(SimSession session) {
        sessions.add(session);
    }

    /** Gives back what is on its way, also where the schedule was broken off. */
    private void close() {
        sessions.forEach(SimSession::discardStreams);
        broker.close();
    }

    long steps() {
        return steps;
    }

    /** Whether what happens is printed. */
    void traced(boolean wanted) {
        traced = wanted;
    }

    /** Whether somebody wants to see what happens; asked where it costs something to say it. */
    boolean isTraced() {
        return traced;
    }

    /** Something has happened. */
    void trace(SimNode node, String what, Object about) {
        if (traced) {
            System.out.printf("%10.3f %-12s %s %s%n", scheduler.nowNanos() / 1e6, node, what, about);
        }
    }

    // --- chosen crashes

    private void crashIfDue() {
        CrashPoint due = crash;
        if (lastCrashStep > 0) {
            for (int node = 0; node < CrashPoint.NODES; node++) {
                downBehindCrash.set(placeOf(steps + 1 - lastCrashStep, node), !node(node).up);
            }
        }
        if (due != null && due.step() > 0 && steps + 1 - lastCrashStep == due.step()) {
            SimNode node = node(due.node());
            if (node.up && lastCrashStep > 0) {
                count(recoveredAtStep == 0 ? Fault.SECOND_CRASH_IN_RECOVERY : Fault.SECOND_CRASH_BEHIND_RECOVERY);
            } else if (node.up) {
                count(Fault.FIRST_CRASH);
            }
            lastCrashStep = steps + 1;
            recoveredAtStep = 0;
            downBehindCrash.clear();
            crash = due.second();
            if (node.up) {
                node.crash(due.survival().isPowerCut());
            }
        } else if (recoveredAtStep == 0 && lastCrashStep > 0 && allReady()) {
            recoveredAtStep = steps + 1;
        }
    }

    private boolean allReady() {
        return broker.up
                && broker.isReady()
                && clients().allMatch(client -> client.up && client.isReady() && client.session != null);
    }

    /** How many steps it took from the last chosen crash until all were back. */
    int stepsOfRecovery() {
        return (int) (recoveredAtStep - lastCrashStep);
    }

    private SimNode node(int number) {
        return number == 0 ? publishers.get(0) : number == 1 ? broker : consumers.get(0);
    }

    private static int placeOf(long stepsBehindCrash, int node) {
        return (int) stepsBehindCrash * CrashPoint.NODES + node;
    }

    /** Whether a node was down so many steps behind the last chosen crash. */
    boolean wasDown(int stepsBehindCrash, int node) {
        return downBehindCrash.get(placeOf(stepsBehindCrash, node));
    }

    /** After which step all was done. */
    long settledAtStep() {
        return settledAtStep;
    }

    // --- chance

    /** How long a small thing takes. */
    long quick() {
        return 100_000 + random.nextLong(15 * Plan.MILLIS);
    }

    /** The same, drawn aside: what was added to the models later leaves the other draws, and so the kept seeds, as they were. */
    long quickAside() {
        return 100_000 + aside.nextLong(15 * Plan.MILLIS);
    }

    /** How long a disk or a person takes. */
    long slow() {
        return Plan.MILLIS + random.nextLong(plan.slowestForceNanos);
    }

    /** Whether a fault of this kind happens here, once in so many times; it is counted if it does. */
    boolean strikes(Fault fault, int oneIn) {
        return strikes(fault, oneIn, random);
    }

    /** Whether a consumer's machine loses its power between a rename and the force of its directory. */
    boolean cutsPowerAfterRename() {
        return strikes(Fault.CONSUMER_POWER_CUT, RENAMES_FOR_EACH_CUT, cuts);
    }

    private boolean strikes(Fault fault, int oneIn, SplittableRandom from) {
        if (healed || !plan.has(fault) || from.nextInt(oneIn) != 0) {
            return false;
        }
        if (!mayStrike()) {
            return false;
        }
        count(fault);
        return true;
    }

    /** Numbers a fault, and says whether the schedule still has it. */
    private boolean mayStrike() {
        boolean strikes = !reduction.faults().get(faultsDrawn++);
        faultsStruck += strikes ? 1 : 0;
        return strikes;
    }

    /** Numbers what a client is about to do, and says whether the schedule still has it. */
    boolean mayBegin() {
        return !reduction.uploads().get(wishes++);
    }

    int wishes() {
        return wishes;
    }

    int faultsDrawn() {
        return faultsDrawn;
    }

    int faultsStruck() {
        return faultsStruck;
    }

    void count(Fault fault) {
        counts.merge(fault, 1L, Long::sum);
    }

    boolean isHealed() {
        return healed;
    }

    long epochMillis() {
        return EPOCH_MILLIS + scheduler.nowNanos() / Plan.MILLIS;
    }

    Topic topic(int index) {
        return new Topic("t" + index);
    }

    // --- faults

    private void nextFault() {
        scheduler.after(random.nextLong(2 * plan.meanFaultGapNanos), () -> {
            if (!healed) {
                List<Fault> possible = new ArrayList<>(plan.faults);
                if (!possible.isEmpty() && mayStrike()) {
                    inject(possible.get(random.nextInt(possible.size())));
                }
                nextFault();
            }
        });
    }

    private void inject(Fault fault) {
        switch (fault) {
            case SESSION_LOST, HALF_OPEN_SESSION ->
                withSession(session -> {
                    count(fault);
                    session.lose(fault == Fault.HALF_OPEN_SESSION);
                });
            case STREAM_LOST -> withSession(SimSession::loseStream);
            case STREAM_STALLED -> withSession(SimSession::stallStream);
            case BROKER_KILLED, BROKER_POWER_CUT -> crash(broker, fault, fault == Fault.BROKER_POWER_CUT);
            case PUBLISHER_KILLED, PUBLISHER_POWER_CUT ->
                crash(publishers.get(random.nextInt(publishers.size())), fault, fault == Fault.PUBLISHER_POWER_CUT);
            case CONSUMER_KILLED, CONSUMER_POWER_CUT ->
                crash(consumers.get(random.nextInt(consumers.size())), fault, fault == Fault.CONSUMER_POWER_CUT);
            case NO_SPACE -> {
                count(fault);
                SimDisk disk = random.nextBoolean()
                        ? broker.disk()
                        : consumers.get(random.nextInt(consumers.size())).disk();
                disk.full(true);
                scheduler.after((100 + random.nextInt(1500)) * Plan.MILLIS, () -> disk.full(false));
            }
            case RECORD_DAMAGED -> broker.damageSomeRecord();
            case NODE_STOPPED -> stop(someNode());
            case WALL_CLOCK_JUMPED_FORWARD, WALL_CLOCK_JUMPED_BACK -> {
                count(fault);
                long millis = 1 + random.nextLong(3 * ONE_DAY_MILLIS);
                SimNode node = random.nextBoolean() ? broker : consumers.get(random.nextInt(consumers.size()));
                node.clockOffMillis += fault == Fault.WALL_CLOCK_JUMPED_BACK ? -millis : millis;
            }
            default -> {
                // The others strike where they belong.
            }
        }
    }

    private void withSession(Consumer<SimSession> action) {
        List<SimSession> sessions = broker.sessions();
        if (!sessions.isEmpty()) {
            action.accept(sessions.get(random.nextInt(sessions.size())));
        }
    }

    private SimNode someNode() {
        List<SimNode> nodes = new ArrayList<>(List.of(broker));
        clients().forEach(nodes::add);
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** A process is stopped, for shorter or longer than the others wait for a sign of life. */
    private void stop(SimNode node) {
        if (!node.up || node.isStopped()) {
            return;
        }
        count(Fault.NODE_STOPPED);
        trace(node, "is stopped", "");
        long stoppedNanos = 10 * Plan.MILLIS + random.nextLong(3 * SILENCE_NANOS);
        node.stop(stoppedNanos);
        int life = node.life;
        if (stoppedNanos > SILENCE_NANOS) {
            scheduler.after(SILENCE_NANOS, () -> {
                if (node.life == life && node.isStopped()) {
                    List.copyOf(sessions).forEach(session -> session.silent(node));
                }
            });
        }
    }

    private void crash(SimNode node, Fault fault, boolean powerCut) {
        if (node.up) {
            count(fault);
            node.crash(powerCut);
        }
    }

    private void heal() {
        healed = true;
        quietSinceNanos = scheduler.nowNanos();
        broker.disk().full(false);
        consumers.forEach(consumer -> consumer.disk().full(false));
        watch();
    }

    /** Looks every 100 ms whether all is done and stays so; gives up after a while. */
    private void watch() {
        long now = scheduler.nowNanos();
        if (!isSettled()) {
            quietSinceNanos = now;
            settledAtStep = steps;
        } else if (now - quietSinceNanos > (plan.kind.isRandom() ? SETTLE_NANOS : SETTLE_NANOS / 6)) {
            done = true;
            return;
        }
        if (now > plan.faultPhaseNanos + PATIENCE_NANOS) {
            invariants.acceptWhatCanFinish.notFinished(state());
        }
        scheduler.after(100 * Plan.MILLIS, this::watch);
    }

    private boolean isSettled() {
        for (SimPublisher publisher : publishers) {
            if (!publisher.isSettled()) {
                return false;
            }
        }
        for (SimConsumer consumer : consumers) {
            if (operator.isGone(consumer.subscription())) {
                continue;
            }
            boolean idle = consumer.up
                    && consumer.isReady()
                    && consumer.session != null
                    && consumer.landing().isIdle()
                    && consumer.landing().area().pendingReceipts().isEmpty()
                    && hasAllItIsOwed(consumer);
            var sender = broker.sender(consumer);
            if (!idle || sender == null || sender.size() > 0) {
                return false;
            }
        }
        operator.check();
        boolean hasAllMemory =
                !plan.hostile() || broker.pool().available() == broker.pool().capacity();
        return broker.up && broker.isReady() && operator.isSettled() && hasAllMemory;
    }

    private String state() {
        StringBuilder state =
                new StringBuilder("\n").append(plan).append("\nat ").append(scheduler.nowNanos());
        for (SimPublisher publisher : publishers) {
            state.append('\n')
                    .append(publisher)
                    .append(publisher.isSettled() ? " settled" : " not settled")
                    .append(publisher.whatIsMissing());
        }
        state.append("\nbroker buffers ").append(broker.pool().available());
        broker.state().fold.transfers.values().forEach(transfer -> state.append("\n  ")
                .append(transfer));
        for (SimConsumer consumer : consumers) {
            var sender = broker.sender(consumer);
            state.append('\n')
                    .append(consumer)
                    .append(consumer.landing().describe())
                    .append(" buffers ")
                    .append(consumer.pool().available())
                    .append(" sender has ")
                    .append(sender == null ? "-" : sender.size())
                    .append(' ')
                    .append(truths.keySet().stream()
                            .filter(key ->
                                    sender != null && sender.progress(key).isPresent())
                            .map(key -> key + " " + sender.progress(key))
                            .toList())
                    .append(" missing ");
            for (TransferKey key : completedFor(consumer)) {
                if (!invariants.exactlyOnceDelivery.isPublished(consumer, key)) {
                    state.append("\n  ").append(key).append(' ').append(sender == null ? "-" : sender.progress(key));
                }
            }
        }
        return state.toString();
    }

    // --- what is true, whatever the nodes know

    void truth(SampleTransfer sample, List<String> touched) {
        truths.put(sample.key(), sample);
        paths.put(sample.key(), touched);
        Set<String> names = new LinkedHashSet<>();
        subscribed.values().forEach(spec -> {
            if (spec.topic().equals(sample.manifest().topic())) {
                names.add(spec.name());
            }
        });
        subscribedBefore.put(sample.key(), names);
    }

    /** A patch without bytes asks the far ends to publish again what they have, for the file behind it. */
    void confirmation(Manifest manifest) {
        // An upload that did not survive a crash had perhaps the same number.
        TransferKey file = truths.values().stream()
                .map(SampleTransfer::manifest)
                .filter(each -> each.key().publisher().equals(manifest.key().publisher())
                        && each.number() == manifest.number() + 1
                        && isFinishing(each.key()))
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .key();
        truth(SampleTransfer.of(manifest, new byte[0]), manifest.paths());
        subscribedBefore.put(manifest.key(), subscribedBefore.getOrDefault(file, Set.of()));
        confirmed.put(manifest.key(), file);
        finishing(manifest.key());
        completed(manifest.key());
    }

    /** The transfer whose bytes that one shows when it is published: it, or the file that it confirms. */
    SampleTransfer shown(TransferKey key) {
        return truth(confirmed.getOrDefault(key, key));
    }

    /** Whether the consumer has published a confirmation of that file. */
    boolean hasConfirmed(SimConsumer consumer, TransferKey file) {
        return confirmed.entrySet().stream()
                .anyMatch(each -> each.getValue().equals(file)
                        && invariants.exactlyOnceDelivery.isShown(consumer, each.getKey()));
    }

    /** One of the transfers that there are, drawn by {@code from}; null if there is none. */
    @Nullable
    TransferKey someTransfer(SplittableRandom from) {
        return truths.isEmpty()
                ? null
                : truths.keySet().stream()
                        .skip(from.nextInt(truths.size()))
                        .findFirst()
                        .orElse(null);
    }

    /** Of a transfer that no publisher of the chain has begun. */
    Manifest truthlessManifest(TransferKey key) {
        return new Manifest(
                key,
                1,
                topic(0),
                TransferKind.FILE,
                "hostile",
                List.of("hostile"),
                Manifest.UNKNOWN_SIZE,
                plan.fragmentSizeBytes,
                Map.of());
    }

    /** All transfers that were begun. */
    Set<TransferKey> keys() {
        return truths.keySet();
    }

    boolean isKnown(TransferKey key) {
        return truths.containsKey(key);
    }

    /** Whether the transfer's publisher has said that it has that receipt. */
    boolean hasReceipt(TransferKey key, String subscription) {
        return publishers.stream()
                .filter(publisher -> publisher.id.equals(key.publisher()))
                .anyMatch(publisher -> invariants.durableAck.hasAcked(publisher, key, subscription));
    }

    /** Whether that subscription's consumer has the transfer; also while it is not known, since the consumer is down. */
    boolean mayGiveReceipt(TransferKey key, String subscription) {
        return consumers.stream()
                .filter(consumer -> consumer.subscription().equals(subscription))
                .anyMatch(consumer ->
                        !consumer.up || !consumer.isReady() || invariants.durableAck.hasCommitted(consumer, key));
    }

    /** The only copy of it was damaged before all of it had left: it will not be delivered, unless it is already on its way. */
    void lost(TransferKey key) {
        lost.add(key);
    }

    boolean isLost(TransferKey key) {
        return lost.contains(key);
    }

    SampleTransfer truth(TransferKey key) {
        SampleTransfer sample = truths.get(key);
        if (sample == null) {
            throw new IllegalStateException("nobody has uploaded " + key);
        }
        return sample;
    }

    /** Whether one of those transfers has this content. */
    boolean anyTruth(Predicate<TransferKey> which, byte[] content) {
        return truths.values().stream().anyMatch(sample -> which.test(sample.key()) && sample.hasContent(content));
    }

    /** A subscription's removal was asked for: what was uploaded before is no longer owed to that name. */
    void unsubscribed(String name) {
        subscribed.remove(name);
        subscribedBefore.values().forEach(names -> names.remove(name));
    }

    /** A consumer has been told that its subscription is durable; its removal may have been asked for meanwhile. */
    void subscribed(SubscriptionSpec spec) {
        if (!operator.wantsGone(spec.name())) {
            subscribed.put(spec.name(), spec);
        }
    }

    /** Its client has said that this is all: its tail may leave. */
    void finishing(TransferKey key) {
        finishing.add(key);
        invariants.deadlines.finishing(key);
    }

    boolean isFinishing(TransferKey key) {
        return finishing.contains(key);
    }

    void completed(TransferKey key) {
        completed.add(key);
    }

    void givenUp(TransferKey key) {
        givenUp.add(key);
    }

    boolean isCompleted(TransferKey key) {
        return completed.contains(key);
    }

    boolean isCancelled(TransferKey key) {
        return givenUp.contains(key);
    }

    boolean sharePath(TransferKey one, TransferKey other) {
        return paths.getOrDefault(one, List.of()).stream().anyMatch(a -> paths.getOrDefault(other, List.of()).stream()
                .anyMatch(b -> a.equals(b) || a.startsWith(b + "/") || b.startsWith(a + "/")));
    }

    /**
     * Subscriptions that had been confirmed before the upload began and were not removed, and those that the broker has promised it to.
     */
    Set<String> owedSubscriptions(TransferKey key) {
        Set<String> owed = new LinkedHashSet<>(subscribedBefore.getOrDefault(key, Set.of()));
        owed.removeIf(operator::wantsGone);
        ReferenceRelay.Transfer transfer = broker.state().transfer(key);
        if (transfer != null) {
            owed.addAll(transfer.deliverySet);
            owed.removeAll(broker.state().removedSince(key));
        }
        return owed;
    }

    private boolean hasAllItIsOwed(SimConsumer consumer) {
        if (operator.wantsGone(consumer.subscription())) {
            return true;
        }
        for (TransferKey key : completed) {
            if (!lost.contains(key)
                    && !invariants.exactlyOnceDelivery.isPublished(consumer, key)
                    && !hasConfirmed(consumer, key)
                    && !invariants.deadlines.hasExpired(key, consumer.subscription())
                    && !canceller.isCancelled(key, consumer.subscription())
                    && owedSubscriptions(key).contains(consumer.subscription())) {
                return false;
            }
        }
        return true;
    }

    List<TransferKey> completedFor(SimConsumer consumer) {
        return completed.stream()
                .filter(key -> !lost.contains(key)
                        && !operator.wantsGone(consumer.subscription())
                        && !invariants.deadlines.hasExpired(key, consumer.subscription())
                        && !canceller.isCancelled(key, consumer.subscription())
                        && owedSubscriptions(key).contains(consumer.subscription()))
                .toList();
    }

    /** The consumers of that one's subscription: it alone, or the members of its group. */
    Stream<SimConsumer> sharing(SimConsumer consumer) {
        return consumers.stream().filter(each -> each.subscription().equals(consumer.subscription()));
    }

    Stream<SimClient> clients() {
        return Stream.concat(publishers.stream(), consumers.stream());
    }

    boolean hasDurably(TransferKey key, long start, long end) {
        return broker.hasDurably(key, start, end);
    }

    boolean hasCommitted(TransferKey key) {
        return broker.hasCommitted(key);
    }
}
