package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * One side of a session in virtual time: messages arrive in order, packets in any order, damaged or lost with their stream.
 * Something is only sent when the test lets the session {@link #deliver}.
 */
final class SimulatedLink implements CallLink {
    private final CallHandler own;
    private final Random random;
    private final Deque<Runnable> messages = new ArrayDeque<>();
    private final List<Runnable> packets = new ArrayList<>();
    private CallHandler peerHandler;
    private SimulatedLink peer;
    private boolean over;

    private SimulatedLink(CallHandler own, Random random) {
        this.own = own;
        this.random = random;
    }

    /** A session between two handlers, which hear that it is up. */
    static SimulatedLink between(CallHandler a, CallHandler b, Random random) {
        SimulatedLink one = new SimulatedLink(a, random);
        SimulatedLink two = new SimulatedLink(b, random);
        one.peer = two;
        one.peerHandler = b;
        two.peer = one;
        two.peerHandler = a;
        a.onUp(one);
        b.onUp(two);
        return one;
    }

    @Override
    public void ask(long call, Topic topic, Question question) {
        messages.add(() -> peerHandler.onAsked(peer, call, topic, question));
    }

    @Override
    public void cancel(long call) {
        messages.add(() -> peerHandler.onCancelled(peer, call));
    }

    @Override
    public void refuse(long call, Refusal refusal) {
        messages.add(() -> peerHandler.onRefused(peer, call, refusal));
    }

    @Override
    public void answer(long call, Answer answer) {
        messages.add(() -> peerHandler.onAnswered(peer, call, answer));
    }

    @Override
    public boolean isBackedUp() {
        return false;
    }

    @Override
    public void wasDamaged(Topic topic, Question question) {
        // It is asked again, and that is what tests look at.
    }

    @Override
    public void answer(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        if (over) {
            return;
        }
        byte[] bytes = new byte[length];
        buffer.payload(0, length).get(bytes);
        packets.add(() -> {
            if (random.nextInt(20) == 0) { // its stream is lost
                refuse(call, new Refusal(ErrorCode.UNREACHABLE, "lost"));
                return;
            }
            FragmentBuffer memory = peerHandler.memoryFor(peer, call, length);
            if (memory != null) {
                memory.retain();
                memory.payload(0, length).put(bytes);
                if (random.nextInt(20) == 0) {
                    memory.payload(0, length).put(0, (byte) ~bytes[0]);
                }
                peerHandler.onAnswered(peer, call, answer, memory, length, crc32c);
                memory.release();
            }
        });
    }

    /** Lets one thing arrive, in one of the directions; false if nothing is on its way. */
    boolean deliver() {
        boolean swap = random.nextBoolean();
        return swap ? peer.deliverOne() || deliverOne() : deliverOne() || peer.deliverOne();
    }

    private boolean deliverOne() {
        if (!messages.isEmpty() && (packets.isEmpty() || random.nextBoolean())) {
            messages.remove().run();
            return true;
        }
        if (!packets.isEmpty()) {
            packets.remove(random.nextInt(packets.size())).run();
            return true;
        }
        return false;
    }

    /** The other side's view. */
    SimulatedLink peer() {
        return peer;
    }

    /** The session dies with what is on its way; both sides hear it. */
    void die() {
        for (SimulatedLink side : List.of(this, peer)) {
            side.over = true;
            side.messages.clear();
            side.packets.clear();
            side.own.onDown(side);
        }
    }
}
