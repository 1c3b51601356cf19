package io.hawser.it.sim;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.SpaceAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The broker's store: a journal, and its fold as the index. The journal outlives the process; this object does not. */
final class SimLog implements RelayStore {
    /** A record of the log that is not a fragment alone. */
    record Decision(RelayRecord record) implements SimJournal.Entry {}

    /** A small transfer in one record. */
    record Small(Manifest manifest, @Nullable StoredFragment fragment, Commit commit, List<String> deliverySet)
            implements SimJournal.Entry {
        @Override
        public void written() {
            if (fragment != null) {
                fragment.written();
            }
        }
    }

    private final SimBroker broker;
    private final SimChain chain;
    private final SimJournal<SimJournal.Entry> journal;
    private final LogState state;
    private final FragmentBufferPool pool;

    SimLog(SimBroker broker, SimJournal<SimJournal.Entry> journal, LogState state, FragmentBufferPool pool) {
        this.broker = broker;
        this.chain = broker.chain;
        this.journal = journal;
        this.state = state;
        this.pool = pool;
    }

    static void fold(LogState state, SimJournal.Entry record, long sequence) {
        if (record instanceof StoredFragment fragment) {
            state.apply(fragment);
        } else if (record instanceof Small small) {
            state.opened(small.manifest);
            if (small.fragment != null) {
                state.apply(small.fragment);
            }
            state.committed(small.manifest.key(), small.commit, small.deliverySet, sequence);
        } else if (record instanceof Decision decision) {
            state.apply(decision.record, sequence);
        }
    }

    @Override
    public void append(RelayRecord record, Outcome.Callback<Long> durable) {
        if (chain.plan.hostile()) {
            chain.invariants.authorised.recorded(record);
        }
        boolean careless = (chain.plan.bug == PlantedBug.COMMIT_BEFORE_FORCE && record instanceof RelayRecord.Committed)
                || (chain.plan.bug == PlantedBug.REMOVAL_ANSWERED_BEFORE_FORCE
                        && record instanceof RelayRecord.Unsubscribed);
        append(new Decision(withPlantedBug(record)), careless, durable);
    }

    private RelayRecord withPlantedBug(RelayRecord record) {
        return chain.plan.bug == PlantedBug.UNOWED_DELIVERY && record instanceof RelayRecord.Committed committed
                ? new RelayRecord.Committed(
                        committed.key(),
                        committed.commit(),
                        chain.consumers.stream()
                                .map(SimConsumer::subscription)
                                .filter(state.subscriptions::containsKey)
                                .toList())
                : record;
    }

    @Override
    public void appendFragment(Fragment fragment, Outcome.Callback<Long> durable) {
        chain.invariants.refuseDontCorrupt.storing(fragment);
        append(new StoredFragment(fragment), chain.plan.bug == PlantedBug.ACK_BEFORE_FORCE, durable);
    }

    @Override
    public void appendSmall(
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            List<String> deliverySet,
            Outcome.Callback<Long> durable) {
        StoredFragment stored = null;
        if (fragment.length() > 0) {
            chain.invariants.refuseDontCorrupt.storing(fragment);
            stored = new StoredFragment(fragment);
        }
        append(new Small(manifest, stored, commit, List.copyOf(deliverySet)), false, durable);
    }

    private void append(SimJournal.Entry record, boolean careless, Outcome.Callback<Long> durable) {
        if (careless) {
            journal.appendCarelessly(record, durable);
        } else {
            journal.append(record, durable);
        }
    }

    @Override
    public void read(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        broker.post(chain.quick(), () -> readNow(key, index, done));
    }

    private void readNow(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        LogState.Entry entry = state.transfers.get(key);
        StoredFragment stored = entry == null ? null : entry.fragments.get(index);
        if (stored == null) {
            done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "fragment " + index + " is not in the log"));
        } else if (!seemsIntact(stored)) {
            chain.invariants.resumeFromDurable.unreadable();
            done.accept(Outcome.refused(ErrorCode.STORAGE_FAILED, "the record is damaged"));
        } else {
            Fragment fragment = stored.read(pool);
            if (fragment == null) {
                pool.whenAvailable(() -> broker.post(0, () -> readNow(key, index, done)));
            } else {
                done.accept(Outcome.of(fragment));
            }
        }
    }

    private boolean seemsIntact(StoredFragment stored) {
        return chain.plan.bug == PlantedBug.CRC_WITHOUT_HEADER ? stored.isPayloadIntact() : stored.isIntact();
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor) {
        return whyNot(Math.max(0, manifest.sizeBytes()));
    }

    @Override
    public SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length) {
        return whyNot(length);
    }

    private SpaceAnswer whyNot(long bytes) {
        if (bytes > 0 && chain.plan.quotaBytes < Long.MAX_VALUE && openBytes() + bytes > chain.plan.quotaBytes) {
            chain.count(Fault.QUOTA_REACHED);
            return SpaceAnswer.waitForRoom("the quota is reached");
        }
        return broker.isFull() ? SpaceAnswer.waitForRoom("the disk is full") : SpaceAnswer.yes();
    }

    @Override
    public boolean fitsAlone(Manifest manifest) {
        return true;
    }

    @Override
    public Set<String> quotas(Manifest manifest) {
        return Set.of();
    }

    /** What open transfers take: those of known size all that they will, the others what is here of them. */
    private long openBytes() {
        long bytes = 0;
        for (LogState.Entry entry : state.transfers.values()) {
            if (entry.commit == null) {
                bytes += entry.manifest.sizeKnown() ? entry.manifest.sizeBytes() : intactBytes(entry);
            }
        }
        return bytes;
    }

    private static long intactBytes(LogState.Entry entry) {
        long intact = entry.fragments.values().stream()
                .filter(StoredFragment::isIntact)
                .count();
        return intact * entry.manifest.fragmentSizeBytes();
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<Lookup> done) {
        broker.post(chain.quick(), () -> {
            LogState.Entry entry = state.transfers.get(key);
            StoredTransfer.State found = state.stateOf(key);
            done.accept(Outcome.of(new Lookup(found, entry == null ? null : entry.kept())));
        });
    }

    @Override
    public void owed(String subscription, long afterSequence, int limit, Outcome.Callback<List<KeptTransfer>> done) {
        List<KeptTransfer> found = new ArrayList<>();
        for (LogState.Entry entry : state.transfers.values()) {
            if (entry.owed.contains(subscription) && entry.commitSequence > afterSequence) {
                found.add(entry.kept());
            }
        }
        found.sort(Comparator.comparingLong(KeptTransfer::commitSequence));
        List<KeptTransfer> page = List.copyOf(found.subList(0, Math.min(limit, found.size())));
        broker.post(chain.quick(), () -> done.accept(Outcome.of(page)));
    }

    @Override
    public void overdue(
            String subscription, long committedBeforeMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        throw new AssertionError("no subscription of a plan has a deadline");
    }

    @Override
    public void receipts(NodeId publisher, long afterSequence, int limit, Outcome.Callback<List<KeptReceipt>> done) {
        List<KeptReceipt> found = new ArrayList<>();
        for (LogState.Entry entry : state.transfers.values()) {
            entry.receipts.forEach((subscription, receipt) -> {
                long sequence = entry.receiptSequences.getOrDefault(subscription, 0L);
                if (receipt.key().publisher().equals(publisher) && sequence > afterSequence) {
                    found.add(new KeptReceipt(receipt, sequence));
                }
            });
        }
        found.sort(Comparator.comparingLong(KeptReceipt::sequence));
        List<KeptReceipt> page = List.copyOf(found.subList(0, Math.min(limit, found.size())));
        broker.post(chain.quick(), () -> done.accept(Outcome.of(page)));
    }

    /** More than were made: all that have any. */
    @Override
    public void receiptsMade(Outcome.Callback<Set<NodeId>> done) {
        Set<NodeId> all = state.transfers.values().stream()
                .flatMap(entry -> entry.receipts.values().stream())
                .map(receipt -> receipt.key().publisher())
                .collect(Collectors.toUnmodifiableSet());
        broker.post(chain.quick(), () -> done.accept(Outcome.of(all)));
    }

    /** The records know no time; a rule of the operator's strikes what is incomplete, by chance. */
    @Override
    public void openSince(long epochMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        List<TransferKey> page = new ArrayList<>();
        boolean all = epochMillis == Long.MAX_VALUE;
        for (LogState.Entry entry : state.transfers.values()) {
            if (entry.commit == null && page.size() < limit && (all || chain.strikes(Fault.INCOMPLETE_FORGOTTEN, 20))) {
                page.add(entry.manifest.key());
            }
        }
        broker.post(chain.quick(), () -> done.accept(Outcome.of(page)));
    }

    @Override
    public void awaitingWord(String subscription, int limit, Outcome.Callback<List<TransferKey>> done) {
        List<TransferKey> page = state.transfers.values().stream()
                .filter(entry -> entry.commit != null
                        && entry.owed.isEmpty()
                        && entry.deliverySet.contains(subscription)
                        && !entry.hasFinalWordOf(subscription))
                .map(entry -> entry.manifest.key())
                .limit(limit)
                .toList();
        broker.post(chain.quick(), () -> done.accept(Outcome.of(page)));
    }

    @Override
    public void openWithUnknownSize(String space, int limit, Outcome.Callback<List<TransferKey>> done) {
        List<TransferKey> page = state.transfers.values().stream()
                .filter(entry -> entry.commit == null && !entry.manifest.sizeKnown() && !entry.durable.isEmpty())
                .map(entry -> entry.manifest.key())
                .limit(limit)
                .toList();
        broker.post(chain.quick(), () -> done.accept(Outcome.of(page)));
    }

    /** The records know no time; a rule of the operator's strikes what is unclaimed, by chance. */
    @Override
    public void unclaimedSince(
            long epochMillis, boolean onlyReplies, int limit, Outcome.Callback<List<TransferKey>> done) {
        List<TransferKey> page = new ArrayList<>();
        for (LogState.Entry entry : state.transfers.values()) {
            boolean unclaimed = entry.commit != null
                    && entry.deliverySet.isEmpty()
                    && (!onlyReplies || entry.manifest.topic().isOfReplies());
            if (unclaimed && page.size() < limit && chain.strikes(Fault.UNCLAIMED_EXPIRED, 4)) {
                page.add(entry.manifest.key());
            }
        }
        broker.post(chain.quick(), () -> done.accept(Outcome.of(page)));
    }

    @Override
    public void subscriptions(Outcome.Callback<List<SubscriptionSpec>> done) {
        broker.post(chain.quick(), () -> done.accept(Outcome.of(List.copyOf(state.subscriptions.values()))));
    }
}
