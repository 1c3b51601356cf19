package io.hawser.broker.store;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.ptcp.testkit.TestTimes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Drives a store the way a relay does, waiting for each answer; and makes transfers whose bytes follow from their key. */
public final class StoreDriver {
    public static final NodeId PUBLISHER = new NodeId(11, 12);
    public static final NodeId CONSUMER = new NodeId(21, 22);
    public static final Topic TOPIC = new Topic("site-b");
    public static final int FRAGMENT_BYTES = 128 << 10;

    private final BrokerStore store;
    private final FragmentBufferPool pool;

    public StoreDriver(BrokerStore store, FragmentBufferPool pool) {
        this.store = store;
        this.pool = pool;
    }

    public static TransferKey key(long number) {
        return new TransferKey(PUBLISHER, TransferId.of(1_000_000 + number, number, number));
    }

    public static Manifest manifest(long number, long sizeBytes) {
        return manifest(TOPIC, number, sizeBytes);
    }

    private static Manifest manifest(Topic topic, long number, long sizeBytes) {
        return new Manifest(
                key(number),
                number,
                topic,
                TransferKind.FILE,
                "dir/file " + number,
                List.of("dir/file " + number),
                sizeBytes,
                FRAGMENT_BYTES,
                Map.of("mtime", "12345"));
    }

    public static Commit commit(long sizeBytes) {
        return new Commit(
                sizeBytes,
                Manifest.fragmentCount(sizeBytes, FRAGMENT_BYTES),
                new TransferDigest(FRAGMENT_BYTES, new byte[32]));
    }

    public static SubscriptionSpec spec(String name, StartAt startAt) {
        return new SubscriptionSpec(name, TOPIC, CONSUMER, startAt, AckLevel.DURABLE);
    }

    public static byte[] content(long number, long index, int length) {
        byte[] bytes = new byte[length];
        new Random(number * 1_000_003 + index).nextBytes(bytes);
        return bytes;
    }

    /** Runs an asynchronous call and waits for its value; a refusal is thrown as {@link RefusedException}. */
    public static <T> T await(Consumer<Outcome.Callback<T>> call) {
        CompletableFuture<Outcome<T>> future = new CompletableFuture<>();
        call.accept(future::complete);
        try {
            Outcome<T> outcome = future.get(TestTimes.SECONDS, TimeUnit.SECONDS);
            if (outcome.isRefused()) {
                throw new RefusedException(Objects.requireNonNull(outcome.refusal()));
            }
            return outcome.get();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    public static final class RefusedException extends RuntimeException {
        private final Refusal refusal;

        RefusedException(Refusal refusal) {
            super(refusal.toString());
            this.refusal = refusal;
        }

        public Refusal refusal() {
            return refusal;
        }
    }

    public long append(RelayRecord record) {
        return StoreDriver.<Long>await(done -> store.append(record, done));
    }

    public void subscribe(String name, StartAt startAt, boolean first) {
        append(new RelayRecord.Subscribed(spec(name, startAt), first));
    }

    /** Opens a transfer, appends all its fragments and commits it. */
    public TransferKey put(long number, long sizeBytes, String... deliverySet) {
        return putTo(TOPIC, number, sizeBytes, deliverySet);
    }

    public TransferKey putTo(Topic topic, long number, long sizeBytes, String... deliverySet) {
        append(new RelayRecord.Opened(manifest(topic, number, sizeBytes)));
        for (long i = 0; i < Manifest.fragmentCount(sizeBytes, FRAGMENT_BYTES); i++) {
            fragment(number, i, Manifest.fragmentLength(i, sizeBytes, FRAGMENT_BYTES));
        }
        append(new RelayRecord.Committed(key(number), commit(sizeBytes), List.of(deliverySet)));
        return key(number);
    }

    public TransferKey putSmall(long number, int sizeBytes, String... deliverySet) {
        Fragment fragment = newFragment(number, 0, sizeBytes);
        try {
            StoreDriver.<Long>await(done -> store.appendSmall(
                    manifest(number, sizeBytes), fragment, commit(sizeBytes), List.of(deliverySet), done));
        } finally {
            fragment.buffer().release();
        }
        return key(number);
    }

    public void fragment(long number, long index, int length) {
        Fragment fragment = newFragment(number, index, length);
        try {
            StoreDriver.<Long>await(done -> store.appendFragment(fragment, done));
        } finally {
            fragment.buffer().release();
        }
    }

    /** A fragment whose one reference the caller owns. */
    public Fragment newFragment(long number, long index, int length) {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire(), "no buffer free: a leak");
        byte[] bytes = content(number, index, length);
        buffer.payload(0, length).put(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        byte[] leaf = new byte[32];
        ByteBuffer.wrap(leaf).putLong(number).putLong(index);
        return new Fragment(key(number), index, length, (int) crc.getValue(), leaf, buffer, 0);
    }

    public byte[] read(TransferKey key, long index) {
        Fragment fragment = StoreDriver.<Fragment>await(done -> store.read(key, index, done));
        byte[] bytes = new byte[fragment.length()];
        fragment.buffer().payload(fragment.offset(), fragment.length()).get(bytes);
        fragment.buffer().release();
        return bytes;
    }

    /** Why a fragment cannot be read. */
    public ErrorCode whyUnreadable(TransferKey key, long index) {
        try {
            throw new AssertionError(read(key, index).length + " bytes were read");
        } catch (RefusedException e) {
            return e.refusal().code();
        }
    }

    public RelayStore.Lookup lookup(TransferKey key) {
        return StoreDriver.<RelayStore.Lookup>await(done -> store.lookup(key, done));
    }

    public List<TransferKey> owed(String subscription) {
        return StoreDriver.<List<KeptTransfer>>await(done -> store.owed(subscription, 0, 1_000, done)).stream()
                .map(transfer -> transfer.manifest().key())
                .toList();
    }

    public List<RelayStore.KeptReceipt> receipts() {
        return StoreDriver.<List<RelayStore.KeptReceipt>>await(done -> store.receipts(PUBLISHER, 0, 1_000, done));
    }

    public List<Replica> replicas(String name) {
        return StoreDriver.<List<Replica>>await(done -> store.replicas(name, done));
    }

    /** A transfer without bytes that a subscription has published. */
    public void published(
            long number, TransferKind kind, String name, Map<String, String> attributes, String subscription) {
        append(new RelayRecord.Opened(
                new Manifest(key(number), number, TOPIC, kind, name, List.of(name), 0, FRAGMENT_BYTES, attributes)));
        append(new RelayRecord.Committed(key(number), commit(0), List.of(subscription)));
        finish(key(number), subscription);
    }

    public Receipt receipt(TransferKey key, String subscription, ReceiptStatus status) {
        Receipt receipt = new Receipt(key, subscription, status, "", 99);
        append(new RelayRecord.ReceiptKept(receipt));
        return receipt;
    }

    /** All that a subscription does to be done with a transfer. */
    public void finish(TransferKey key, String subscription) {
        append(new RelayRecord.Settled(key, subscription));
        receipt(key, subscription, ReceiptStatus.DELIVERED);
        append(new RelayRecord.ReceiptAcked(key, subscription));
    }
}
