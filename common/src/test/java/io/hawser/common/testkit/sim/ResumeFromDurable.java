package io.hawser.common.testkit.sim;

import io.hawser.common.hop.OutboundPacket;
import io.hawser.common.hop.PacketHeader;
import io.hawser.common.model.TransferKey;
import io.hawser.common.testkit.InvariantName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is sent again is at most what faults have made doubtful: for each of them no more than was in flight. */
final class ResumeFromDurable {
    private final Chain chain;

    ResumeFromDurable(Chain chain) {
        this.chain = chain;
    }

    private static final long TAIL_WAIT_NANOS = 500 * Plan.MILLIS;

    private static final class Hop {
        final Map<TransferKey, Map<Long, long[]>> sent = new HashMap<>();
        long resentBytes;
        long faults;
    }

    private final Map<SimClient, Hop> hops = new LinkedHashMap<>();

    private Hop hop(SimClient client) {
        return hops.computeIfAbsent(client, unused -> new Hop());
    }

    void fault(SimSession session) {
        hop(session.client()).faults++;
    }

    /** A refusal makes everything of its transfer that is in flight doubtful, a NACK one fragment. */
    void turnedAway(SimNode node) {
        if (node instanceof SimClient client) {
            hop(client).faults++;
        } else {
            chain.publishers.forEach(publisher -> hop(publisher).faults++);
        }
    }

    /** The broker could not read a fragment back: what is in flight of its transfer is taken back. */
    void unreadable() {
        chain.consumers.forEach(consumer -> hop(consumer).faults++);
    }

    /** A node has died: everything in flight on its hops is doubtful. */
    void died(SimNode node) {
        chain.clients().filter(client -> node == client || node == chain.broker).forEach(client -> hop(client)
                .faults++);
    }

    /** The broker has forgotten it: its publisher sends all of it again, and consumers what was on its way to them. */
    void forgotten(TransferKey key) {
        chain.publishers.forEach(publisher -> hop(publisher).sent.remove(key));
        chain.consumers.forEach(consumer -> hop(consumer).faults++);
    }

    /** It has lost all it had: everything may be sent to it again. */
    void wiped(SimClient client) {
        hop(client).sent.clear();
    }

    void leaves(SimSession session, OutboundPacket packet) {
        Hop hop = hop(session.client());
        if (packet instanceof OutboundPacket.OfFragment fragment) {
            PacketHeader header = fragment.header();
            sent(hop, header.key(), header.index(), header.length(), header.fragmentLength());
        } else if (packet instanceof OutboundPacket.OfSmall small) {
            small.items()
                    .forEach(item -> sent(hop, item.manifest().key(), 0, item.length(), Math.max(1, item.length())));
        }
    }

    private void sent(Hop hop, TransferKey key, long index, int length, int fragmentLength) {
        // [0]: bytes sent, [1]: when last, [2]: bytes of a late copy that may follow
        long[] before =
                hop.sent.computeIfAbsent(key, unused -> new HashMap<>()).computeIfAbsent(index, unused -> new long[3]);
        long now = chain.scheduler.nowNanos();
        if (before[0] + length > fragmentLength) {
            if (now - before[1] > TAIL_WAIT_NANOS) {
                chain.count(Fault.TAIL_SENT_AGAIN); // by the tail policy, or after a fault: both allowed by time
                before[2] = fragmentLength;
            }
            if (before[2] >= length) {
                before[2] -= length;
            } else {
                hop.resentBytes += length;
            }
        }
        before[0] += length;
        before[1] = now;
    }

    void atEnd() {
        hops.forEach((client, hop) -> Invariants.check(
                hop.resentBytes <= hop.faults * boundPerFault(),
                InvariantName.RESUME_FROM_DURABLE,
                client + ": " + hop.resentBytes + " bytes sent again in " + hop.faults + " faults, each worth",
                boundPerFault()));
    }

    /** The window, the window of small transfers and the one fragment or item that may exceed each. */
    private long boundPerFault() {
        long window = Math.max(chain.plan.hop.windowBytes(), chain.plan.relay.publisherWindowBytes());
        return window + window / 2 + 2L * chain.plan.bufferBytes();
    }
}
