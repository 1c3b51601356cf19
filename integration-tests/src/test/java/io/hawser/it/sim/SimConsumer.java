package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.ReceiveMeter;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/** A consumer: one subscription, and a landing area that its hop receiver fills. */
final class SimConsumer extends SimClient {
    private final SubscriptionSpec spec;
    private final SimLanding landing;
    private final boolean tellsLanded;
    private final SimFiles files;
    private FragmentBufferPool pool;
    private @Nullable HopReceiver receiver;
    private boolean ready;

    SimConsumer(SimChain chain, String name, NodeId id, Topic topic) {
        super(chain, name, id);
        spec = new SubscriptionSpec(
                name, topic, id, chain.random.nextBoolean() ? StartAt.NOW : StartAt.EARLIEST, AckLevel.DURABLE);
        landing = new SimLanding(this);
        files = new SimFiles(this);
        tellsLanded = chain.random.nextBoolean();
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), chain.plan.consumerBuffers);
    }

    String subscription() {
        return spec.name();
    }

    SubscriptionSpec spec() {
        return spec;
    }

    SimLanding landing() {
        return landing;
    }

    FragmentBufferPool pool() {
        return pool;
    }

    @Nullable
    HopReceiver receiver() {
        return receiver;
    }

    @Override
    SimJournal<?> journal() {
        return landing.journal();
    }

    @Override
    boolean isReady() {
        return ready;
    }

    @Override
    void boot() {
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), chain.plan.consumerBuffers);
        receiver = null;
        landing.recover(() -> {
            ready = true;
            chain.invariants.durableAck.recovered(this);
            dial();
        });
    }

    @Override
    void die(boolean powerCut) {
        // A journal that is not read to the end, or whose force failed, may say VERIFIED of more than is known here.
        if (chain.plan.hostile() && ready && !landing.journal().failed()) {
            landing.damageWhileDown();
        }
        ready = false;
        dropSession();
        landing.crash(powerCut);
    }

    @Override
    void tick() {
        // Nothing here depends on time alone.
    }

    /** It comes back after its removal, under its old name: with what it had, or as a new machine. */
    void comeBack(boolean empty) {
        if (empty) {
            if (up) {
                crash(false);
            }
            landing.wipe();
            chain.invariants.wiped(this);
        }
        reconnect();
    }

    // --- receipts

    Receipt receipt(TransferKey key, ReceiptStatus status) {
        return new Receipt(key, spec.name(), status, "", wallMillis());
    }

    void tell(TransferKey key, ReceiptStatus status) {
        HopReceiver current = receiver;
        if (current != null && (status.isFinal() || tellsLanded)) {
            current.receipt(receipt(key, status));
        }
    }

    // --- the session

    @Override
    void sessionUp(SimSession opened) {
        HopReceiver fresh = new HopReceiver(
                landing,
                pool,
                opened.clientLink(),
                key -> true,
                chain.plan.hop.windowBytes(),
                new ReceiveMeter(),
                SenderAllowance.UNLIMITED);
        receiver = fresh;
        opened.receiver(fresh, pool);
        if (chain.plan.edges()) {
            opened.calls(true).up(files);
        }
        opened.subscribe(spec);
        landing.pendingReceipts().forEach(fresh::receipt);
    }

    @Override
    void sessionDown(SimSession gone) {
        gone.calls(true).down();
        HopReceiver current = receiver;
        receiver = null;
        if (current != null) {
            gone.receiverDown();
        }
    }

    @Override
    void hear(HopMessage message) {
        HopReceiver current = receiver;
        if (current != null) {
            current.on(message);
        }
    }

    @Override
    @Nullable
    HopSender sending() {
        return null;
    }
}
