package io.hawser.it.sim;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.testkit.InvariantName;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * An operator who removes subscriptions whose consumers are cut off for good. He asks until he is answered; that there is no such
 * subscription is an answer, too: the one before may have got lost with the broker.
 */
final class SimOperator {
    private final SimChain chain;
    /** Aside, so that the rest of a schedule is drawn as without him. */
    private final SplittableRandom random;

    private final Set<String> requested = new LinkedHashSet<>();
    private final Set<String> acknowledged = new LinkedHashSet<>();
    private final Set<String> cameBack = new LinkedHashSet<>();
    private final Set<String> everRemoved = new LinkedHashSet<>();
    private int unfinished;

    SimOperator(SimChain chain, long seed) {
        this.chain = chain;
        this.random = new SplittableRandom(~seed);
    }

    /** Plans what he does. */
    void start() {
        if (!chain.plan.removals) {
            return;
        }
        for (SimConsumer consumer : chain.consumers) {
            if (random.nextInt(3) > 0) {
                unfinished++;
                long at = random.nextInt(8) == 0 ? Plan.MILLIS : random.nextLong(chain.plan.faultPhaseNanos);
                chain.scheduler.after(at, () -> begin(consumer));
            }
        }
    }

    private void begin(SimConsumer consumer) {
        boolean early = random.nextInt(4) == 0;
        if (early && chain.broker.isReady() && chain.broker.isConnected(consumer.subscription())) {
            chain.broker.unsubscribe(consumer.subscription(), outcome -> expectBusy(consumer, outcome));
        }
        consumer.cutOff();
        remove(consumer);
    }

    private void expectBusy(SimConsumer consumer, Outcome<SubscriptionSpec> outcome) {
        Invariants.check(
                isRefused(outcome, ErrorCode.SUBSCRIPTION_BUSY),
                InvariantName.NO_FORGET,
                "a subscription is removed under its consumer",
                consumer);
        chain.count(Fault.REMOVAL_REFUSED_WHILE_IN_USE);
    }

    private void remove(SimConsumer consumer) {
        if (acknowledged.contains(consumer.subscription()) || cameBack.contains(consumer.subscription())) {
            return;
        }
        if (!chain.broker.up || !chain.broker.isReady() || chain.broker.hears(consumer)) {
            again(consumer);
            return;
        }
        ask(consumer);
        if (random.nextInt(3) == 0) {
            ask(consumer); // a second operator, or an impatient one
        }
        if (random.nextInt(4) == 0) {
            chain.scheduler.after(random.nextLong(4 * Plan.MILLIS), () -> breakIn(consumer));
        }
        again(consumer);
    }

    private void again(SimConsumer consumer) {
        chain.scheduler.after((50 + random.nextInt(200)) * Plan.MILLIS, () -> remove(consumer));
    }

    private void ask(SimConsumer consumer) {
        String name = consumer.subscription();
        int life = chain.broker.life;
        boolean owed = chain.broker.owes(name);
        boolean nothingYet = chain.broker.state().fold.transfers.isEmpty();
        requested.add(name);
        everRemoved.add(name);
        chain.unsubscribed(name);
        chain.broker.unsubscribe(name, outcome -> {
            if (chain.broker.up && chain.broker.life == life) { // else the answer is lost with the connection
                answered(consumer, outcome, owed, nothingYet);
            }
        });
    }

    private void answered(SimConsumer consumer, Outcome<SubscriptionSpec> outcome, boolean owed, boolean nothingYet) {
        boolean gone = !outcome.isRefused() || isRefused(outcome, ErrorCode.NOT_FOUND);
        if (!gone || cameBack.contains(consumer.subscription()) || !acknowledged.add(consumer.subscription())) {
            return;
        }
        unfinished--;
        chain.trace(chain.broker, "has removed", consumer);
        if (!outcome.isRefused()) {
            chain.count(Fault.SUBSCRIPTION_REMOVED);
            count(owed, Fault.REMOVED_WITH_TRANSFERS_OWED);
            count(nothingYet, Fault.REMOVED_BEFORE_ANY_PUBLISH);
        }
        check();
        if (chain.plan.edges() && random.nextInt(2) == 0) {
            unfinished++;
            chain.scheduler.after(random.nextLong(500 * Plan.MILLIS), () -> comeBack(consumer));
        }
    }

    /** The removed subscription's name is used again: it is a new one, whatever its consumer still has. */
    private void comeBack(SimConsumer consumer) {
        unfinished--;
        requested.remove(consumer.subscription());
        acknowledged.remove(consumer.subscription());
        boolean empty = random.nextInt(3) == 0;
        chain.count(empty ? Fault.CONSUMER_CAME_BACK_EMPTY : Fault.CONSUMER_CAME_BACK);
        chain.trace(consumer, "comes back", empty ? "empty" : "");
        consumer.comeBack(empty);
        cameBack.add(consumer.subscription());
    }

    private void count(boolean happened, Fault fault) {
        if (happened) {
            chain.count(fault);
        }
    }

    /** The broker dies while a removal is on its way to the disk. */
    private void breakIn(SimConsumer consumer) {
        if (!chain.isHealed()
                && chain.broker.up
                && !cameBack.contains(consumer.subscription())
                && !acknowledged.contains(consumer.subscription())) {
            chain.count(Fault.BROKER_DIED_DURING_REMOVAL);
            chain.broker.crash(random.nextBoolean());
        }
    }

    private static boolean isRefused(Outcome<?> outcome, ErrorCode code) {
        Refusal refusal = outcome.refusal();
        return refusal != null && refusal.code() == code;
    }

    /** A subscription that was removed stays so, is owed nothing, and holds nothing in the log. */
    void check() {
        if (!chain.broker.up || !chain.broker.isReady()) {
            return;
        }
        for (String name : acknowledged) {
            Invariants.check(
                    chain.broker.sender(name) == null && !chain.broker.owes(name),
                    InvariantName.NO_FORGET,
                    "a subscription is back, or is owed something, after its removal was acknowledged",
                    name);
        }
    }

    /** Whether its removal was asked for: from then on nobody can rely on it. */
    boolean wantsGone(String subscription) {
        return requested.contains(subscription);
    }

    /** Whether it was removed at some time, also if it came back. */
    boolean wasEverRemoved(String subscription) {
        return everRemoved.contains(subscription);
    }

    boolean isGone(String subscription) {
        return acknowledged.contains(subscription);
    }

    boolean isSettled() {
        return unfinished == 0;
    }
}
