package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.SubscriptionSpec;
import java.util.ArrayDeque;
import java.util.Objects;

/** A relay whose store, loop and clocks go on when the test says so. Thread: the test's. */
public abstract class RelayFixture {
    protected final FakeRelayStore store = new FakeRelayStore();
    protected final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    final FragmentBufferPool pool = new FragmentBufferPool(4096, 16);
    long wallMillis;
    long steadyNanos;
    protected final Relay relay;

    protected RelayFixture() {
        this(RelayLimits.DEFAULT);
    }

    RelayFixture(RelayLimits limits) {
        relay = relay(limits);
    }

    final Relay relay(RelayLimits limits) {
        return new Relay(store, pool, limits, loop::add, () -> wallMillis, () -> steadyNanos);
    }

    protected final void runLoop() {
        while (!loop.isEmpty()) {
            loop.removeFirst().run();
        }
    }

    /** Until what was asked and appended is answered and durable, and what came of that too. */
    protected final void settle() {
        for (int i = 0; i < 5; i++) {
            store.force();
            store.answer();
            runLoop();
        }
    }

    /** A consumer's session; its subscription is durable, and what it is owed was looked up. */
    final HopSender connect(SubscriptionSpec spec, SentOn consumer) {
        HopSender sender = Objects.requireNonNull(relay.subscriptions().subscribe(spec, consumer, outcome -> {}));
        store.force();
        store.answer();
        return sender;
    }
}
