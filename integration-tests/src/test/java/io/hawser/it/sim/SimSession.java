package io.hawser.it.sim;

import io.hawser.broker.relay.PublisherIntake;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.OutboundPacket;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A session between a client and the broker: a control channel each way, in order, and some streams. Each end learns of its
 * death at its own time; until then it may still be given what was on its way.
 */
final class SimSession {
    /** One direction of the control channel. */
    private static final class Pipe {
        long lastArrivalNanos;
        long sent;
        long delivered;
        long lastToDeliver = Long.MAX_VALUE;
    }

    private final SimChain chain;
    private final SimClient client;
    private final SimBroker broker;
    private final int clientLife;
    private final int brokerLife;
    private final Pipe up = new Pipe();
    private final Pipe down = new Pipe();
    private final SimStream[] streams;
    private final List<SimStream> dying = new ArrayList<>();
    private final SimCalls clientCalls;
    private final SimCalls brokerCalls;
    private final HopLink clientLink = new Link(true);
    private final HopLink brokerLink = new Link(false);
    private final Set<TransferKey> announced = new HashSet<>();
    private int nextStream;
    private boolean cut;
    private boolean clientOpen;
    private boolean clientKnows;
    private boolean brokerKnows;
    private boolean receiverDown;
    private @Nullable HopReceiver receiver;
    private @Nullable FragmentBufferPool receiverPool;
    private @Nullable HopSender brokerSender;
    private @Nullable PublisherIntake publisherEnd;

    private SimSession(SimClient client, SimBroker broker) {
        this.chain = client.chain;
        this.client = client;
        this.broker = broker;
        this.clientLife = client.life;
        this.brokerLife = broker.life;
        this.clientCalls = new SimCalls(this, true);
        this.brokerCalls = new SimCalls(this, false);
        this.streams = new SimStream[chain.plan.streams];
        for (int i = 0; i < streams.length; i++) {
            streams[i] = new SimStream(this, nextStream++);
        }
    }

    /** Both ends have shaken hands: the broker has the session at once, the client a little later. */
    static SimSession establish(SimClient client, SimBroker broker) {
        SimSession session = new SimSession(client, broker);
        client.chain.opened(session);
        long handshakeNanos = client.chain.quick();
        session.down.lastArrivalNanos = client.chain.scheduler.nowNanos() + handshakeNanos;
        broker.accept(session);
        client.post(handshakeNanos, () -> {
            if (client.session == session && !session.clientKnows) {
                session.clientOpen = true;
                client.sessionUp(session);
            }
        });
        return session;
    }

    SimChain chain() {
        return chain;
    }

    SimClient client() {
        return client;
    }

    HopLink clientLink() {
        return clientLink;
    }

    HopLink brokerLink() {
        return brokerLink;
    }

    /** The calls, as one of the ends sees them. */
    SimCalls calls(boolean ofClient) {
        return ofClient ? clientCalls : brokerCalls;
    }

    /** Whether nothing travels any more. */
    boolean isCut() {
        return cut;
    }

    boolean isFromPublisher() {
        return client instanceof SimPublisher;
    }

    void publisherEnd(PublisherIntake intake) {
        publisherEnd = intake;
    }

    @Nullable
    PublisherIntake publisherEnd() {
        return publisherEnd;
    }

    void receiver(HopReceiver newReceiver, FragmentBufferPool pool) {
        receiver = newReceiver;
        receiverPool = pool;
    }

    HopReceiver receiver() {
        HopReceiver known = receiver;
        if (known == null) {
            throw new IllegalStateException("nobody receives on this session yet");
        }
        return known;
    }

    FragmentBufferPool receiverPool() {
        FragmentBufferPool known = receiverPool;
        if (known == null) {
            throw new IllegalStateException("nobody receives on this session yet");
        }
        return known;
    }

    /** Whether the data's receiving end has the session. */
    boolean receiverListens() {
        boolean alive = isFromPublisher() ? brokerAlive() : clientAlive();
        return alive && receiver != null && !receiverDown;
    }

    private boolean clientAlive() {
        return client.up && client.life == clientLife && clientOpen && !clientKnows;
    }

    private boolean brokerAlive() {
        return broker.up && broker.life == brokerLife && !brokerKnows;
    }

    @Nullable
    HopSender sender() {
        if (isFromPublisher()) {
            return clientAlive() ? client.sending() : null;
        }
        return brokerAlive() ? brokerSender : null;
    }

    // --- the control channel

    /** Sends a control message, behind those before it. */
    void control(boolean toBroker, Runnable deliver) {
        control(toBroker ? up : down, toBroker, deliver);
    }

    private void control(Pipe pipe, boolean toBroker, Runnable deliver) {
        if (cut) {
            if (toBroker ? clientAlive() : brokerAlive()) {
                chain.count(Fault.SPOKE_INTO_A_DEAD_SESSION);
            }
            return;
        }
        long number = ++pipe.sent;
        pipe.lastArrivalNanos = Math.max(chain.scheduler.nowNanos() + chain.quick(), pipe.lastArrivalNanos + 1);
        chain.scheduler.after(
                pipe.lastArrivalNanos - chain.scheduler.nowNanos(), () -> arrive(pipe, number, toBroker, deliver));
    }

    private void arrive(Pipe pipe, long number, boolean toBroker, Runnable deliver) {
        SimNode at = toBroker ? broker : client;
        if (at.isStopped()) {
            at.whenItGoesOn(() -> arrive(pipe, number, toBroker, deliver));
            return;
        }
        pipe.delivered = number;
        if (number <= pipe.lastToDeliver && (toBroker ? brokerAlive() : clientAlive())) {
            deliver.run();
        }
    }

    /** Whether the process that receives data is stopped; {@code task} then runs when it goes on. */
    boolean receiverIsStopped(Runnable task) {
        return waitsFor(isFromPublisher() ? broker : client, task);
    }

    private boolean senderIsStopped(Runnable task) {
        return waitsFor(isFromPublisher() ? client : broker, task);
    }

    private static boolean waitsFor(SimNode node, Runnable task) {
        boolean stopped = node.isStopped();
        if (stopped) {
            node.whenItGoesOn(task);
        }
        return stopped;
    }

    private void toBroker(HopMessage message) {
        control(up, true, () -> {
            note(message);
            if (isFromPublisher()) {
                receiver().on(message);
            } else if (brokerSender != null) {
                brokerSender.on(message);
            }
        });
    }

    void subscribe(SubscriptionSpec spec) {
        control(up, true, () -> {
            brokerSender = broker.subscribe(this, spec, outcome -> {
                if (!outcome.isRefused()) {
                    chain.subscribed(spec);
                    broker.serves(this, spec);
                }
            });
            pull();
        });
    }

    private void note(HopMessage message) {
        if (message instanceof HopMessage.Open open) {
            announced.add(open.manifest().key());
        } else if (message instanceof HopMessage.Refuse || message instanceof HopMessage.Nack) {
            chain.invariants.resumeFromDurable.fault(this);
        }
    }

    /** Whether the transfer's OPEN has arrived on this session. */
    boolean isAnnounced(TransferKey key) {
        return announced.contains(key);
    }

    // --- the streams

    /** Streams that have room take their next packets. */
    void pull() {
        chain.scheduler.after(chain.random.nextLong(Plan.MILLIS), this::pullNow);
    }

    private void pullNow() {
        if (senderIsStopped(this::pullNow)) {
            return;
        }
        HopSender sender = sender();
        if (sender == null) {
            return;
        }
        if (cut) {
            pullInVain(sender);
            return;
        }
        int first = chain.random.nextInt(streams.length);
        for (int i = 0; i < streams.length; i++) {
            SimStream stream = streams[(first + i) % streams.length];
            while (stream.hasRoom()) {
                OutboundPacket packet = sender.next(stream.number);
                if (packet == null) {
                    break;
                }
                chain.invariants.packetLeaves(this, packet);
                stream.send(packet);
            }
        }
        chain.invariants.boundedMemory.afterPull(this, sender);
    }

    /** The sending end does not know yet that the session is over: sockets whose end it has not seen still take something. */
    private void pullInVain(HopSender sender) {
        for (SimStream stream : streams) {
            OutboundPacket packet = stream.takesInVain() ? sender.next(stream.number) : null;
            if (packet != null) {
                chain.invariants.packetLeaves(this, packet);
                packet.payload().release();
                pull();
            }
        }
    }

    private int liveStreams() {
        int live = 0;
        for (SimStream stream : streams) {
            live += stream.isAlive() ? 1 : 0;
        }
        return Math.max(1, live);
    }

    /** A stream dies; its sender learns of it, and a new one takes its place. */
    void loseStream() {
        if (cut) {
            return;
        }
        int place = chain.random.nextInt(streams.length);
        SimStream lost = streams[place];
        if (!lost.isAlive()) {
            return;
        }
        chain.count(Fault.STREAM_LOST);
        chain.invariants.resumeFromDurable.fault(this);
        lost.die();
        dying.add(lost);
        chain.scheduler.after(chain.quick(), () -> replaceStream(lost, place));
    }

    private void replaceStream(SimStream lost, int place) {
        if (senderIsStopped(() -> replaceStream(lost, place))) {
            return;
        }
        HopSender sender = sender();
        if (!cut && sender != null && chain.plan.bug != PlantedBug.STREAM_LOSS_UNSEEN) {
            sender.streamLost(lost.number);
        }
        chain.scheduler.after(chain.quick(), () -> {
            streams[place] = new SimStream(this, nextStream++);
            pull();
        });
    }

    /** The session is over, but the sending end may see one stream after the other end before it learns so. */
    private void streamsEndOneByOne() {
        for (SimStream stream : streams) {
            chain.scheduler.after(chain.quickAside(), () -> streamEnds(stream));
        }
    }

    private void streamEnds(SimStream stream) {
        if (senderIsStopped(() -> streamEnds(stream))) {
            return;
        }
        HopSender sender = sender();
        if (sender != null) {
            chain.count(Fault.STREAM_ENDED_BEFORE_ITS_SESSION);
            stream.endIsSeen();
            sender.streamLost(stream.number);
        }
    }

    void stallStream() {
        SimStream stream = streams[chain.random.nextInt(streams.length)];
        chain.count(Fault.STREAM_STALLED);
        stream.stall((300 + chain.random.nextInt(2500)) * Plan.MILLIS);
    }

    // --- its end

    /** The network drops the session. With {@code halfOpen} one end learns of it much later, or by the next session only. */
    void lose(boolean halfOpen) {
        if (cut) {
            return;
        }
        cutNow();
        boolean late = chain.random.nextBoolean();
        long soon = chain.quick();
        long later = halfOpen ? (500 + chain.random.nextInt(3000)) * Plan.MILLIS : chain.quick();
        chain.scheduler.after(late ? later : soon, this::clientLearns);
        chain.scheduler.after(late ? soon : later, this::brokerLearns);
    }

    /** Nothing was heard of one end for too long: the other gives the session up. That one learns of it when it goes on. */
    void silent(SimNode stopped) {
        boolean isEnd = stopped == client ? clientAlive() : stopped == broker && brokerAlive();
        if (cut || !isEnd) {
            return;
        }
        chain.count(Fault.GIVEN_UP_WHILE_STOPPED);
        cutNow();
        boolean believes = chain.plan.bug == PlantedBug.WOKEN_BELIEVES_ITS_SESSION;
        chain.scheduler.after(chain.quick(), stopped == client ? this::brokerLearns : this::clientLearns);
        if (!believes) {
            stopped.whenItGoesOn(() ->
                    chain.scheduler.after(chain.quick(), stopped == client ? this::clientLearns : this::brokerLearns));
        }
    }

    private void cutNow() {
        cut = true;
        chain.invariants.resumeFromDurable.fault(this);
        up.lastToDeliver = up.delivered + chain.random.nextLong(up.sent - up.delivered + 1);
        down.lastToDeliver = down.delivered + chain.random.nextLong(down.sent - down.delivered + 1);
        for (SimStream stream : streams) {
            stream.die();
        }
        if (chain.plan.kind.isRandom()) {
            for (SimStream stream : streams) {
                stream.beginsToTakeInVain();
            }
            streamsEndOneByOne();
        }
    }

    void clientDied() {
        receiverEndsWith(!isFromPublisher());
        clientKnows = true;
        if (!cut) {
            cutNow();
            chain.scheduler.after(chain.slow(), this::brokerLearns);
        }
    }

    void brokerDied() {
        receiverEndsWith(isFromPublisher());
        brokerKnows = true;
        if (!cut) {
            cutNow();
            chain.scheduler.after(chain.slow(), this::clientLearns);
        }
    }

    private void receiverEndsWith(boolean thisEnd) {
        if (thisEnd) {
            discardStreams();
            receiverDown = true;
        }
    }

    private void clientLearns() {
        if (waitsFor(client, this::clientLearns)) {
            return;
        }
        if (!clientKnows && client.up && client.life == clientLife) {
            clientKnows = true;
            client.lost(this);
        }
    }

    void brokerLearns() {
        if (waitsFor(broker, this::brokerLearns)) {
            return;
        }
        if (!brokerKnows && broker.up && broker.life == brokerLife) {
            if (!cut) {
                cutNow();
                chain.scheduler.after(chain.quick(), this::clientLearns);
            }
            brokerKnows = true;
            broker.ended(this);
        }
    }

    /** The receiving end closes its receiver: what is being read is given up. What still arrives must have no effect. */
    void receiverDown() {
        HopReceiver old = receiver;
        if (old == null || receiverDown) {
            return;
        }
        for (SimStream stream : streams) {
            stream.breakOff();
        }
        dying.forEach(SimStream::breakOff);
        receiverDown = true;
        old.linkDown();
        if (chain.strikes(Fault.LATE_LEFTOVERS, 1)) {
            for (SimStream stream : streams) {
                stream.deliverLeftovers(old);
            }
        }
        discardStreams();
    }

    /** Gives back what streams have borrowed, at the end of the schedule. */
    void discardStreams() {
        for (SimStream stream : streams) {
            stream.discard();
        }
        dying.forEach(SimStream::discard);
    }

    /** An end's view of the session. */
    private final class Link implements HopLink {
        private final boolean ofClient;

        Link(boolean ofClient) {
            this.ofClient = ofClient;
        }

        @Override
        public void send(HopMessage message) {
            HopMessage encoded = copy(message);
            if (chain.plan.bug == PlantedBug.ACKS_LOST
                    && message instanceof HopMessage.Ack
                    && chain.random.nextInt(4) == 0) {
                return;
            }
            if (ofClient) {
                chain.invariants.messageLeaves(client, encoded);
                toBroker(encoded);
            } else {
                chain.invariants.messageLeaves(broker, encoded);
                chain.invariants.leavesFor(client, encoded);
                control(down, false, () -> {
                    note(encoded);
                    client.hear(encoded);
                });
            }
        }

        /** What the codec does: what changes in the sender's objects later does not change the message. */
        private HopMessage copy(HopMessage message) {
            if (message instanceof HopMessage.Resume resume) {
                return new HopMessage.Resume(resume.key(), resume.durable().copy());
            }
            if (message instanceof HopMessage.Ack ack) {
                return new HopMessage.Ack(ack.key(), ack.ranges().copy());
            }
            return message;
        }

        @Override
        public void wake() {
            pull();
        }

        @Override
        public void probe(Runnable then) {
            if (chain.plan.bug == PlantedBug.DYING_PEER_TAKEN_FOR_ALIVE) {
                chain.scheduler.after(0, then);
            } else {
                control(ofClient, () -> control(!ofClient, then));
            }
        }

        @Override
        public void end(String reason) {
            throw new AssertionError("a schedule damages less than that: " + reason);
        }

        @Override
        public int streams() {
            return liveStreams();
        }
    }
}
