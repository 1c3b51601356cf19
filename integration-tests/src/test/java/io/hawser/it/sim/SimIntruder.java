package io.hawser.it.sim;

import io.hawser.broker.relay.PublishRights;
import io.hawser.broker.relay.PublisherIntake;
import io.hawser.broker.relay.Relay;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.PacketPlacement;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A node with a valid session and no right to publish. It sends what only others may send: about their transfers, about transfers that do
 * not exist, packets that were never announced, receipts of what it is not owed.
 */
final class SimIntruder {
    static final NodeId ID = new NodeId(6, 6);
    static final String SUBSCRIPTION = "intruder";

    private static final Topic TOPIC = new Topic("hostile");
    private static final int MOST_PACKETS = 12;
    /** More than a session may send in a minute. */
    private static final int DAMAGED_PACKETS = 100;

    private final SimChain chain;
    /** Aside, so that the rest of a schedule is drawn as without it. */
    private final SplittableRandom random;

    private @Nullable Relay relay;
    private @Nullable PublisherIntake intake;
    private @Nullable HopSender fed;
    private HopLink link = new Link();
    private int life;

    SimIntruder(SimChain chain, long seed) {
        this.chain = chain;
        this.random = new SplittableRandom(seed * 31 + 7);
    }

    /** The broker is there. */
    void brokerReady(Relay started) {
        relay = started;
        life++;
        connect(started);
        int born = life;
        chain.scheduler.after(pause(), () -> attack(born));
    }

    /** The broker is gone, and the session with it. */
    void brokerDied() {
        PublisherIntake old = intake;
        if (old != null) {
            old.receiver().linkDown();
        }
        relay = null;
        intake = null;
        fed = null;
        life++;
    }

    /** What the broker does for each session, every 100 ms. */
    void brokerTicks() {
        if (intake != null && chain.plan.bug != PlantedBug.EARLY_PACKETS_KEPT) {
            intake.receiver().tick();
        }
    }

    private void connect(Relay to) {
        link = new Link();
        intake = to.publisherConnected(ID, link, new Rights(), SenderAllowance.UNLIMITED);
        SubscriptionSpec own = new SubscriptionSpec(SUBSCRIPTION, TOPIC, ID, StartAt.NOW, AckLevel.DURABLE);
        fed = to.subscriptions().subscribe(own, link, outcome -> {});
    }

    private long pause() {
        return Plan.MILLIS * (5 + random.nextInt(80));
    }

    private void attack(int born) {
        Relay at = relay;
        PublisherIntake own = intake;
        if (born != life || at == null || chain.isHealed()) {
            return;
        }
        if (own == null) {
            connect(at);
        } else if (!chain.broker.isStopped()) {
            chain.count(Fault.INTRUDER_SPOKE);
            speak(at, own);
        }
        chain.scheduler.after(pause(), () -> attack(born));
    }

    private void speak(Relay at, PublisherIntake own) {
        TransferKey theirs = chain.someTransfer(random);
        TransferKey unknown = new TransferKey(chain.publishers.get(0).id, new TransferId(9, random.nextLong()));
        TransferKey key = theirs == null || random.nextInt(3) == 0 ? unknown : theirs;
        HopReceiver receiver = own.receiver();
        switch (random.nextInt(7)) {
            case 0 -> receiver.on(new HopMessage.Cancel(key, "hostile"));
            case 1 -> receiptAck(own, key);
            case 2 -> {
                if (theirs != null) {
                    receiver.on(new HopMessage.Open(chain.truth(theirs).manifest(), random.nextBoolean()));
                    receiver.on(new HopMessage.CommitTransfer(
                            theirs, chain.truth(theirs).commit()));
                }
            }
            case 3 -> receiver.on(new HopMessage.Open(ownManifest(), random.nextBoolean()));
            case 4 -> packets(receiver, random.nextBoolean() ? key : ownKey());
            case 5 -> receiptOf(key);
            default -> takeOver(at);
        }
    }

    private TransferKey ownKey() {
        return new TransferKey(ID, new TransferId(1, random.nextLong()));
    }

    private Manifest ownManifest() {
        return chain.truthlessManifest(ownKey());
    }

    private void receiptAck(PublisherIntake own, TransferKey key) {
        String subscription =
                chain.consumers.get(random.nextInt(chain.consumers.size())).subscription();
        if (chain.plan.bug == PlantedBug.FOREIGN_RECEIPT_ACKED) {
            chain.broker.acknowledge(key, subscription);
        } else {
            own.receiver().on(new HopMessage.ReceiptAck(key, subscription, ReceiptStatus.DELIVERED));
        }
    }

    /** Fragments of a transfer that was never announced, each in part; or, seldom, many that are damaged. */
    private void packets(HopReceiver receiver, TransferKey key) {
        boolean burst = random.nextInt(20) == 0;
        int count = burst ? DAMAGED_PACKETS : 1 + random.nextInt(MOST_PACKETS);
        for (int index = 0; index < count; index++) {
            packet(receiver, key, index, burst || random.nextInt(4) == 0);
        }
    }

    private void packet(HopReceiver receiver, TransferKey key, long index, boolean damaged) {
        int length = chain.plan.fragmentSizeBytes;
        byte[] bytes = new byte[length / 2];
        int crc = Crc32c.of(ByteBuffer.wrap(bytes)) ^ (damaged ? 1 : 0);
        PacketHeader header = new PacketHeader(key, index, 0, bytes.length, length, crc, new byte[32], false);
        if (receiver.place(header) instanceof PacketPlacement.InBuffer into) {
            Invariants.check(
                    key.publisher().equals(ID),
                    InvariantName.AUTHORISED_BEFORE_MEMORY,
                    "packets of another's transfer are given memory",
                    key);
            FragmentBuffer buffer = into.buffer();
            buffer.payload(into.offset(), bytes.length).put(bytes);
            receiver.received(header, buffer);
            buffer.release();
            chain.count(Fault.EARLY_PACKET_OF_INTRUDER);
        }
    }

    /** A receipt of a transfer that it is not owed, in its own name; whose name it says does not count. */
    private void receiptOf(TransferKey key) {
        HopSender sender = fed;
        if (sender != null) {
            Receipt receipt = new Receipt(key, SUBSCRIPTION, ReceiptStatus.DELIVERED, "", chain.broker.wallMillis());
            if (chain.plan.bug == PlantedBug.UNOWED_RECEIPT_KEPT) {
                chain.broker.keep(receipt);
            } else {
                sender.on(new HopMessage.ReceiptNotice(receipt));
            }
        }
    }

    /** Asks for another's subscription while its consumer is away. */
    private void takeOver(Relay at) {
        SimConsumer victim = chain.consumers.get(random.nextInt(chain.consumers.size()));
        SubscriptionSpec wanted = victim.spec();
        boolean known = at.subscriptions().names(wanted.topic()).contains(wanted.name());
        if (!known || at.subscriptions().isConnected(wanted.name())) {
            return;
        }
        // Without the check of the owner the broker takes whoever comes for the one that it knows.
        boolean unchecked = chain.plan.bug == PlantedBug.SUBSCRIPTION_TAKEN_OVER;
        SubscriptionSpec requested = unchecked
                ? wanted
                : new SubscriptionSpec(wanted.name(), wanted.topic(), ID, StartAt.EARLIEST, AckLevel.DURABLE);
        HopSender taken = at.subscriptions().subscribe(requested, link, outcome -> {});
        Invariants.check(
                unchecked || taken == null,
                InvariantName.AUTHORISED_BEFORE_MEMORY,
                "another node's subscription is given to the intruder",
                wanted);
    }

    /** What it may do: nothing, but where a bug is planted. */
    private final class Rights implements PublishRights {
        @Override
        public @Nullable Refusal whyNot(Manifest manifest) {
            return chain.plan.bug == PlantedBug.OPEN_BEFORE_RIGHT
                    ? null
                    : new Refusal(ErrorCode.NOT_ALLOWED, "it has no right to publish");
        }

        @Override
        public boolean mayCancelSomewhere() {
            return chain.plan.bug == PlantedBug.CANCEL_WITHOUT_RIGHT
                    || chain.plan.bug == PlantedBug.UNKNOWN_CANCEL_RECORDED;
        }

        @Override
        public @Nullable Refusal whyNotCancel(TransferKey key, @Nullable Topic topic) {
            boolean lets = topic == null
                    ? chain.plan.bug == PlantedBug.UNKNOWN_CANCEL_RECORDED
                    : chain.plan.bug == PlantedBug.CANCEL_WITHOUT_RIGHT;
            return lets ? null : PublishRights.super.whyNotCancel(key, topic);
        }
    }

    /** Hears what the broker tells it. */
    private final class Link implements HopLink {
        @Override
        public void send(HopMessage message) {
            if (message instanceof HopMessage.Refuse) {
                chain.count(Fault.INTRUDER_REFUSED);
            } else if (message instanceof HopMessage.Resume resume) {
                told(resume.key(), resume.durable());
            }
            Invariants.check(
                    !(message instanceof HopMessage.Open),
                    InvariantName.AUTHORISED_BEFORE_MEMORY,
                    "another's subscription is sent to the intruder",
                    message);
        }

        private void told(TransferKey key, FragmentRanges durable) {
            Invariants.check(
                    key.publisher().equals(ID) && durable.isEmpty(),
                    InvariantName.AUTHORISED_BEFORE_MEMORY,
                    "the intruder is told of another's transfer",
                    key);
        }

        @Override
        public void wake() {
            // It is sent nothing.
        }

        @Override
        public void probe(Runnable then) {
            // It does not answer.
        }

        @Override
        public void end(String reason) {
            PublisherIntake old = intake;
            Relay at = relay;
            if (old != null && at != null && this == link) {
                chain.count(Fault.INTRUDER_THROWN_OUT);
                intake = null;
                chain.scheduler.after(0, () -> {
                    if (relay == at) {
                        at.publisherDisconnected(old);
                    }
                });
            }
        }

        @Override
        public int streams() {
            return 1;
        }
    }
}
