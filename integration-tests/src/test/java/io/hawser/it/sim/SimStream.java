package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.OutboundPacket;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.PacketPlacement;
import io.hawser.core.integrity.Crc32c;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of a session: packets arrive in their order, read in two steps straight into the receiver's memory. When
 * it dies, a prefix of what it carried still arrives.
 */
final class SimStream {
    private static final int ROOM = 2;

    /** A packet on its way. Its payload is borrowed until the socket has taken it. */
    private static final class Carried {
        final OutboundPacket packet;
        byte @Nullable [] bytes;

        Carried(OutboundPacket packet) {
            this.packet = packet;
        }

        byte[] taken() {
            byte[] known = bytes;
            if (known == null) {
                known = new byte[packet.payload().readableBytes()];
                packet.payload().getBytes(packet.payload().readerIndex(), known);
                bytes = known;
                packet.payload().release();
            }
            return known;
        }
    }

    private final SimSession session;
    private final SimChain chain;
    final int number;
    private final ArrayDeque<Carried> carried = new ArrayDeque<>();
    private long lastArrivalNanos;
    private int arrived;
    private boolean reading;
    private boolean dead;
    private int takesInVain;
    private long stalledUntilNanos;
    private long putOffSinceNanos;

    private @Nullable FragmentBuffer into;
    private @Nullable PacketHeader intoHeader;

    SimStream(SimSession session, int number) {
        this.session = session;
        this.chain = session.chain();
        this.number = number;
    }

    boolean isAlive() {
        return !dead;
    }

    /** It is dead, and its sender's socket takes a few packets that go nowhere. */
    void beginsToTakeInVain() {
        takesInVain = ROOM;
    }

    void endIsSeen() {
        takesInVain = 0;
    }

    /** Whether it takes one more. */
    boolean takesInVain() {
        return takesInVain-- > 0;
    }

    boolean hasRoom() {
        return !dead && carried.size() < ROOM;
    }

    void stall(long nanos) {
        stalledUntilNanos = chain.scheduler.nowNanos() + nanos;
    }

    /** The sender gives a packet. */
    void send(OutboundPacket packet) {
        Carried one = new Carried(packet);
        carried.add(one);
        chain.scheduler.after(chain.random.nextLong(3 * Plan.MILLIS), one::taken);
        long arrival = chain.scheduler.nowNanos() + chain.quick();
        lastArrivalNanos = Math.max(Math.max(arrival, lastArrivalNanos + 1), stalledUntilNanos);
        chain.scheduler.after(lastArrivalNanos - chain.scheduler.nowNanos(), () -> {
            arrived++;
            read();
        });
    }

    /** Reads the next packet that has arrived, if none is being read. */
    private void read() {
        if (reading || arrived == 0 || carried.isEmpty() || !session.receiverListens()) {
            return;
        }
        if (session.receiverIsStopped(this::read)) {
            return;
        }
        if (chain.scheduler.nowNanos() < stalledUntilNanos) {
            chain.scheduler.after(stalledUntilNanos - chain.scheduler.nowNanos(), this::read);
            return;
        }
        Carried next = carried.getFirst();
        byte[] bytes = next.taken();
        HopReceiver receiver = session.receiver();
        if (next.packet instanceof OutboundPacket.OfFragment fragment) {
            readFragment(receiver, fragment.header(), bytes);
        } else {
            readSmall(receiver, (OutboundPacket.OfSmall) next.packet, bytes);
        }
    }

    private void readFragment(HopReceiver receiver, PacketHeader header, byte[] bytes) {
        if (!session.isAnnounced(header.key())) {
            chain.count(Fault.PACKET_BEFORE_OPEN);
        }
        PacketPlacement place = receiver.place(header);
        if (chain.isTraced()) {
            String what = "place of " + header.index() + "@" + header.offset();
            chain.trace(session.client(), what, place + " stream " + number);
        }
        if (place instanceof PacketPlacement.AwaitMemory || place instanceof PacketPlacement.AwaitAllowance) {
            putOff(receiver);
        } else if (place instanceof PacketPlacement.InBuffer target) {
            putOffSinceNanos = 0;
            reading = true;
            into = target.buffer();
            byte[] wire = perhapsFlipped(bytes);
            intoHeader = header;
            if (chain.plan.bug == PlantedBug.CRC_NOT_CHECKED) {
                intoHeader = withChecksumOf(wire, header);
            }
            int first = chain.random.nextInt(wire.length + 1);
            target.buffer().payload(target.offset(), first).put(wire, 0, first);
            chain.scheduler.after(chain.random.nextLong(4 * Plan.MILLIS), () -> finish(receiver, target, wire, first));
        } else {
            putOffSinceNanos = 0;
            chain.invariants.packetDiscarded(header);
            next();
        }
    }

    private static PacketHeader withChecksumOf(byte[] wire, PacketHeader header) {
        return new PacketHeader(
                header.key(),
                header.index(),
                header.offset(),
                header.length(),
                header.fragmentLength(),
                Crc32c.of(ByteBuffer.wrap(wire)),
                header.leaf(),
                header.resent());
    }

    private void finish(HopReceiver receiver, PacketPlacement.InBuffer target, byte[] wire, int first) {
        if (into != target.buffer() || !reading) {
            return; // the reading was broken off
        }
        if (session.receiverIsStopped(() -> finish(receiver, target, wire, first))) {
            return;
        }
        target.buffer().payload(target.offset() + first, wire.length - first).put(wire, first, wire.length - first);
        PacketHeader header = Objects.requireNonNull(intoHeader);
        into = null;
        intoHeader = null;
        if (chain.isTraced()) {
            chain.trace(session.client(), "received " + header.index() + "@" + header.offset(), "");
        }
        receiver.received(header, target.buffer());
        target.buffer().release();
        next();
    }

    private void readSmall(HopReceiver receiver, OutboundPacket.OfSmall packet, byte[] bytes) {
        PacketPlacement place = receiver.place(packet.items());
        if (place instanceof PacketPlacement.Discard) {
            putOffSinceNanos = 0;
            next();
            return;
        }
        if (!(place instanceof PacketPlacement.InBuffer target)) {
            putOff(receiver);
            return;
        }
        FragmentBuffer buffer = target.buffer();
        putOffSinceNanos = 0;
        byte[] wire = perhapsFlipped(bytes);
        buffer.payload(0, wire.length).put(wire);
        chain.trace(session.client(), "received small", packet.items());
        receiver.received(packet.items(), buffer);
        buffer.release();
        next();
    }

    private void putOff(HopReceiver receiver) {
        long now = chain.scheduler.nowNanos();
        chain.count(Fault.MEMORY_SHORT);
        if (putOffSinceNanos == 0) {
            putOffSinceNanos = now;
        } else if (now - putOffSinceNanos > 300 * Plan.MILLIS) {
            putOffSinceNanos = now;
            if (receiver.dropPartialFragment()) {
                chain.count(Fault.PARTIAL_GIVEN_UP);
            }
        }
        reading = true;
        chain.scheduler.after(10 * Plan.MILLIS, () -> {
            if (reading && into == null) {
                reading = false;
                read();
            }
        });
    }

    private byte[] perhapsFlipped(byte[] bytes) {
        if (bytes.length == 0 || !chain.strikes(Fault.BIT_FLIPPED, 25)) {
            return bytes;
        }
        byte[] flipped = bytes.clone();
        flipped[chain.random.nextInt(bytes.length)] ^= (byte) (1 << chain.random.nextInt(8));
        return flipped;
    }

    private void next() {
        reading = false;
        carried.removeFirst();
        arrived--;
        if (!dead) {
            session.pull();
        }
        read();
    }

    /** The connection dies: of what it carries, a prefix still arrives. */
    void die() {
        dead = true;
        int kept = chain.random.nextInt(carried.size() + 1);
        if (reading && into != null && kept == 0) {
            breakOff();
        }
        int leave = reading ? Math.max(1, kept) : kept;
        while (carried.size() > leave) {
            carried.removeLast().taken();
        }
    }

    /** The receiving end is gone: what is being read is lost. */
    void breakOff() {
        FragmentBuffer buffer = into;
        PacketHeader header = intoHeader;
        if (buffer != null && header != null) {
            into = null;
            intoHeader = null;
            session.receiver().lost(header, buffer);
            buffer.release();
            carried.removeFirst();
            arrived--;
        }
        reading = false;
    }

    /** What is still on the way arrives at a receiver whose session is over. */
    void deliverLeftovers(HopReceiver old) {
        for (Carried one : carried) {
            byte[] bytes = one.taken();
            if (one.packet instanceof OutboundPacket.OfFragment fragment) {
                chain.invariants.staleAnswer(old.place(fragment.header()));
            } else if (one.packet instanceof OutboundPacket.OfSmall small) {
                FragmentBuffer buffer = session.receiverPool().tryAcquire();
                if (buffer != null) {
                    buffer.payload(0, bytes.length).put(bytes);
                    old.received(small.items(), buffer);
                    buffer.release();
                }
            }
        }
    }

    /** Gives back what is borrowed. */
    void discard() {
        carried.forEach(Carried::taken);
        carried.clear();
        arrived = 0;
        into = null;
        intoHeader = null;
        reading = false;
        dead = true;
    }
}
