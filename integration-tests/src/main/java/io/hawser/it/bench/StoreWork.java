package io.hawser.it.bench;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.BrokerStore;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Gives a broker's store what a relay gives it: transfers side by side, whose fragments come by turns, as many on their way as a broker
 * has memory for; and asks for them again.
 *
 * <p>Thread: its work is on the loop; the methods wait for it, on any other.
 */
final class StoreWork implements BrokerStoreBench.Contestant {
    static final int FRAGMENT_BYTES = Manifest.DEFAULT_FRAGMENT_SIZE_BYTES;
    /** Fragments on their way at once. */
    private static final int AT_ONCE = 32;
    /** A store may let go of a fragment's memory a moment after it has said that the fragment is durable. */
    private static final int BUFFERS = AT_ONCE + 8;

    private static final int READS = 4;
    private static final String SUBSCRIPTION = "bench";
    private static final NodeId PUBLISHER = new NodeId(11, 12);
    private static final Topic TOPIC = new Topic("bench");

    private final BrokerStore store;
    private final Executor loop;
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, BUFFERS);
    private final int crc32c;
    private final byte[] leaf;
    private long number;
    private int fragmentsEach;
    private final List<TransferKey> written = new ArrayList<>();

    /** @param content of each fragment */
    StoreWork(BrokerStore store, Executor loop, byte[] content) {
        this.store = store;
        this.loop = loop;
        crc32c = Crc32c.of(ByteBuffer.wrap(content));
        leaf = TreeDigest.leaf(ByteBuffer.wrap(content));
        List<FragmentBuffer> all = new ArrayList<>();
        for (FragmentBuffer buffer = pool.tryAcquire(); buffer != null; buffer = pool.tryAcquire()) {
            buffer.payload(0, FRAGMENT_BYTES).put(content); // it stays there, as what came from a socket would
            all.add(buffer);
        }
        all.forEach(FragmentBuffer::release);
        append(new RelayRecord.Subscribed(
                new SubscriptionSpec(SUBSCRIPTION, TOPIC, new NodeId(21, 22), StartAt.NOW, AckLevel.DURABLE), true));
    }

    private <T> T ask(Consumer<Outcome.Callback<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> call.accept(outcome -> {
            if (outcome.isRefused()) {
                answer.completeExceptionally(new IllegalStateException("refused: " + outcome.refusal()));
            } else {
                answer.complete(outcome.get());
            }
        }));
        return answer.join();
    }

    private void append(RelayRecord record) {
        long unused = this.<Long>ask(done -> store.append(record, done));
    }

    /** Until all are durable and committed. */
    @Override
    public void write(int transfers, int fragments) {
        written.clear();
        fragmentsEach = fragments;
        for (int i = 0; i < transfers; i++) {
            number++;
            TransferKey key = new TransferKey(PUBLISHER, TransferId.of(1_000_000 + number, number, number));
            written.add(key);
            String name = "bench " + number;
            append(new RelayRecord.Opened(new Manifest(
                    key,
                    number,
                    TOPIC,
                    TransferKind.FILE,
                    name,
                    List.of(name),
                    (long) fragments * FRAGMENT_BYTES,
                    FRAGMENT_BYTES,
                    Map.of())));
        }
        long total = (long) transfers * fragments;
        Pump pump = new Pump(total, AT_ONCE, (index, done) -> {
            FragmentBuffer buffer = pool.tryAcquire();
            if (buffer == null) {
                throw new IllegalStateException("a buffer has not come back");
            }
            TransferKey key = written.get((int) (index % transfers));
            Fragment fragment = new Fragment(key, index / transfers, FRAGMENT_BYTES, crc32c, leaf, buffer, 0);
            store.appendFragment(fragment, outcome -> {
                buffer.release();
                done.accept(outcome.isRefused() ? String.valueOf(outcome.refusal()) : "");
            });
        });
        pump.run();
        Commit commit = new Commit(
                (long) fragments * FRAGMENT_BYTES,
                fragments,
                new TransferDigest(FRAGMENT_BYTES, new byte[leaf.length]));
        for (TransferKey key : written) {
            append(new RelayRecord.Committed(key, commit, List.of(SUBSCRIPTION)));
        }
    }

    @Override
    public void read() {
        int transfers = written.size();
        new Pump(
                        (long) transfers * fragmentsEach,
                        READS,
                        (index, done) ->
                                store.read(written.get((int) (index % transfers)), index / transfers, outcome -> {
                                    if (outcome.isRefused()) {
                                        done.accept(String.valueOf(outcome.refusal()));
                                        return;
                                    }
                                    Fragment fragment = outcome.get();
                                    boolean right = fragment.length() == FRAGMENT_BYTES && fragment.crc32c() == crc32c;
                                    fragment.buffer().release();
                                    done.accept(right ? "" : "other bytes than were written");
                                }))
                .run();
    }

    @Override
    public void forget() {
        written.forEach(key -> append(new RelayRecord.Settled(key, SUBSCRIPTION)));
        written.clear();
    }

    /** One of many; tells what is wrong with it, or nothing. */
    private interface Step {
        void begin(long index, Consumer<String> done);
    }

    /** So many steps, some of them at once. Thread: the loop, but for {@link #run}. */
    private final class Pump {
        private final long total;
        private final int atOnce;
        private final Step step;
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private long begun;
        private long ended;

        Pump(long total, int atOnce, Step step) {
            this.total = total;
            this.atOnce = atOnce;
            this.step = step;
        }

        void run() {
            loop.execute(this::go);
            over.join();
        }

        private void go() {
            try {
                while (begun < total && begun - ended < atOnce) {
                    step.begin(begun++, this::onEnd);
                }
            } catch (RuntimeException e) {
                over.completeExceptionally(e);
            }
        }

        private void onEnd(String problem) {
            ended++;
            if (!problem.isEmpty()) {
                over.completeExceptionally(new IllegalStateException(problem));
            } else if (ended == total) {
                over.complete(null);
            } else {
                go();
            }
        }
    }
}
