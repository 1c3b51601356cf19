package io.hawser.it.sim;

import io.hawser.broker.relay.CallRelay;
import io.hawser.broker.relay.CallServerCandidate;
import io.hawser.broker.relay.PublisherIntake;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.remote.UnlimitedCalls;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.reference.ReferenceRelay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The broker: the production relay over a simulated log. */
final class SimBroker extends SimNode {
    private static final int ANSWER_BUFFERS = 2;

    private final SimDisk disk;
    private final SimStore store;
    private final Map<NodeId, SimSession> sessions = new LinkedHashMap<>();
    private FragmentBufferPool pool;
    private @Nullable Relay relay;
    private FragmentBufferPool answers;
    private CallRelay calls;
    private boolean ready;

    SimBroker(SimChain chain, NodeId id) {
        super(chain, "broker", id);
        disk = new SimDisk(this);
        store = new SimStore(this);
        pool = newPool();
        answers = new FragmentBufferPool(chain.plan.bufferBytes(), ANSWER_BUFFERS);
        calls = new CallRelay(answers, task -> post(0, task), topic -> false);
    }

    private FragmentBufferPool newPool() {
        return new FragmentBufferPool(chain.plan.bufferBytes(), chain.plan.brokerBuffers, chain.plan.brokerLoans);
    }

    LogState emptyState() {
        return new LogState(new LogListener());
    }

    SimDisk disk() {
        return disk;
    }

    LogState state() {
        return store.reference().state();
    }

    FragmentBufferPool pool() {
        return pool;
    }

    List<SimSession> sessions() {
        return new ArrayList<>(sessions.values());
    }

    @Override
    boolean hasFailedDisk() {
        return store.hasFailed();
    }

    /** At the end of a schedule nothing is left. */
    void close() {
        store.close();
    }

    @Override
    boolean isReady() {
        return ready;
    }

    @Override
    void boot() {
        pool = newPool();
        answers = new FragmentBufferPool(chain.plan.bufferBytes(), ANSWER_BUFFERS);
        calls = new CallRelay(answers, task -> post(0, task), topic -> false);
        post(chain.slow(), () -> {
            if (store.open(pool)) {
                store.compare(this::startRelay);
            } else {
                crash(chain.random.nextBoolean());
            }
        });
    }

    private void startRelay() {
        Relay fresh = new Relay(
                store, pool, chain.plan.relay, task -> post(0, task), this::wallMillis, chain.scheduler::nowNanos);
        relay = fresh;
        fresh.start(outcome -> {
            ready = true;
            if (chain.plan.hostile()) {
                chain.intruder.brokerReady(fresh);
            }
            chain.invariants.durableAck.recovered(this);
            chain.canceller.brokerIsBack();
        });
    }

    @Override
    void die(boolean powerCut) {
        if (powerCut && chain.invariants.immutable.forwardedWhatIsNotDurable()) {
            chain.count(Fault.POWER_CUT_AFTER_CUT_THROUGH);
        }
        ready = false;
        relay = null;
        chain.intruder.brokerDied();
        for (SimSession session : sessions()) {
            session.brokerDied();
        }
        sessions.clear();
        store.crash(powerCut);
    }

    @Override
    void tick() {
        Relay current = relay;
        if (store.hasFailed()) {
            crash(chain.random.nextBoolean());
        } else if (current != null && ready) {
            current.tick(chain.scheduler.nowNanos());
            chain.intruder.brokerTicks();
        }
    }

    // --- sessions

    /** Takes a session; an older one of the same node is fenced. */
    void accept(SimSession session) {
        SimSession older = sessions.put(session.client().id, session);
        if (older != null && chain.plan.bug != PlantedBug.OLD_SESSION_NOT_FENCED) {
            chain.count(Fault.OLD_SESSION_FENCED);
            older.brokerLearns();
        }
        if (session.client() instanceof SimPublisher) {
            PublisherIntake end = relay().publisherConnected(session.client().id, session.brokerLink());
            session.publisherEnd(end);
            session.receiver(end.receiver(), pool);
        }
        if (chain.plan.edges()) {
            calls.admit(session.calls(false), new UnlimitedCalls(), (topic, question) -> null);
            session.calls(false).up(calls);
        }
    }

    private Relay relay() {
        Relay current = relay;
        if (current == null) {
            throw new IllegalStateException("the broker has not started");
        }
        return current;
    }

    @Nullable
    HopSender subscribe(SimSession session, SubscriptionSpec spec, Outcome.Callback<SubscriptionSpec> done) {
        return relay().subscriptions().subscribe(spec, session.brokerLink(), done);
    }

    /** A session is over here. */
    void ended(SimSession session) {
        if (chain.plan.bug == PlantedBug.OLD_SESSION_NOT_FENCED && session.client() instanceof SimConsumer) {
            endsWhateverThereIs(session);
            return;
        }
        sessions.remove(session.client().id, session);
        session.calls(false).down();
        PublisherIntake end = session.publisherEnd();
        if (end != null) {
            session.receiverDown();
            relay().publisherDisconnected(end);
        } else if (session.client() instanceof SimConsumer consumer) {
            relay().subscriptions().unlink(consumer.subscription(), session.brokerLink());
        }
    }

    /** As without epochs: the end of one session is taken for the end of its node's other one. */
    private void endsWhateverThereIs(SimSession session) {
        SimSession current = sessions.remove(session.client().id);
        if (current != null && session.client() instanceof SimConsumer consumer) {
            relay().subscriptions().unlink(consumer.subscription(), current.brokerLink());
        }
    }

    void unsubscribe(String subscription, Outcome.Callback<SubscriptionSpec> done) {
        relay().subscriptions().unsubscribe(subscription, outcome -> {
            if (!outcome.isRefused()) {
                calls.left(subscription, outcome.get().topic());
            }
            done.accept(outcome);
        });
    }

    /** An operator holds a transfer, or lets it go on. */
    void hold(TransferKey key, boolean holds, Outcome.Callback<TransferKey> done) {
        if (holds) {
            relay().holds().hold(key, done);
        } else {
            relay().holds().release(key, done);
        }
    }

    /** An operator gives a transfer a priority. */
    void prioritise(TransferKey key, int priority) {
        relay().holds().prioritise(key, priority, outcome -> {});
    }

    /** An operator cancels a transfer. */
    void recall(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        relay().recalls().recall(key, reason, done);
    }

    /** That subscription's consumer answers questions about its topic's files. */
    void serves(SimSession session, SubscriptionSpec spec) {
        if (chain.plan.edges() && sessions.get(session.client().id) == session) {
            calls.connected(
                    spec.name(),
                    spec.topic(),
                    new CallServerCandidate(ServingMode.SERVES, true, 0),
                    session.calls(false));
        }
    }

    /** At the end no question is left, and no memory. */
    void checkCalls() {
        Invariants.check(
                calls.underWay() + calls.waiting() == 0 && answers.available() == answers.capacity(),
                InvariantName.BOUNDED_MEMORY,
                "the broker has calls or their memory left",
                calls.underWay() + " under way, " + calls.waiting() + " waiting, " + answers.available() + " buffers");
    }

    /** Whether it may still get what that node has sent. */
    boolean hears(SimClient client) {
        return sessions.containsKey(client.id);
    }

    boolean isConnected(String subscription) {
        return relay().subscriptions().isConnected(subscription);
    }

    /** Whether the log says that something is kept for it. */
    boolean owes(String subscription) {
        return state().fold.transfers.values().stream().anyMatch(each -> each.owed.contains(subscription));
    }

    @Nullable
    HopSender sender(SimConsumer consumer) {
        if (chain.plan.groups()) {
            SimSession session = consumer.session;
            return session == null ? null : session.sender();
        }
        return sender(consumer.subscription());
    }

    @Nullable
    HopSender sender(String subscription) {
        Relay current = relay;
        return current == null ? null : current.subscriptions().sender(subscription);
    }

    private final class LogListener implements LogState.Listener {
        @Override
        public void dropped(ReferenceRelay.Transfer transfer) {
            chain.invariants.noForget.brokerDrops(transfer);
        }

        @Override
        public void forgotten(TransferKey key) {
            chain.invariants.forgotten(key);
        }

        @Override
        public void committed(ReferenceRelay.Transfer transfer) {
            chain.invariants.committed(transfer);
        }

        @Override
        public void freedByRemoval() {
            chain.count(Fault.LAST_COPY_FREED_BY_REMOVAL);
        }
    }

    /** Keeps a receipt that nobody has looked at, as a planted bug does. */
    void keep(Receipt receipt) {
        if (ready) {
            store.append(new RelayRecord.ReceiptKept(receipt), outcome -> {});
        }
    }

    /** Forgets a receipt without a look at who acknowledges it, as a planted bug does. */
    void acknowledge(TransferKey key, String subscription) {
        if (ready) {
            store.append(new RelayRecord.ReceiptAcked(key, subscription), outcome -> {});
        }
    }

    // --- what the invariants ask

    boolean hasDurably(TransferKey key, long start, long end) {
        ReferenceRelay.Transfer transfer = state().transfer(key);
        return transfer == null
                ? state().isGone(key)
                : !transfer.keepsBytes() || transfer.durable.containsAll(start, end);
    }

    boolean hasCommitted(TransferKey key) {
        ReferenceRelay.Transfer transfer = state().transfer(key);
        return transfer == null ? state().isGone(key) : transfer.commit != null;
    }

    boolean hasReceipt(TransferKey key, String subscription) {
        ReferenceRelay.Transfer transfer = state().transfer(key);
        return transfer == null
                ? state().isGone(key)
                : transfer.receipts.containsKey(subscription) || transfer.acknowledged.contains(subscription);
    }

    /** A durable fragment is flipped on the disk, where its publisher could send it again. */
    void damageSomeRecord() {
        store.damageSomeRecord();
    }
}
