package io.hawser.it.sim;

import io.hawser.core.hop.OutboundPacket;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is sent again is at most what faults have made doubtful: for each of them no more than was in flight, and of that each
 * fragment once. The death of a node is one fault to each of its hops, whatever its peers see of it: it is counted with the
 * session that it ends. Where a node dies that has no session nothing is in flight.
 */
final class ResumeFromDurable {
    private final SimChain chain;

    ResumeFromDurable(SimChain chain) {
        this.chain = chain;
    }

    private static final long TAIL_WAIT_NANOS = 500 * Plan.MILLIS;

    /** A fragment, or a small transfer, on its hop. */
    private static final class Sent {
        final long faultsBefore;
        long bytes;
        long lastNanos;
        /** Bytes of a late copy that may follow. */
        long lateBytes;

        Sent(long faultsBefore) {
            this.faultsBefore = faultsBefore;
        }
    }

    private static final class Hop {
        final Map<TransferKey, Map<Long, Sent>> sent = new HashMap<>();
        long resentBytes;
        long faults;
    }

    private final Map<SimClient, Hop> hops = new LinkedHashMap<>();

    private Hop hop(SimClient client) {
        return hops.computeIfAbsent(client, unused -> new Hop());
    }

    /**
     * Something happens to a session's hop: it is lost or one of its streams is, or its sender hears a refusal, which makes everything of
     * a transfer that is in flight doubtful, or a NACK, which makes one fragment so.
     */
    void fault(SimSession session) {
        hop(session.client()).faults++;
    }

    /** Where disks damage what publishers keep: what cannot be read is announced again, and all of it that is in flight is doubtful. */
    void announcedAgain(SimPublisher publisher) {
        if (chain.plan.hostile()) {
            hop(publisher).faults++;
        }
    }

    /** The broker could not read a fragment back: what is in flight of its transfer is taken back. */
    void unreadable() {
        chain.consumers.forEach(consumer -> hop(consumer).faults++);
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

    /**
     * It has dropped what it had of a transfer, since another member of its group gets it or its file has failed: if it gets it after all, it
     * gets all of it.
     */
    void beginsAgain(SimConsumer consumer, TransferKey key) {
        hop(consumer).sent.remove(key);
    }

    void leaves(SimSession session, OutboundPacket packet) {
        if (packet instanceof OutboundPacket.OfFragment fragment) {
            PacketHeader header = fragment.header();
            sent(session, header.key(), header.index(), header.length(), header.fragmentLength());
        } else if (packet instanceof OutboundPacket.OfSmall small) {
            small.items()
                    .forEach(
                            item -> sent(session, item.manifest().key(), 0, item.length(), Math.max(1, item.length())));
        }
    }

    private void sent(SimSession session, TransferKey key, long index, int length, int fragmentLength) {
        Hop hop = hop(session.client());
        // What leaves into a session that is cut already is lost by the fault that cut it.
        long faultsBefore = hop.faults - (session.isCut() ? 1 : 0);
        Sent before = hop.sent
                .computeIfAbsent(key, unused -> new HashMap<>())
                .computeIfAbsent(index, unused -> new Sent(faultsBefore));
        long now = chain.scheduler.nowNanos();
        boolean late = now - before.lastNanos > TAIL_WAIT_NANOS;
        before.lastNanos = now;
        if (before.bytes + length > fragmentLength) {
            if (late) {
                chain.count(Fault.TAIL_SENT_AGAIN); // by the tail policy, or after a fault: both allowed by time
                before.lateBytes = fragmentLength;
            }
            if (before.lateBytes >= length) {
                before.lateBytes -= length;
                return;
            }
            hop.resentBytes += length;
        }
        before.bytes += length;
        Invariants.check(
                before.bytes <= fragmentLength * (1 + hop.faults - before.faultsBefore),
                InvariantName.RESUME_FROM_DURABLE,
                session.client() + ": a fragment is sent again more often than faults made it doubtful",
                key + " " + index + ", " + before.bytes + " bytes");
    }

    void atEnd() {
        hops.forEach((client, hop) -> Invariants.check(
                hop.resentBytes <= hop.faults * boundPerFault(),
                InvariantName.RESUME_FROM_DURABLE,
                client + ": " + hop.resentBytes + " bytes sent again in " + hop.faults + " faults, each worth",
                boundPerFault()));
    }

    /**
     * The credit. Small transfers have one of their own, half as large, which ends with the item that fills it. (A fragment never exceeds a
     * window here: each holds two at least.)
     */
    private long boundPerFault() {
        long window = Math.max(chain.plan.hop.windowBytes(), chain.plan.relay.publisherWindowBytes());
        int smallLimit = chain.plan.hop.smallLimitBytes();
        return smallLimit < 0 ? window : window + chain.plan.hop.windowBytes() / 2 + smallLimit;
    }
}
