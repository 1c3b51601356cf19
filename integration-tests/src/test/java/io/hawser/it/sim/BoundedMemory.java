package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.PacketPlacement;
import io.hawser.core.testkit.InvariantName;

/** Nothing grows past its bound, and everything comes back. */
final class BoundedMemory {
    private final SimChain chain;

    BoundedMemory(SimChain chain) {
        this.chain = chain;
    }

    /** A sender has given packets, which is when what it has in flight grows. */
    void afterPull(SimSession session, HopSender sender) {
        long bound = Math.max(maxWindowBytes(), chain.plan.fragmentSizeBytes);
        long inFlight = sender.inFlightBytes();
        if (inFlight > bound || inFlight < 0) {
            Invariants.check(
                    false,
                    InvariantName.BOUNDED_MEMORY,
                    "more is in flight to or from " + session.client() + " than its credit, or less than nothing",
                    inFlight);
        }
    }

    private long maxWindowBytes() {
        return Math.max(chain.plan.hop.windowBytes(), chain.plan.relay.publisherWindowBytes());
    }

    void stale(PacketPlacement place) {
        Invariants.check(
                place instanceof PacketPlacement.Discard,
                InvariantName.BOUNDED_MEMORY,
                "a packet of a session that is over is given memory",
                place);
    }

    void atEnd() {
        for (SimPublisher publisher : chain.publishers) {
            ended(publisher, publisher.sender(), publisher.pool());
        }
        for (SimConsumer consumer : chain.consumers) {
            HopSender sender = chain.broker.sender(consumer);
            if (sender != null) {
                ended(chain.broker, sender, chain.broker.pool());
            }
            givesUpWhatIsPartlyHere(consumer);
            Invariants.check(
                    consumer.pool().available() == consumer.pool().capacity(),
                    InvariantName.BOUNDED_MEMORY,
                    consumer + " has not given back its buffers",
                    consumer.pool().available() + " of " + consumer.pool().capacity());
        }
    }

    /** The rest of a fragment may never come, if its sender withdrew it before it learnt of a damaged packet: its memory is free on demand. */
    private static void givesUpWhatIsPartlyHere(SimConsumer consumer) {
        HopReceiver receiver = consumer.receiver();
        while (receiver != null && receiver.dropPartialFragment()) {
            consumer.chain.count(Fault.PARTIAL_GIVEN_UP);
        }
    }

    private void ended(SimNode node, HopSender sender, FragmentBufferPool pool) {
        Invariants.check(
                sender.inFlightBytes() == 0 && sender.size() == 0,
                InvariantName.BOUNDED_MEMORY,
                node + " has something in flight at the end",
                sender.inFlightBytes() + " bytes of " + sender.size() + " transfers");
        Invariants.check(
                pool.available() == pool.capacity() && pool.aside() == 0,
                InvariantName.BOUNDED_MEMORY,
                node + " has not given back its buffers",
                pool.available() + " of " + pool.capacity() + ", " + pool.aside() + " set aside");
    }
}
