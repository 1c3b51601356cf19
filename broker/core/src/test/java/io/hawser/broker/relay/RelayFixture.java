package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.SmallItem;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.testkit.SampleTransfer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
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

    /** The first fragment of a transfer comes in. */
    final void fragment(SampleTransfer sample, Outcome.Callback<Fragment> done) {
        Fragment first = Objects.requireNonNull(sample.fragment(0, pool));
        relay.fragment(first, done);
        first.buffer().release();
    }

    /** A transfer comes in one packet. */
    final void small(PublisherIntake publisher, SampleTransfer sample) {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        buffer.payload(0, sample.content().length).put(sample.content());
        SmallItem item = new SmallItem(
                sample.manifest(),
                sample.commit(),
                Crc32c.of(ByteBuffer.wrap(sample.content())),
                sample.leaves().get(0),
                false);
        publisher.receiver().received(List.of(item), buffer);
        buffer.release();
    }

    /** A consumer's session; its subscription is durable, and what it is owed was looked up. */
    final HopSender connect(SubscriptionSpec spec, SentOn consumer) {
        HopSender sender = Objects.requireNonNull(relay.subscriptions().subscribe(spec, consumer, outcome -> {}));
        store.force();
        store.answer();
        return sender;
    }
}
