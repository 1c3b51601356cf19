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
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A consumer: one subscription, and a landing area that its hop receiver fills. */
final class SimConsumer extends SimClient {
    private static final String GROUP = "group";
    private static final int MAX_DEADLINE_MILLIS = 3_000;
    private static final int MIN_RATE_BYTES_PER_SECOND = 100_000;

    private final SubscriptionSpec spec;
    private final SimDisk disk;
    private final SimLanding landing;
    private final boolean tellsLanded;
    private final SimFiles files;
    private FragmentBufferPool pool;
    private @Nullable HopReceiver receiver;
    private boolean ready;

    SimConsumer(SimChain chain, String name, NodeId id, Topic topic) {
        super(chain, name, id);
        boolean fromNow =
                chain.random.nextBoolean() || chain.plan.has(Fault.RECORD_DAMAGED); // who comes late repairs nothing
        StartAt startAt = fromNow ? StartAt.NOW : StartAt.EARLIEST;
        spec = chain.plan.groups()
                ? new SubscriptionSpec(
                        GROUP,
                        topic,
                        id,
                        StartAt.EARLIEST,
                        AckLevel.DURABLE,
                        SubscriptionTerms.NONE.withMember(Optional.of(name)))
                : new SubscriptionSpec(name, topic, id, startAt, AckLevel.DURABLE);
        disk = new SimDisk(this);
        landing = new SimLanding(this);
        files = new SimFiles(this);
        tellsLanded = chain.random.nextBoolean();
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), chain.plan.consumerBuffers);
    }

    String subscription() {
        return spec.name();
    }

    SimDisk disk() {
        return disk;
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
    boolean hasFailedDisk() {
        return ready && landing.hasFailed();
    }

    @Override
    boolean isReady() {
        return ready;
    }

    @Override
    void boot() {
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), chain.plan.consumerBuffers);
        receiver = null;
        post(chain.slow(), () -> {
            if (!landing.open()) {
                crash(chain.random.nextBoolean());
                return;
            }
            landing.area().start();
            ready = true;
            chain.invariants.durableAck.recovered(this);
            dial();
        });
    }

    @Override
    void die(boolean powerCut) {
        if (chain.plan.hostile() && ready && !landing.hasFailed()) {
            landing.damageWhileDown();
        }
        ready = false;
        dropSession();
        landing.crash(powerCut);
    }

    @Override
    void tick() {
        if (ready && landing.hasFailed()) {
            crash(chain.random.nextBoolean());
        }
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

    void tell(Receipt receipt) {
        HopReceiver current = receiver;
        if (current != null && (receipt.status().isFinal() || tellsLanded)) {
            current.receipt(receipt);
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
        opened.subscribe(chain.plan.terms() || chain.plan.groups() ? spec.with(terms()) : spec);
        landing.area().pendingReceipts().forEach(fresh::receipt);
    }

    private SubscriptionTerms terms() {
        SplittableRandom random = chain.random;
        return new SubscriptionTerms(
                random.nextBoolean() ? 0 : 100 + random.nextInt(MAX_DEADLINE_MILLIS),
                random.nextBoolean() ? 0 : MIN_RATE_BYTES_PER_SECOND + random.nextInt(MIN_RATE_BYTES_PER_SECOND),
                ReplayFilter.ALL,
                spec.terms().member(),
                SubscriptionTerms.LOWEST_PRIORITY + random.nextInt(SubscriptionTerms.HIGHEST_PRIORITY));
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
        if (message instanceof HopMessage.Cancel cancel && HopMessage.Cancel.mayComeAgain(cancel.reason())) {
            chain.count(Fault.MOVED_TO_ANOTHER_MEMBER);
            chain.invariants.durableAck.beginsAgain(this, cancel.key());
            chain.invariants.resumeFromDurable.beginsAgain(this, cancel.key());
        }
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
