package io.hawser.it.sim;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.broker.store.local.MemoryIndex;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.it.reference.ReferenceRelay;
import io.hawser.it.reference.ReferenceRelayRecords;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker's store that ships, on a simulated disk, with its index in a database in memory. Every append is noted, so that what a start finds
 * can be compared with what was asked.
 */
final class SimStore implements RelayStore {
    static final Path DIRECTORY = Path.of("/broker");
    private static final Path LOG = DIRECTORY.resolve("log");
    private static final int SEGMENT_BYTES = 128 << 10;
    private static final int FEW_CHANGES = 8;

    private final SimBroker broker;
    private final SimChain chain;
    private final SimDisk disk;
    private final MemoryIndex index = new MemoryIndex();
    private final StoreReference reference;
    private @Nullable LocalStore store;
    private boolean failed;

    SimStore(SimBroker broker) {
        this.broker = broker;
        this.chain = broker.chain;
        this.disk = broker.disk();
        this.reference = new StoreReference(broker);
    }

    /** Opens it, as a start of the node does. False if the node died of it. */
    boolean open(FragmentBufferPool pool) {
        failed = false;
        return disk.boot(() -> {
            NodeDirectory node =
                    NodeDirectory.open(disk.door(), DIRECTORY, () -> LocalStore.writtenEpoch(disk.door(), DIRECTORY));
            reference.beforeOpening(ReferenceRelayRecords.read(disk.raw(), LOG));
            store = LocalStore.open(
                    disk.door(),
                    DIRECTORY,
                    node.epoch(),
                    config(),
                    broker.runtime(disk),
                    index,
                    pool,
                    broker.loop(),
                    cause -> failed = true);
        });
    }

    private LocalStoreConfig config() {
        return LocalStoreConfig.defaults()
                .withSegments(SEGMENT_BYTES, 0)
                .withHeadRoom(SimDisk.HEAD_ROOM_BYTES)
                .withFewChanges(FEW_CHANGES)
                .withQuota(chain.plan.quotaBytes);
    }

    /** Compares what it knows with what it was asked to keep; then {@code done}. */
    void compare(Runnable done) {
        reference.compare(opened(), done);
    }

    LocalStore opened() {
        LocalStore open = store;
        if (open == null) {
            throw new IllegalStateException("the broker's store is not open");
        }
        return open;
    }

    StoreReference reference() {
        return reference;
    }

    boolean hasFailed() {
        return failed;
    }

    void crash(boolean powerCut) {
        store = null;
        disk.crash(powerCut);
        index.kill();
        if (powerCut && chain.random.nextInt(3) == 0) {
            index.lose();
        }
    }

    /** At the end of a schedule nothing is left. */
    void close() {
        index.close();
    }

    /** A bit of a durable fragment, or of its record's header, flips on the disk. */
    void damageSomeRecord() {
        ReferenceRelay.Transfer kept = reference.someKept();
        if (kept == null) {
            return;
        }
        long fragment = kept.durable.firstPresent(0);
        ByteBuffer wanted = chain.truth(kept.manifest.key()).bytesOf(fragment);
        boolean header = chain.plan.edges() && chain.random.nextInt(3) == 0;
        try {
            for (String name : disk.raw().list(LOG)) {
                Path path = LOG.resolve(name);
                int place = place(path, wanted);
                if (place > 0) {
                    long position = header
                            ? place - 1 - chain.random.nextInt(64)
                            : place + chain.random.nextInt(wanted.remaining());
                    disk.raw().flipBit(path, 8 * position + chain.random.nextInt(8));
                    reference.damaged();
                    chain.count(Fault.RECORD_DAMAGED);
                    return;
                }
            }
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    private int place(Path path, ByteBuffer wanted) throws StorageException {
        try (StorageFile file = disk.raw().open(path, OpenMode.READ, FileIoMode.PAGE_CACHE)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
            file.read(bytes, 0);
            bytes.flip();
            for (int at = 0; at + wanted.remaining() <= bytes.limit(); at++) {
                if (bytes.get(at) == wanted.get(wanted.position())
                        && bytes.slice(at, wanted.remaining()).equals(wanted)) {
                    return at;
                }
            }
            return -1;
        }
    }

    // --- what the relay asks

    @Override
    public void append(RelayRecord record, Outcome.Callback<Long> durable) {
        if (chain.plan.hostile()) {
            chain.invariants.authorised.recorded(record);
        }
        if (record instanceof RelayRecord.ReceiptKept kept) {
            chain.invariants.deadlines.kept(kept.receipt());
            chain.canceller.kept(kept.receipt());
        }
        if (chain.plan.bug == PlantedBug.CANCELLED_UNASKED && record instanceof RelayRecord.Recalled recalled) {
            cancelUnasked(recalled);
        }
        if (chain.plan.bug == PlantedBug.FORGET_AFTER_FIRST_SUBSCRIPTION
                && record instanceof RelayRecord.Settled settled) {
            forgetForOthers(settled);
        }
        RelayRecord written = withPlantedBug(record);
        boolean careless = (chain.plan.bug == PlantedBug.COMMIT_BEFORE_FORCE && record instanceof RelayRecord.Committed)
                || (chain.plan.bug == PlantedBug.PERMIT_BEFORE_FORCE && record instanceof RelayRecord.Permitted)
                || (chain.plan.bug == PlantedBug.REMOVAL_ANSWERED_BEFORE_FORCE
                        && record instanceof RelayRecord.Unsubscribed);
        Outcome.Callback<Long> noted =
                reference.appending((state, sequence) -> state.apply(written, sequence), durable);
        if (careless) {
            opened().append(written, outcome -> {});
            broker.post(chain.quick(), () -> noted.accept(Outcome.of(Long.MAX_VALUE)));
        } else {
            opened().append(written, noted);
        }
    }

    private void forgetForOthers(RelayRecord.Settled settled) {
        ReferenceRelay.Transfer transfer = reference.state().transfer(settled.key());
        if (transfer != null) {
            transfer.owed.stream()
                    .filter(other -> !other.equals(settled.subscription()))
                    .map(other -> new RelayRecord.Settled(settled.key(), other))
                    .toList()
                    .forEach(other -> opened().append(
                                    other,
                                    reference.appending(
                                            (state, sequence) -> state.apply(other, sequence), outcome -> {})));
        }
    }

    private void cancelUnasked(RelayRecord.Recalled recalled) {
        ReferenceRelay.Transfer transfer = reference.state().transfer(recalled.key());
        if (transfer != null) {
            List.copyOf(transfer.owed)
                    .forEach(name -> append(
                            new RelayRecord.ReceiptKept(
                                    new Receipt(recalled.key(), name, ReceiptStatus.CANCELLED, recalled.reason(), 0)),
                            outcome -> {}));
        }
    }

    private RelayRecord withPlantedBug(RelayRecord record) {
        return chain.plan.bug == PlantedBug.UNOWED_DELIVERY && record instanceof RelayRecord.Committed committed
                ? new RelayRecord.Committed(
                        committed.key(),
                        committed.commit(),
                        chain.consumers.stream()
                                .map(SimConsumer::subscription)
                                .filter(reference.state().subscriptions()::containsKey)
                                .toList())
                : record;
    }

    @Override
    public void appendFragment(Fragment fragment, Outcome.Callback<Long> durable) {
        chain.invariants.refuseDontCorrupt.storing(fragment);
        TransferKey key = fragment.key();
        long number = fragment.index();
        int length = fragment.length();
        opened().appendFragment(
                        fragment,
                        reference.appending(
                                (state, sequence) -> state.stored(key, number, length, chain.scheduler.nowNanos()),
                                durable));
    }

    @Override
    public void appendSmall(
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            List<String> deliverySet,
            Outcome.Callback<Long> durable) {
        int length = fragment.length();
        if (length > 0) {
            chain.invariants.refuseDontCorrupt.storing(fragment);
        }
        List<String> members = List.copyOf(deliverySet);
        opened().appendSmall(
                        manifest,
                        fragment,
                        commit,
                        members,
                        reference.appending(
                                (state, sequence) -> state.whole(manifest, length, commit, members, sequence),
                                durable));
    }

    @Override
    public void read(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        opened().read(key, index, outcome -> {
            if (outcome.isRefused()) {
                chain.invariants.resumeFromDurable.unreadable();
            }
            done.accept(outcome);
        });
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor) {
        return counted(opened().admit(manifest, isWaitedFor));
    }

    @Override
    public SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length) {
        return counted(opened().admitFragment(manifest, heldBytes, length));
    }

    private SpaceAnswer counted(SpaceAnswer answer) {
        if (answer.refusal() != null && chain.plan.quotaBytes < Long.MAX_VALUE) {
            chain.count(Fault.QUOTA_REACHED);
        }
        return answer;
    }

    @Override
    public boolean fitsAlone(Manifest manifest) {
        return opened().fitsAlone(manifest);
    }

    @Override
    public Set<String> quotas(Manifest manifest) {
        return opened().quotas(manifest);
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<Lookup> done) {
        opened().lookup(key, done);
    }

    @Override
    public void owed(
            String subscription,
            long afterSequence,
            int limit,
            Outcome.Callback<List<io.hawser.broker.relay.KeptTransfer>> done) {
        opened().owed(subscription, afterSequence, limit, done);
    }

    @Override
    public void overdue(
            String subscription, long committedBeforeMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        long asked = chain.plan.bug == PlantedBug.EXPIRED_TOO_EARLY ? Long.MAX_VALUE : committedBeforeMillis;
        opened().overdue(subscription, asked, limit, outcome -> {
            if (!outcome.isRefused()) {
                chain.invariants.deadlines.overdue(subscription, committedBeforeMillis, outcome.get());
            }
            done.accept(outcome);
        });
    }

    @Override
    public void receipts(NodeId publisher, long afterSequence, int limit, Outcome.Callback<List<KeptReceipt>> done) {
        opened().receipts(publisher, afterSequence, limit, done);
    }

    @Override
    public void awaitingWord(String subscription, int limit, Outcome.Callback<List<TransferKey>> done) {
        opened().awaitingWord(subscription, limit, done);
    }

    @Override
    public void receiptsMade(Outcome.Callback<Set<NodeId>> done) {
        opened().receiptsMade(done);
    }

    /** A rule of the operator's strikes what is incomplete, by chance. */
    @Override
    public void openSince(long epochMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        boolean strikes = epochMillis != Long.MAX_VALUE && chain.strikes(Fault.INCOMPLETE_FORGOTTEN, 20);
        opened().openSince(strikes ? Long.MAX_VALUE : epochMillis, limit, done);
    }

    @Override
    public void openWithUnknownSize(String space, int limit, Outcome.Callback<List<TransferKey>> done) {
        opened().openWithUnknownSize(space, limit, done);
    }

    /** A rule of the operator's strikes what is unclaimed, by chance; in the end all of it, or it would hold its quota for ever. */
    @Override
    public void unclaimedSince(
            long epochMillis, boolean onlyReplies, int limit, Outcome.Callback<List<TransferKey>> done) {
        boolean strikes =
                chain.isHealed() ? chain.plan.quotaBytes < Long.MAX_VALUE : chain.strikes(Fault.UNCLAIMED_EXPIRED, 4);
        opened().unclaimedSince(strikes ? Long.MAX_VALUE : 0, onlyReplies, limit, done);
    }

    @Override
    public void subscriptions(Outcome.Callback<List<SubscriptionSpec>> done) {
        opened().subscriptions(done);
    }
}
