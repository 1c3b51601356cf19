package io.hawser.broker.admin;

import io.hawser.broker.relay.DropResult;
import io.hawser.broker.relay.OperatorDrop;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.access.Right;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.DroppedTransfer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /transfers/drop?key=KEY}: drops a transfer. 200 when every subscription that was owed it has dropped it durably; 202 if one
 * has not: the answer names it.
 *
 * <p>Thread: the admin thread; it asks the loop and the store.
 *
 * @param recordsTime for the records; shorter than a client waits
 * @param consumersTime for the answers of the consumers that were asked
 */
record DropPage(NodeThreads net, BrokerStore store, Relay relay, Duration recordsTime, Duration consumersTime)
        implements AdminPage.CheckingPage {
    private static final Duration RECORDS_TIME = Duration.ofSeconds(7);
    private static final Duration CONSUMERS_TIME = Duration.ofSeconds(2);

    static DropPage of(NodeThreads net, BrokerStore store, Relay relay) {
        return new DropPage(net, store, relay, RECORDS_TIME, CONSUMERS_TIME);
    }

    @Override
    public Answer get(Map<String, String> query, Caller caller) throws IOException {
        TransferKey key = TransferKey.parse(query.getOrDefault("key", ""));
        Manifest manifest = find(key, caller);
        DropResult result = drop(key);
        DroppedTransfer dropped = new DroppedTransfer(
                key.toString(),
                manifest.topic().name(),
                manifest.name(),
                result.dropped(),
                result.asked(),
                result.kept());
        return Answer.json(dropped.complete() ? 200 : 202, dropped);
    }

    private Manifest find(TransferKey key, Caller caller) throws IOException {
        Outcome<StoredTransferStatus> found = new LoopQueries(net).outcome(done -> store.transfer(key, done));
        if (found.isRefused()
                || !caller.access().sees(found.get().transfer().manifest().topic())) {
            throw new IllegalArgumentException(
                    "the broker keeps no transfer " + key + "; 'hawser status' shows those that it keeps");
        }
        Manifest manifest = found.get().transfer().manifest();
        if (!caller.access().grants().allow(Right.ADMIN, manifest.topic())) {
            throw new IllegalArgumentException(caller.access().refusal(Right.ADMIN, manifest.topic()));
        }
        return manifest;
    }

    private DropResult drop(TransferKey key) throws IOException {
        OperatorDrop drop = new OperatorDrop(relay, store, System::currentTimeMillis);
        BlockingQueue<Outcome<DropResult>> progress = new LinkedBlockingQueue<>();
        net.loop().execute(() -> drop.drop(key, progress::add));
        Outcome<DropResult> last = next(progress, recordsTime.toNanos());
        if (last == null) {
            throw new IOException("the drop of transfer " + key + " is not durable after " + recordsTime.toSeconds()
                    + " s; 'hawser status " + key + "' shows what becomes of it");
        }
        long end = System.nanoTime() + consumersTime.toNanos();
        while (!last.isRefused() && !last.get().asked().isEmpty()) {
            Outcome<DropResult> later = next(progress, end - System.nanoTime());
            if (later == null) {
                break;
            }
            last = later;
        }
        Refusal refusal = last.refusal();
        if (refusal != null) {
            throw new IllegalArgumentException(refusal.detail());
        }
        return last.get();
    }

    private static @Nullable Outcome<DropResult> next(BlockingQueue<Outcome<DropResult>> progress, long nanos)
            throws IOException {
        try {
            return progress.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting", e);
        }
    }
}
