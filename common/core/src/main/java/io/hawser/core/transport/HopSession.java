package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.OutboundPacket;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.PacketPlacement;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.model.NodeId;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.trace.HopMessageEvent;
import io.hawser.core.why.WaitStage;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.MalformedMessageException;
import io.hawser.core.wire.SessionCodec;
import io.hawser.core.wire.SessionMessage;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import io.hawser.ptcp.PtcpPacket;
import io.hawser.ptcp.PtcpSession;
import io.hawser.ptcp.tune.SendLimit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects the hops of one session to PTCP: translates between the session's frames and the state machines, and reads arriving payloads
 * straight into fragment buffers.
 *
 * <p>Thread: the session's loop.
 */
public final class HopSession implements PtcpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(HopSession.class);

    private static final int FRAGMENT_HEADER_BYTES = 128;
    /** While more control bytes wait to leave, the peer does not read its answers, and no further message or packet of it is read. */
    private static final long MAX_PENDING_CONTROL_BYTES = 256 << 10;
    /** How long packets may wait for memory before a partial fragment is dropped, in ticks of 100 ms. */
    private static final int DROP_PARTIAL_AFTER_TICKS = 30;

    /** Handles the events of a session that belong to no hop. Called on the session's loop. */
    public interface Owner {
        void onOpen(HopSession session);

        /** A message that belongs to no hop. */
        void onMessage(HopSession session, SessionMessage message);

        /** The session is over. Its receivers know, its senders do not. */
        void onClosed(HopSession session, PtcpException cause);
    }

    /** How long the rest of an answer that nobody waits for any more may hold its memory, in ticks of 100 ms. */
    private static final int DROP_UNWANTED_AFTER_TICKS = 100;

    /** A packet that is being read. */
    private static final class Arriving {
        private final StreamHeader header;
        private final FragmentBuffer buffer;
        private int unwantedTicks;

        private Arriving(StreamHeader header, FragmentBuffer buffer) {
            this.header = header;
            this.buffer = buffer;
        }
    }

    private final FragmentBufferPool pool;
    private final Owner owner;
    private final Map<Integer, HopReceiver> receivers = new HashMap<>();
    private final Map<Integer, Arriving> arriving = new HashMap<>();
    /** The headers of packets that wait, by stream: they are decoded once. */
    private final Map<Integer, StreamHeader> waiting = new HashMap<>();

    private final List<SendingHop> senders = new ArrayList<>();
    private final SessionCalls calls = new SessionCalls(this);
    private boolean answersFirst;
    private int nextSender;
    private SenderAllowance allowance = SenderAllowance.UNLIMITED;
    private boolean controlPaused;
    private boolean damageLogged;
    private boolean waitingForMemory;
    /** Packets wait until the peer's allowance has something left. */
    private boolean waitingForAllowance;

    private int ticksWaiting;
    private @Nullable PtcpSession session;
    private @Nullable Greeting peer;

    private record SendingHop(int hop, HopSender sender) {}

    public HopSession(FragmentBufferPool pool, Owner owner) {
        this.pool = pool;
        this.owner = owner;
    }

    /** The peer's greeting; {@link IllegalStateException} before the session is open. */
    public Greeting peer() {
        Greeting known = peer;
        if (known == null) {
            throw new IllegalStateException("the session is not open yet");
        }
        return known;
    }

    /** The PTCP session; {@link IllegalStateException} before it is open. */
    public PtcpSession session() {
        PtcpSession open = session;
        if (open == null) {
            throw new IllegalStateException("the session is not open yet");
        }
        return open;
    }

    /** Attaches the handler of remote calls; calls its {@code onUp}. */
    public void attach(CallHandler handler) {
        assert isOnLoop();
        calls.attach(handler);
    }

    /** Limits the peer: its messages count in that allowance, and are read as fast as it allows. */
    public void limitBy(SenderAllowance allowance) {
        assert isOnLoop();
        this.allowance = allowance;
    }

    /** The remote calls of this session. */
    public CallLink calls() {
        return calls;
    }

    public HopLink link(int hop) {
        return new Link(hop);
    }

    /** Attaches a sending hop, and detaches the hop's earlier sender. A sender sends on one hop. The caller calls its {@link HopSender#linkUp}. */
    public void attach(int hop, HopSender sender) {
        assert isOnLoop();
        senders.removeIf(sending -> sending.hop == hop || sending.sender == sender);
        senders.add(new SendingHop(hop, sender));
    }

    public void attach(int hop, HopReceiver receiver) {
        assert isOnLoop();
        HopReceiver before = receivers.put(hop, receiver);
        if (before != null) {
            before.linkDown(); // or the memory of what it has in part would be lost
        }
    }

    public void detach(int hop) {
        assert isOnLoop();
        HopReceiver receiver = receivers.remove(hop);
        if (receiver != null) {
            receiver.linkDown();
        }
    }

    public void detachSender(int hop) {
        assert isOnLoop();
        senders.removeIf(sending -> sending.hop == hop);
    }

    /** Detaches all hops, which another session has taken over: later packets on this one have no effect. */
    public void detach() {
        assert isOnLoop();
        senders.clear();
        receivers.values().forEach(HopReceiver::linkDown);
        receivers.clear();
        calls.down();
    }

    private boolean isOnLoop() {
        PtcpSession open = session;
        return open == null || open.loop().inEventLoop();
    }

    /** Sends a message on the communication channel. */
    public void send(SessionMessage message) {
        assert isOnLoop();
        ByteBuf bytes = ByteBufAllocator.DEFAULT.buffer(256);
        SessionCodec.encode(bytes, message);
        session().sendControl(bytes);
    }

    /** To be called every 100 ms. */
    public void tick() {
        assert isOnLoop();
        receivers.values().forEach(HopReceiver::tick);
        dropUnwantedAnswers();
        if (controlPaused && !isTooFast()) {
            controlPaused = false;
            session().pauseControl(false);
        }
        boolean waits = waitingForMemory || waitingForAllowance;
        readWaitingPackets();
        if (!waits) {
            ticksWaiting = 0;
        } else if (++ticksWaiting >= DROP_PARTIAL_AFTER_TICKS) {
            ticksWaiting = 0;
            for (HopReceiver receiver : receivers.values()) {
                if (receiver.dropPartialFragment()) {
                    return;
                }
            }
        }
    }

    /** An answer's memory is free only when no stream reads into it: a peer that sends half of one would keep it. */
    private void dropUnwantedAnswers() {
        List<Integer> stuck = new ArrayList<>();
        arriving.forEach((stream, packet) -> {
            StreamHeader.OfAnswerPart part = partOf(packet.header, 0);
            if (part != null && !calls.awaits(part) && ++packet.unwantedTicks > DROP_UNWANTED_AFTER_TICKS) {
                stuck.add(stream);
            }
        });
        stuck.forEach(session()::dropStream);
    }

    @Override
    public void onOpen(PtcpSession opened) {
        session = opened;
        try {
            peer = Greeting.decode(opened.peerGreeting());
            owner.onOpen(this);
        } catch (MalformedMessageException e) {
            opened.close("unusable greeting: " + e.getMessage());
        }
    }

    private boolean isTooFast() {
        return allowance.isOverRate() || isBackedUp();
    }

    boolean isBackedUp() {
        return session().pendingControlBytes() > MAX_PENDING_CONTROL_BYTES;
    }

    @Override
    public void onControl(PtcpSession from, ByteBuf bytes) {
        allowance.messageReceived();
        if (!controlPaused && isTooFast()) {
            controlPaused = true;
            from.pauseControl(true);
        }
        try {
            SessionMessage message = SessionCodec.decode(bytes);
            if (message instanceof SessionMessage.OfHop ofHop) {
                onHopMessage(ofHop.hop(), ofHop.message());
            } else if (message instanceof SessionMessage.OfCall ofCall) {
                calls.on(ofCall);
            } else {
                owner.onMessage(this, message);
            }
        } catch (MalformedMessageException e) {
            from.close("malformed message: " + e.getMessage());
        }
    }

    private void onHopMessage(int hop, HopMessage message) {
        HopMessageEvent.message(false, hop, message);
        HopReceiver receiver = receivers.get(hop);
        if (receiver != null) {
            receiver.on(message);
            readWaitingPackets();
            return;
        }
        for (SendingHop sending : senders) {
            if (sending.hop == hop) {
                if (ends(message)) {
                    allowance.recordWritten();
                }
                sending.sender.on(message);
            }
        }
    }

    /** Whether the peer says what became of a transfer: that is written down. */
    private static boolean ends(HopMessage message) {
        return message instanceof HopMessage.ReceiptNotice
                || message instanceof HopMessage.Committed
                || message instanceof HopMessage.Refuse
                || message instanceof HopMessage.Cancelled;
    }

    @Override
    public @Nullable ByteBuf onPacketHeader(PtcpSession from, int stream, ByteBuf bytes, int payloadLength) {
        StreamHeader header = waiting.remove(stream);
        if (header == null) {
            try {
                header = StreamHeaderCodec.decode(bytes, payloadLength);
            } catch (MalformedMessageException e) {
                from.close("malformed packet: " + e.getMessage());
                return DISCARD;
            }
        }
        PacketPlacement placement = place(header, payloadLength);
        if (placement instanceof PacketPlacement.AwaitMemory) {
            waiting.put(stream, header);
            waitForMemory(from);
            return null;
        }
        if (placement instanceof PacketPlacement.AwaitAllowance) {
            waiting.put(stream, header);
            waitingForAllowance = true;
            return null;
        }
        if (placement instanceof PacketPlacement.InBuffer into) {
            arriving.put(stream, new Arriving(header, into.buffer()));
            ByteBuf memory = into.buffer().retainedPayload(into.offset(), payloadLength);
            return memory.setIndex(0, 0);
        }
        return DISCARD;
    }

    private PacketPlacement place(StreamHeader header, int payloadLength) {
        StreamHeader.OfAnswerPart answer = partOf(header, payloadLength);
        if (answer != null) {
            return placeAnswer(answer, payloadLength);
        }
        if (isBackedUp()) {
            return new PacketPlacement.AwaitAllowance(); // for each packet there may be an answer
        }
        HopReceiver receiver = receivers.get(header.hop());
        if (receiver == null) {
            if (allowance.isOverRate()) {
                return new PacketPlacement.AwaitAllowance();
            }
            allowance.refused(1);
            return new PacketPlacement.Discard();
        }
        if (header instanceof StreamHeader.OfFragment fragment) {
            return receiver.place(fragment.header());
        }
        return header instanceof StreamHeader.OfSmall small && payloadLength <= pool.payloadCapacity()
                ? receiver.place(small.items())
                : new PacketPlacement.Discard();
    }

    private PacketPlacement placeAnswer(StreamHeader.OfAnswerPart answer, int payloadLength) {
        if (allowance.isOverRate()) {
            return new PacketPlacement.AwaitAllowance();
        }
        FragmentBuffer memory = calls.place(answer, payloadLength);
        if (memory == null) {
            allowance.refused(1);
            return new PacketPlacement.Discard();
        }
        return new PacketPlacement.InBuffer(memory.retain(), answer.offset());
    }

    /** Reads the packets that wait for the peer's allowance, if it may have something left now. */
    private void readWaitingPackets() {
        if (waitingForAllowance && !isTooFast()) {
            waitingForAllowance = false;
            session().resumePackets();
        }
    }

    /** The part of an answer that follows that header; null if none does. */
    private static StreamHeader.@Nullable OfAnswerPart partOf(StreamHeader header, int payloadLength) {
        if (header instanceof StreamHeader.OfAnswer whole) {
            return new StreamHeader.OfAnswerPart(whole, 0, payloadLength);
        }
        return header instanceof StreamHeader.OfAnswerPart part ? part : null;
    }

    private void waitForMemory(PtcpSession from) {
        if (!waitingForMemory) {
            waitingForMemory = true;
            pool.whenAvailable(() -> from.loop().execute(() -> {
                waitingForMemory = false;
                from.resumePackets();
            }));
        }
    }

    @Override
    public void onPacket(PtcpSession from, int stream, ByteBuf header, ByteBuf payload) {
        Arriving packet = arriving.remove(stream);
        if (packet == null) {
            return;
        }
        StreamHeader.OfAnswerPart answer = partOf(packet.header, payload.readableBytes());
        if (answer != null) {
            calls.received(answer, packet.buffer, payload.readableBytes());
            packet.buffer.release();
            return;
        }
        HopReceiver receiver = receivers.get(packet.header.hop());
        if (receiver != null) {
            long damagedBefore = receiver.damagedFragments();
            if (packet.header instanceof StreamHeader.OfFragment fragment) {
                traced(false, fragment);
                receiver.received(fragment.header(), packet.buffer);
            } else if (packet.header instanceof StreamHeader.OfSmall small) {
                receiver.received(small.items(), packet.buffer);
            }
            if (receiver.damagedFragments() > damagedBefore && !damageLogged) {
                damageLogged = true;
                LOG.atWarn()
                        .addKeyValue("session", from.id())
                        .addKeyValue("stream", stream)
                        .addKeyValue("packet", packet.header)
                        .log(
                                "Bytes arrived damaged (CRC32C) and are sent again; further damage in this session is only counted");
            }
        }
        packet.buffer.release();
    }

    @Override
    public @Nullable PtcpPacket nextPacket(PtcpSession to, int stream) {
        answersFirst = !answersFirst; // alternate, so that neither starves the other
        PtcpPacket first = answersFirst ? calls.next(stream) : nextOfHops(stream);
        if (first != null) {
            return first;
        }
        return answersFirst ? nextOfHops(stream) : calls.next(stream);
    }

    private @Nullable PtcpPacket nextOfHops(int stream) {
        for (int tried = 0; tried < senders.size(); tried++) {
            SendingHop sending = senders.get(Math.floorMod(nextSender++, senders.size()));
            OutboundPacket packet = sending.sender.next(stream);
            if (packet != null) {
                return new PtcpPacket(header(sending.hop, packet), packet.payload());
            }
        }
        return null;
    }

    private static void traced(boolean sent, StreamHeader.OfFragment of) {
        PacketHeader header = of.header();
        HopMessageEvent.packet(sent, of.hop(), header.key(), header.index(), header.offset(), header.length());
    }

    private static ByteBuf header(int hop, OutboundPacket packet) {
        ByteBuf bytes;
        if (packet instanceof OutboundPacket.OfFragment fragment) {
            bytes = Unpooled.buffer(FRAGMENT_HEADER_BYTES);
            StreamHeader.OfFragment header = new StreamHeader.OfFragment(hop, fragment.header());
            traced(true, header);
            StreamHeaderCodec.encode(bytes, header);
        } else {
            bytes = ByteBufAllocator.DEFAULT.buffer();
            OutboundPacket.OfSmall small = (OutboundPacket.OfSmall) packet;
            StreamHeaderCodec.encode(bytes, new StreamHeader.OfSmall(hop, small.items()));
        }
        return bytes;
    }

    @Override
    public void onStreamLost(PtcpSession from, int stream) {
        waiting.remove(stream);
        Arriving packet = arriving.remove(stream);
        if (packet != null) {
            abandon(packet);
        }
        senders.forEach(sending -> sending.sender.streamLost(stream));
        calls.streamLost(stream);
    }

    private void abandon(Arriving packet) {
        FragmentBuffer buffer = packet.buffer;
        HopReceiver receiver = receivers.get(packet.header.hop());
        if (receiver != null && packet.header instanceof StreamHeader.OfFragment fragment) {
            receiver.lost(fragment.header(), buffer);
        } else if (receiver != null && packet.header instanceof StreamHeader.OfSmall) {
            receiver.smallsLost();
        }
        buffer.release();
    }

    @Override
    public void onClosed(PtcpSession from, PtcpException cause) {
        arriving.values().forEach(this::abandon);
        arriving.clear();
        waiting.clear();
        receivers.values().forEach(HopReceiver::linkDown);
        calls.down();
        owner.onClosed(this, cause);
    }

    /** A hop's view of the session. */
    private final class Link implements HopLink {
        private final int hop;

        Link(int hop) {
            this.hop = hop;
        }

        @Override
        public void send(HopMessage message) {
            HopMessageEvent.message(true, hop, message);
            HopSession.this.send(new SessionMessage.OfHop(hop, message));
            readWaitingPackets();
        }

        @Override
        public void wake() {
            session().wakeStreams();
        }

        @Override
        public void probe(Runnable then) {
            session().probe(then);
        }

        @Override
        public void end(String reason) {
            session().close(reason);
        }

        @Override
        public @Nullable NodeId peer() {
            return HopSession.this.peer().node();
        }

        @Override
        public boolean isBackedUp() {
            return HopSession.this.isBackedUp();
        }

        @Override
        public WaitStage limit() {
            return switch (session().sendLimit().cause()) {
                case RATE -> WaitStage.RATE_LIMIT;
                case LOSS -> WaitStage.LOSS;
                case WINDOW -> WaitStage.STREAM_WINDOW;
                case LINK, UNKNOWN -> WaitStage.LINK;
            };
        }

        @Override
        public String limitDetail() {
            SendLimit limit = session().sendLimit();
            return limit.bytesPerSecond() == 0 ? "" : LimitText.of(limit, streams());
        }

        @Override
        public int streams() {
            return Math.max(1, session().liveStreams());
        }

        @Override
        public int packetBytes(int stream) {
            return session().packetBytes(stream);
        }

        @Override
        public int stuckBytes(int stream) {
            return session().stuckBytes(stream);
        }
    }
}
