package io.hawser.it.sim;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.OutboundPacket;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.PacketPlacement;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.it.reference.ReferenceRelay;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The invariants of docs/explanation/reliability.md: one object for each, under its name, asked wherever its subject happens. */
final class Invariants {
    final DurableAck durableAck = new DurableAck();
    final NoForget noForget = new NoForget();
    final Immutable immutable = new Immutable();
    final WholeOrNothing wholeOrNothing = new WholeOrNothing();
    final ExactlyOnceDelivery exactlyOnceDelivery = new ExactlyOnceDelivery();
    final OrderByPath orderByPath = new OrderByPath();
    final ResumeFromDurable resumeFromDurable;
    final BoundedMemory boundedMemory;
    final FailStop failStop = new FailStop();
    final NoChimera noChimera = new NoChimera();
    final AcceptWhatCanFinish acceptWhatCanFinish = new AcceptWhatCanFinish();
    final RefuseDontCorrupt refuseDontCorrupt = new RefuseDontCorrupt();
    final AuthorisedBeforeMemory authorised = new AuthorisedBeforeMemory();
    final EdgeInvariants edges;
    final Deadlines deadlines;

    private final SimChain chain;

    Invariants(SimChain chain) {
        this.chain = chain;
        this.resumeFromDurable = new ResumeFromDurable(chain);
        this.boundedMemory = new BoundedMemory(chain);
        this.edges = new EdgeInvariants(chain);
        this.deadlines = new Deadlines(chain);
    }

    /** An invariant does not hold. */
    static final class Violation extends AssertionError {
        private static final ThreadLocal<@Nullable Violation> FIRST = new ThreadLocal<>();
        private static final long serialVersionUID = 1L;

        final transient InvariantName invariant;

        Violation(InvariantName invariant, String message) {
            super(invariant + ": " + message);
            this.invariant = invariant;
            if (FIRST.get() == null) {
                FIRST.set(this);
            }
        }

        /** The first of this thread's schedule, also if a store has caught it; from then on there is none. */
        static @Nullable Violation takeFirst() {
            Violation first = FIRST.get();
            FIRST.remove();
            return first;
        }
    }

    static void check(boolean holds, InvariantName name, String what, Object about) {
        if (!holds) {
            throw new Violation(name, what + ": " + about);
        }
    }

    // --- what happens

    void messageLeaves(SimNode node, HopMessage message) {
        chain.trace(node, "says", message);
        if (message instanceof HopMessage.Ack ack) {
            durableAck.announced(node, ack.key(), ack.ranges());
            failStop.announced(node, ack.key(), ack.ranges());
        } else if (message instanceof HopMessage.Resume resume) {
            durableAck.announced(node, resume.key(), resume.durable());
            if (node instanceof SimConsumer && resume.durable().contains(Long.MAX_VALUE - 1)) {
                durableAck.committed(node, resume.key()); // more than there is: so it says that it has committed it
            }
        } else if (message instanceof HopMessage.Committed committed) {
            durableAck.committed(node, committed.key());
            failStop.committed(node, committed.key());
        } else if (message instanceof HopMessage.Cancel cancel
                && cancel.reason().contains(SimSpool.DAMAGED)
                && node instanceof SimPublisher) {
            chain.lost(cancel.key());
        } else if (message instanceof HopMessage.Open open
                && open.resumed()
                && node instanceof SimPublisher publisher) {
            resumeFromDurable.announcedAgain(publisher);
        } else if (message instanceof HopMessage.Refuse refuse && node instanceof SimConsumer consumer) {
            durableAck.beginsAgain(node, refuse.key());
            if (refuse.refusal().code() == ErrorCode.STORAGE_FAILED) {
                resumeFromDurable.beginsAgain(consumer, refuse.key());
            }
        } else if (message instanceof HopMessage.ReceiptNotice notice && node instanceof SimConsumer) {
            durableAck.committed(node, notice.receipt().key());
        } else if (message instanceof HopMessage.ReceiptAck ack) {
            durableAck.receiptKept(node, ack.key(), ack.subscription());
        }
    }

    /** What the broker says to one client. */
    void leavesFor(SimClient client, HopMessage message) {
        if (client instanceof SimConsumer consumer
                && chain.plan.groups()
                && message instanceof HopMessage.CommitTransfer commit) {
            ReferenceRelay.Transfer transfer = chain.broker.state().transfer(commit.key());
            boolean permitted = transfer != null && consumer.id.equals(transfer.permits.get(consumer.subscription()));
            boolean hasIt =
                    durableAck.hasCommitted(consumer, commit.key()); // and says so again, whatever came of it here
            check(
                    permitted || hasIt,
                    InvariantName.EXACTLY_ONCE_DELIVERY,
                    "a member of a group may deliver what it has no durable permit for",
                    commit.key() + " at " + consumer);
        }
    }

    void packetLeaves(SimSession session, OutboundPacket packet) {
        chain.trace(session.client(), "hop carries", packet);
        immutable.leaves(session, packet);
        if (chain.plan.bug == PlantedBug.FORGET_WHEN_SENT
                && session.client() instanceof SimPublisher publisher
                && packet instanceof OutboundPacket.OfFragment fragment
                && chain.isFinishing(fragment.header().key())) {
            publisher.store().forget(fragment.header().key());
        }
        resumeFromDurable.leaves(session, packet);
    }

    void packetDiscarded(PacketHeader header) {
        chain.count(Fault.REPEATED_PACKET);
    }

    void staleAnswer(PacketPlacement place) {
        boundedMemory.stale(place);
    }

    /** A commit became durable, or was read again after a crash. */
    void committed(ReferenceRelay.Transfer transfer) {
        chain.canceller.committed(transfer.manifest.key());
        check(
                transfer.deliverySet.stream().noneMatch(chain.operator::isGone) || !chain.broker.isReady(),
                InvariantName.NO_FORGET,
                "a transfer is promised to a subscription whose removal was acknowledged before",
                transfer.manifest.key());
    }

    /** What came of a transfer is gone by a rule, before its commit: what was announced of it no longer holds. */
    void forgotten(TransferKey key) {
        durableAck.forgotten(key);
        resumeFromDurable.forgotten(key);
    }

    void published(SimConsumer consumer, TransferKey key, byte[] content) {
        chain.trace(consumer, "publishes", key);
        check(
                chain.truth(key).manifest().topic().equals(consumer.spec().topic()),
                InvariantName.AUTHORISED_BEFORE_MEMORY,
                consumer + " publishes a transfer of a topic that is not its own",
                key);
        chain.canceller.published(consumer, key);
        wholeOrNothing.published(consumer, key, content);
        noChimera.published(key, content);
        exactlyOnceDelivery.published(consumer, key);
        orderByPath.published(consumer, key);
    }

    /** An object without bytes was done. After a crash it may be done again, which then changes nothing. */
    void namesChanged(SimConsumer consumer, TransferKey key) {
        chain.trace(consumer, "changes names", key);
        chain.canceller.published(consumer, key);
        if (exactlyOnceDelivery.done(consumer, key)) {
            orderByPath.published(consumer, key);
        } else {
            chain.count(Fault.NAME_CHANGE_REPEATED);
        }
    }

    /** A consumer came back as a new machine: what it announced and published before was another's. */
    void wiped(SimConsumer consumer) {
        durableAck.wiped(consumer);
        exactlyOnceDelivery.wiped(consumer);
        orderByPath.wiped(consumer);
        resumeFromDurable.wiped(consumer);
    }

    void atEnd() {
        noForget.atEnd();
        exactlyOnceDelivery.atEnd();
        boundedMemory.atEnd();
        resumeFromDurable.atEnd();
        edges.atEnd();
        chain.canceller.atEnd();
    }

    // --- the invariants

    /** An announcement leaves a node only after what it covers is on stable storage there, and stays true. */
    final class DurableAck {
        private final Map<SimNode, Map<TransferKey, FragmentRanges>> announced = new LinkedHashMap<>();
        private final Map<SimNode, Map<TransferKey, Boolean>> committed = new LinkedHashMap<>();
        /** Receipts that publishers have acknowledged. */
        private final Map<SimNode, Map<TransferKey, Set<String>>> receipts = new LinkedHashMap<>();

        void announced(SimNode node, TransferKey key, FragmentRanges ranges) {
            for (FragmentRange run : ranges.runs()) {
                long end = Math.min(run.end(), chain.truth(key).fragmentCount());
                if (node == chain.broker && !chain.hasDurably(key, run.start(), end)) {
                    check(
                            false,
                            InvariantName.DURABLE_ACK,
                            node + " announces what is not durable there",
                            key + " " + ranges);
                }
                announced
                        .computeIfAbsent(node, unused -> new LinkedHashMap<>())
                        .computeIfAbsent(key, unused -> new FragmentRanges())
                        .add(run.start(), end);
            }
        }

        void committed(SimNode node, TransferKey key) {
            check(
                    node != chain.broker || chain.hasCommitted(key),
                    InvariantName.DURABLE_ACK,
                    node + " answers a commit that is not durable there",
                    key);
            committed.computeIfAbsent(node, unused -> new LinkedHashMap<>()).put(key, true);
        }

        /** Whether it has acknowledged that receipt. */
        boolean hasAcked(SimPublisher publisher, TransferKey key, String subscription) {
            return receipts.getOrDefault(publisher, Map.of())
                    .getOrDefault(key, Set.of())
                    .contains(subscription);
        }

        /** Whether it has said that it has all of it. */
        boolean hasCommitted(SimNode node, TransferKey key) {
            return committed.getOrDefault(node, Map.of()).containsKey(key);
        }

        /** What it has of it is wrong, or another gets it: its sender asks again what is there. */
        void beginsAgain(SimNode node, TransferKey key) {
            if (!hasCommitted(node, key)) {
                announced.getOrDefault(node, new LinkedHashMap<>()).remove(key);
            }
        }

        /** A file of incomplete transfers has failed there: they begin again, and what was announced of them no longer holds. */
        void incompleteFailed(SimNode node) {
            Map<TransferKey, FragmentRanges> of = announced.get(node);
            if (of != null) {
                of.keySet().removeIf(key -> !hasCommitted(node, key));
            }
        }

        /** A disk has damaged it while the node was down: that it was announced no longer binds. */
        void damaged(SimNode node, TransferKey key, long index) {
            FragmentRanges ranges = announced.getOrDefault(node, Map.of()).get(key);
            if (ranges != null) {
                ranges.remove(index, index + 1);
            }
        }

        void forgotten(TransferKey key) {
            announced.getOrDefault(chain.broker, new LinkedHashMap<>()).remove(key);
        }

        void wiped(SimNode node) {
            announced.remove(node);
            committed.remove(node);
        }

        void receiptKept(SimNode node, TransferKey key, String subscription) {
            if (node instanceof SimPublisher) {
                receipts.computeIfAbsent(node, unused -> new LinkedHashMap<>())
                        .computeIfAbsent(key, unused -> new LinkedHashSet<>())
                        .add(subscription);
                return;
            }
            boolean kept = chain.broker.hasReceipt(key, subscription);
            check(kept, InvariantName.DURABLE_ACK, node + " acks a receipt that is not durable there", key);
        }

        /** After a crash everything that was announced is still there. */
        void recovered(SimPublisher publisher) {
            receipts.getOrDefault(publisher, Map.of())
                    .forEach((key, subscriptions) -> subscriptions.forEach(subscription -> check(
                            publisher.hasReceipt(key, subscription),
                            InvariantName.DURABLE_ACK,
                            publisher + " has lost a receipt that it acknowledged",
                            key)));
        }

        /** After a crash everything that was announced is still there. */
        void recovered(SimConsumer consumer) {
            announced.getOrDefault(consumer, Map.of()).keySet().forEach(key -> recovered(consumer, key));
            committed.getOrDefault(consumer, Map.of()).keySet().forEach(key -> recovered(consumer, key));
        }

        private void recovered(SimConsumer consumer, TransferKey key) {
            consumer.landing().area().lookup(key, outcome -> {
                if (!outcome.isRefused()) {
                    check(
                            hasWhatItAnnounced(consumer, key, outcome.get()),
                            InvariantName.DURABLE_ACK,
                            consumer + " has lost what it announced",
                            key + " " + outcome.get());
                }
            });
        }

        private boolean hasWhatItAnnounced(SimConsumer consumer, TransferKey key, StoredTransfer stored) {
            FragmentRanges before = announced.getOrDefault(consumer, Map.of()).getOrDefault(key, new FragmentRanges());
            return switch (stored.state()) {
                case ABSENT ->
                    (!hasCommitted(consumer, key) && before.isEmpty())
                            || (chain.plan.clockJumps() && exactlyOnceDelivery.isPublished(consumer, key));
                case OPEN ->
                    !hasCommitted(consumer, key)
                            && before.runs().stream()
                                    .allMatch(run -> stored.durable().containsAll(run.start(), run.end()));
                case CANCELLED ->
                    chain.isCancelled(key)
                            || chain.isLost(key)
                            || chain.canceller.wants(key)
                            || deadlines.isOverdue(key, consumer.subscription());
                case COMMITTED, GONE -> true;
            };
        }

        /** After a crash everything that was announced is still there. */
        void recovered(SimNode node) {
            announced.getOrDefault(node, Map.of()).forEach((key, ranges) -> {
                for (FragmentRange run : ranges.runs()) {
                    check(
                            chain.hasDurably(key, run.start(), run.end()) || chain.isCancelled(key),
                            InvariantName.DURABLE_ACK,
                            node + " has lost what it announced",
                            key + " " + run);
                }
            });
            committed
                    .getOrDefault(node, Map.of())
                    .keySet()
                    .forEach(key -> check(
                            chain.hasCommitted(key),
                            InvariantName.DURABLE_ACK,
                            node + " has lost a commit that it announced",
                            key));
        }
    }

    /** A copy is dropped only when those who are owed it have it. */
    final class NoForget {
        /** What everybody has who is owed it, or whose subscription was removed, is not kept for ever. */
        void atEnd() {
            for (ReferenceRelay.Transfer transfer :
                    chain.broker.state().fold.transfers.values()) {
                boolean unclaimed = transfer.deliverySet.isEmpty();
                check(
                        transfer.commit == null || unclaimed || transfer.owed.isEmpty(),
                        InvariantName.NO_FORGET,
                        "the log keeps what nobody is owed",
                        transfer.manifest.key() + " owed " + transfer.owed);
            }
        }

        void brokerDrops(ReferenceRelay.Transfer transfer) {
            TransferKey key = transfer.manifest.key();
            Set<String> removed = chain.broker.state().removedSince(key);
            for (SimConsumer consumer : chain.consumers) {
                boolean owed = transfer.deliverySet.contains(consumer.subscription())
                        && !removed.contains(consumer.subscription())
                        && (chain.broker.isReady() || !chain.operator.wasEverRemoved(consumer.subscription()))
                        && !chain.operator.wantsGone(consumer.subscription())
                        && !chain.canceller.wants(key)
                        && !deadlines.hasExpired(key, consumer.subscription());
                check(
                        !owed || chain.sharing(consumer).anyMatch(each -> durableAck.hasCommitted(each, key)),
                        InvariantName.NO_FORGET,
                        "the broker drops a copy that " + consumer + " is owed",
                        key + " " + transfer.receipts);
            }
        }
    }

    /** A fragment that was once sent never changes; at its origin nothing leaves before it is durable, no tail before COMMIT. */
    final class Immutable {
        private final Map<TransferKey, FragmentRanges> forwarded = new LinkedHashMap<>();
        private final Map<SimPublisher, Map<TransferKey, FragmentRanges>> left = new LinkedHashMap<>();

        /** What has left is still there, as long as its publisher offers it. */
        void recovered(SimPublisher publisher) {
            left.getOrDefault(publisher, Map.of()).forEach((key, ranges) -> ranges.runs()
                    .forEach(run -> check(
                            publisher.store().hasFound(key, run),
                            InvariantName.IMMUTABLE,
                            publisher + " has lost what had left it",
                            key + " " + run + ", it has " + publisher.store().describe(key))));
        }

        /** Whether the relay has forwarded anything that is not durable there at this moment. */
        boolean forwardedWhatIsNotDurable() {
            for (Map.Entry<TransferKey, FragmentRanges> each : forwarded.entrySet()) {
                for (FragmentRange run : each.getValue().runs()) {
                    if (!chain.isCancelled(each.getKey())
                            && !chain.broker.hasDurably(each.getKey(), run.start(), run.end())) {
                        return true;
                    }
                }
            }
            return false;
        }

        void leaves(SimSession session, OutboundPacket packet) {
            if (packet instanceof OutboundPacket.OfFragment fragment) {
                leaves(session, fragment.header(), fragment);
            }
        }

        private void leaves(SimSession session, PacketHeader header, OutboundPacket.OfFragment packet) {
            SampleTransfer truth = chain.truth(header.key());
            check(
                    truth.agrees(
                                    header.index(),
                                    header.offset(),
                                    packet.payload().nioBuffer())
                            && header.length() == packet.payload().readableBytes(),
                    InvariantName.IMMUTABLE,
                    "bytes leave that are not the source's",
                    header);
            if (session.client() instanceof SimPublisher publisher) {
                left.computeIfAbsent(publisher, unused -> new LinkedHashMap<>())
                        .computeIfAbsent(header.key(), unused -> new FragmentRanges())
                        .add(header.index());
                check(
                        chain.isFinishing(header.key()) || header.fragmentLength() == chain.plan.fragmentSizeBytes,
                        InvariantName.IMMUTABLE,
                        "a tail leaves before the commit",
                        header);
            } else if (!chain.broker.hasDurably(header.key(), header.index(), header.index() + 1)) {
                forwarded
                        .computeIfAbsent(header.key(), unused -> new FragmentRanges())
                        .add(header.index());
            }
        }
    }

    /** A name becomes visible only with the complete, verified object. */
    final class WholeOrNothing {
        void published(SimConsumer consumer, TransferKey key, byte[] content) {
            check(
                    chain.shown(key).content().length == content.length && chain.isFinishing(key),
                    InvariantName.WHOLE_OR_NOTHING,
                    consumer + " shows an object that is not complete",
                    key);
        }
    }

    /** A transfer is published once at each subscription. */
    final class ExactlyOnceDelivery {
        private final Map<SimConsumer, Map<TransferKey, Integer>> counts = new LinkedHashMap<>();

        void published(SimConsumer consumer, TransferKey key) {
            counts.computeIfAbsent(consumer, unused -> new LinkedHashMap<>()).merge(key, 1, Integer::sum);
            check(
                    count(consumer, key) == 1,
                    InvariantName.EXACTLY_ONCE_DELIVERY,
                    consumer + " publishes a transfer for the second time",
                    key);
        }

        boolean isPublished(SimConsumer consumer, TransferKey key) {
            return count(consumer, key) > 0 || hasFailed(consumer, key);
        }

        boolean isShown(SimConsumer consumer, TransferKey key) {
            return count(consumer, key) > 0;
        }

        /** At the consumer, or at all members of its group. */
        private int count(SimConsumer consumer, TransferKey key) {
            return chain.sharing(consumer)
                    .mapToInt(each -> counts.getOrDefault(each, Map.of()).getOrDefault(key, 0))
                    .sum();
        }

        private boolean hasFailed(SimConsumer consumer, TransferKey key) {
            return chain.sharing(consumer).anyMatch(each -> each.landing().hasFailed(key));
        }

        /** Whether it is done for the first time, where doing it again is allowed. */
        boolean done(SimConsumer consumer, TransferKey key) {
            return counts.computeIfAbsent(consumer, unused -> new LinkedHashMap<>())
                            .put(key, 1)
                    == null;
        }

        void wiped(SimConsumer consumer) {
            counts.remove(consumer);
        }

        /** A power cut has taken the name away again. */
        void undone(SimConsumer consumer, TransferKey key) {
            counts.getOrDefault(consumer, new HashMap<>()).merge(key, -1, Integer::sum);
        }

        void atEnd() {
            for (SimConsumer consumer : chain.consumers) {
                for (TransferKey key : chain.completedFor(consumer)) {
                    check(
                            count(consumer, key) == (hasFailed(consumer, key) ? 0 : 1)
                                    || (count(consumer, key) == 0 && chain.hasConfirmed(consumer, key)),
                            InvariantName.EXACTLY_ONCE_DELIVERY,
                            consumer + " has not got a transfer exactly once",
                            key);
                }
            }
        }
    }

    /** Of two transfers of a publisher that share a path, no subscription publishes the earlier one last. */
    final class OrderByPath {
        private final Map<SimConsumer, Map<TransferKey, Boolean>> published = new LinkedHashMap<>();

        void published(SimConsumer consumer, TransferKey key) {
            Map<TransferKey, Boolean> before = published.computeIfAbsent(consumer, unused -> new LinkedHashMap<>());
            for (TransferKey other : before.keySet()) {
                boolean later = other.publisher().equals(key.publisher())
                        && chain.truth(other).manifest().number()
                                > chain.truth(key).manifest().number();
                if (later && chain.sharePath(other, key)) {
                    check(
                            false,
                            InvariantName.ORDER_BY_PATH,
                            consumer + " publishes an earlier transfer after a later one of its path",
                            key + " after " + other);
                }
            }
            before.put(key, true);
        }

        void wiped(SimConsumer consumer) {
            published.remove(consumer);
        }
    }

    /** After a failed force nothing that was not durable before it is ever announced in that life. */
    final class FailStop {
        void announced(SimNode node, TransferKey key, FragmentRanges ranges) {
            if (node == chain.broker && node.hasFailedDisk()) {
                ranges.runs()
                        .forEach(run -> check(
                                chain.hasDurably(key, run.start(), run.end()),
                                InvariantName.FAIL_STOP,
                                node + " announces after its disk failed",
                                key));
            }
        }

        void committed(SimNode node, TransferKey key) {
            check(
                    node != chain.broker || !node.hasFailedDisk() || chain.hasCommitted(key),
                    InvariantName.FAIL_STOP,
                    node + " answers a commit after its disk failed",
                    key);
        }
    }

    /** What the broker writes down comes of those who have the right to it. */
    final class AuthorisedBeforeMemory {
        void recorded(RelayRecord record) {
            if (record instanceof RelayRecord.Cancelled cancelled) {
                authorised(
                        chain.isCancelled(cancelled.key()) || chain.isLost(cancelled.key()),
                        "a transfer is cancelled that its publisher wants",
                        record);
            } else if (record instanceof RelayRecord.Opened opened) {
                authorised(
                        chain.isKnown(opened.manifest().key()), "a transfer is opened without the right to it", record);
            } else if (record instanceof RelayRecord.ReceiptAcked acked) {
                authorised(
                        chain.hasReceipt(acked.key(), acked.subscription()),
                        "a receipt is acknowledged that its publisher does not have",
                        record);
            } else if (record instanceof RelayRecord.ReceiptKept kept) {
                authorised(
                        chain.mayGiveReceipt(
                                kept.receipt().key(), kept.receipt().subscription()),
                        "a receipt is kept of a subscription that does not have the transfer",
                        record);
            }
        }

        private void authorised(boolean holds, String what, Object about) {
            check(holds, InvariantName.AUTHORISED_BEFORE_MEMORY, what, about);
        }
    }

    /** A published object is one version of its source. */
    final class NoChimera {
        void published(TransferKey key, byte[] content) {
            check(
                    chain.shown(key).hasContent(content),
                    InvariantName.NO_CHIMERA,
                    "what is published is not the version that was uploaded",
                    key);
        }
    }

    /** When faults stop, everything that was accepted ends: delivered to all that are owed it, with receipts. */
    static final class AcceptWhatCanFinish {
        void refusedForGood(TransferKey key, Refusal refusal) {
            check(false, InvariantName.ACCEPT_WHAT_CAN_FINISH, "a transfer is refused for good", key + " " + refusal);
        }

        void notFinished(String state) {
            check(
                    false,
                    InvariantName.ACCEPT_WHAT_CAN_FINISH,
                    "the chain is not done long after the last fault",
                    state);
        }
    }

    /** What a store is asked to keep is what the source had, whatever happened on the way. */
    final class RefuseDontCorrupt {
        void storing(Fragment fragment) {
            SampleTransfer truth = chain.truth(fragment.key());
            check(
                    truth.agrees(fragment.index(), 0, fragment.buffer().payload(fragment.offset(), fragment.length()))
                            && fragment.length() == truth.fragmentLength(fragment.index()),
                    InvariantName.REFUSE_DONT_CORRUPT,
                    "a node is given damaged bytes to store",
                    fragment);
            check(
                    Crc32c.of(fragment.buffer().payload(fragment.offset(), fragment.length())) == fragment.crc32c(),
                    InvariantName.REFUSE_DONT_CORRUPT,
                    "a node is given a wrong checksum to store",
                    fragment);
        }
    }
}
