package io.hawser.it.sim;

import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Clients and operators who cancel transfers that were accepted, at their publishers and at the broker. Whatever becomes of such a transfer at a
 * subscription, all have one truth: it is cancelled and never published, or it is published and nobody calls it cancelled.
 */
final class SimCanceller {
    private static final String REASON = "nobody wants it any more";

    private record At(TransferKey key, String subscription) {}

    private final SimChain chain;
    /** Aside, so that the rest of a schedule is drawn as without. */
    private final SplittableRandom random;

    private final Set<TransferKey> wanted = new LinkedHashSet<>();
    /** Those of which a publisher has said that the cancel is durable. */
    private final Set<TransferKey> promised = new LinkedHashSet<>();

    private final Set<At> cancelled = new HashSet<>();
    /** Those that the broker has had whole. */
    private final Set<TransferKey> committed = new HashSet<>();

    SimCanceller(SimChain chain, long seed) {
        this.chain = chain;
        this.random = new SplittableRandom(~seed + 1);
    }

    /** Plans what they do. */
    void start() {
        if (!chain.plan.cancels()) {
            return;
        }
        if (chain.plan.holds()) {
            for (int left = 1 + random.nextInt(chain.plan.uploads); left > 0; left--) {
                chain.scheduler.after(random.nextLong(chain.plan.faultPhaseNanos), this::holdSome);
            }
        }
        for (int left = 1 + random.nextInt(2 * chain.plan.uploads); left > 0; left--) {
            chain.scheduler.after(random.nextLong(chain.plan.faultPhaseNanos * 5 / 4), this::cancelSome);
        }
    }

    /** Of some schedules: transfers are held for a while, where they are, and get priorities. */
    private void holdSome() {
        TransferKey key = chain.someTransfer(random);
        if (key != null && chain.isCompleted(key) && !chain.isLost(key)) {
            hold(key, true, random.nextBoolean());
            chain.scheduler.after(random.nextLong(chain.plan.faultPhaseNanos / 2), () -> releaseUntilItIs(key));
        }
    }

    /** It may be held at its publisher and at the broker, and either may be down: then later. */
    private void releaseUntilItIs(TransferKey key) {
        boolean askedPublisher = hold(key, false, true);
        boolean askedBroker = hold(key, false, false);
        if (!askedPublisher || !askedBroker || isHeld(key)) {
            chain.scheduler.after((50 + random.nextInt(200)) * Plan.MILLIS, () -> releaseUntilItIs(key));
        }
    }

    private boolean isHeld(TransferKey key) {
        return publisherOf(key)
                .flatMap(publisher -> publisher.store().state(key))
                .filter(TransferSnapshot::held)
                .isPresent();
    }

    private Optional<SimPublisher> publisherOf(TransferKey key) {
        return chain.publishers.stream()
                .filter(publisher -> publisher.id.equals(key.publisher()) && isWell(publisher))
                .findFirst();
    }

    private static boolean isWell(SimPublisher publisher) {
        return publisher.up && publisher.isReady() && !publisher.isStopped() && !publisher.hasFailedDisk();
    }

    private boolean hold(TransferKey key, boolean holds, boolean atBroker) {
        if (atBroker) {
            boolean isWell = chain.broker.up && chain.broker.isReady() && !chain.broker.isStopped();
            if (isWell) {
                chain.broker.hold(key, holds, outcome -> count(holds, outcome));
                chain.broker.prioritise(key, 1 + random.nextInt(9));
            }
            return isWell;
        }
        Optional<SimPublisher> publisher = publisherOf(key);
        publisher.ifPresent(each -> {
            each.spool().hold(key, holds, outcome -> count(holds, outcome));
            each.spool().prioritise(key, 1 + random.nextInt(9), outcome -> {});
        });
        return publisher.isPresent();
    }

    private void count(boolean holds, Outcome<TransferKey> outcome) {
        if (holds && !outcome.isRefused()) {
            chain.count(Fault.TRANSFER_HELD);
        }
    }

    private void cancelSome() {
        TransferKey key = chain.someTransfer(random);
        if (key == null || !chain.isCompleted(key) || chain.isLost(key)) {
            return;
        }
        if (random.nextInt(3) == 0) {
            cancelAtBroker(key);
        } else {
            chain.publishers.stream()
                    .filter(publisher -> publisher.id.equals(key.publisher()))
                    .forEach(publisher -> cancelAt(publisher, key));
        }
    }

    private void cancelAtBroker(TransferKey key) {
        if (chain.broker.up && chain.broker.isReady() && !chain.broker.isStopped() && chain.hasCommitted(key)) {
            wanted.add(key);
            chain.trace(chain.broker, "is told to cancel", key);
            chain.broker.recall(key, REASON, outcome -> {});
        }
    }

    private void cancelAt(SimPublisher publisher, TransferKey key) {
        if (!publisher.up || !publisher.isReady() || publisher.isStopped() || publisher.hasFailedDisk()) {
            return;
        }
        wanted.add(key);
        chain.trace(publisher, "is told to cancel", key);
        if (chain.plan.bug == PlantedBug.CANCEL_ANSWERED_BEFORE_FORCE) {
            promised.add(key);
        }
        int life = publisher.life;
        publisher.spool().recall(key, REASON, outcome -> {
            if (publisher.life == life && !outcome.isRefused()) {
                promised.add(key);
                countEnded(publisher, key);
            }
        });
    }

    private void countEnded(SimPublisher publisher, TransferKey key) {
        boolean before = publisher
                .store()
                .state(key)
                .filter(state -> state.phase() == SpoolPhase.CANCELLED)
                .isPresent();
        if (before) {
            chain.count(Fault.CANCELLED_BEFORE_THE_BROKER);
        }
    }

    /** After a crash a cancel that was answered is still there. */
    void recovered(SimPublisher publisher) {
        for (TransferKey key : promised) {
            Optional<TransferSnapshot> state =
                    key.publisher().equals(publisher.id) ? publisher.store().state(key) : Optional.empty();
            boolean forgotten = state.filter(each -> !each.phase().isFinal() && !each.isBeingCancelled())
                    .isPresent();
            Invariants.check(
                    !forgotten, InvariantName.DURABLE_ACK, publisher + " has forgotten a cancel that it answered", key);
        }
    }

    /** Its commit is durable at the broker. */
    void committed(TransferKey key) {
        committed.add(key);
    }

    /** The broker has started again: a commit that was on its way to the disk may be lost. */
    void brokerIsBack() {
        committed.removeIf(key -> !chain.hasCommitted(key));
    }

    /** The broker writes down a receipt. */
    void kept(Receipt receipt) {
        TransferKey key = receipt.key();
        if (receipt.status() == ReceiptStatus.DELIVERED && wanted.contains(key)) {
            chain.count(Fault.CANCELLED_TOO_LATE);
        }
        if (receipt.status() != ReceiptStatus.CANCELLED) {
            return;
        }
        Invariants.check(
                wanted.contains(key), InvariantName.NO_FORGET, "a transfer is cancelled that is wanted", receipt);
        boolean published = chain.consumers.stream()
                .anyMatch(consumer -> consumer.subscription().equals(receipt.subscription())
                        && chain.invariants.exactlyOnceDelivery.isShown(consumer, key));
        Invariants.check(
                !published, InvariantName.HONEST_ANSWERS, "a transfer is called cancelled that was published", receipt);
        boolean asked =
                chain.consumers.stream().anyMatch(consumer -> chain.invariants.durableAck.hasCommitted(consumer, key));
        chain.count(asked ? Fault.CANCELLED_BY_ITS_CONSUMER : Fault.CANCELLED_UNSENT);
        cancelled.add(new At(key, receipt.subscription()));
    }

    /** A consumer publishes it. */
    void published(SimConsumer consumer, TransferKey key) {
        Invariants.check(
                !isCancelled(key, consumer.subscription()),
                InvariantName.HONEST_ANSWERS,
                consumer + " publishes a transfer that is called cancelled",
                key);
    }

    /** What publishers know agrees with what was published. */
    void atEnd() {
        for (SimPublisher publisher : chain.publishers) {
            for (TransferKey key : wanted) {
                publisher.store().state(key).ifPresent(state -> state.receipts().forEach(this::agrees));
            }
        }
    }

    private void agrees(Receipt receipt) {
        boolean calledCancelled = receipt.status() == ReceiptStatus.CANCELLED;
        boolean published = chain.consumers.stream()
                .anyMatch(consumer -> consumer.subscription().equals(receipt.subscription())
                        && chain.invariants.exactlyOnceDelivery.isShown(consumer, receipt.key()));
        Invariants.check(
                !(calledCancelled && published),
                InvariantName.HONEST_ANSWERS,
                "a publisher calls a transfer cancelled that was published",
                receipt);
    }

    /** Whether somebody wanted it cancelled; it may be too late, or forgotten before it was durable. */
    boolean wants(TransferKey key) {
        return wanted.contains(key);
    }

    /** Whether it is cancelled at that subscription. */
    boolean isCancelled(TransferKey key, String subscription) {
        return cancelled.contains(new At(key, subscription)) || endedBeforeTheBroker(key);
    }

    /** Whether it was cancelled at its publisher, and never got further. */
    boolean endedBeforeTheBroker(TransferKey key) {
        return wanted.contains(key) && !committed.contains(key);
    }
}
