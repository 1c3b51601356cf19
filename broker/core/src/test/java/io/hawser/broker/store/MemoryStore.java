package io.hawser.broker.store;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.testkit.SteppedDisk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The contract in the plainest way: everything in maps, nothing survives. The model that other stores are compared with. */
public final class MemoryStore implements BrokerStore {
    private final FragmentBufferPool pool;
    private final Executor loop;
    private final Map<TransferKey, Entry> entries = new TreeMap<>();
    private final Map<String, SubscriptionSpec> subscriptions = new TreeMap<>();
    private final Set<TransferKey> gone = new HashSet<>();
    /** By topic and subscription, then by name. */
    private final Map<String, Map<String, Replica>> copies = new TreeMap<>();

    private final Set<NodeId> receiptsMade = new HashSet<>();
    private long sequence;

    public MemoryStore(FragmentBufferPool pool, Executor loop) {
        this.pool = pool;
        this.loop = loop;
    }

    private static final class Entry {
        final Manifest manifest;
        final Map<Long, byte[]> payloads = new HashMap<>();
        final Map<Long, Fragment> fragments = new HashMap<>();
        final long openedMillis = System.currentTimeMillis();
        long changedMillis = openedMillis;

        @Nullable
        Commit commit;

        long commitSequence;
        long committedMillis;
        final Set<String> deliverySet = new TreeSet<>();
        final Set<String> owed = new TreeSet<>();
        final Map<String, NodeId> permits = new TreeMap<>();
        final Map<String, KeptReceipt> receipts = new TreeMap<>();
        final Set<String> acknowledged = new TreeSet<>();
        final FragmentRanges durable = new FragmentRanges();

        Entry(Manifest manifest) {
            this.manifest = manifest;
        }

        boolean hasFinalWordOf(String name) {
            KeptReceipt kept = receipts.get(name);
            return acknowledged.contains(name)
                    || (kept != null && kept.receipt().status().isFinal());
        }

        long keptBytes() {
            return payloads.values().stream().mapToLong(bytes -> bytes.length).sum();
        }

        KeptTransfer toKept() {
            permits.keySet().retainAll(owed);
            return new KeptTransfer(
                    manifest,
                    durable.copy(),
                    commit,
                    commitSequence,
                    Set.copyOf(deliverySet),
                    Set.copyOf(owed),
                    Map.copyOf(permits));
        }

        StoredTransferStatus toStatus() {
            Map<String, Receipt> last = new HashMap<>();
            receipts.forEach((name, kept) -> last.put(name, kept.receipt()));
            return new StoredTransferStatus(
                    toKept(), keptBytes(), openedMillis, changedMillis, last, Set.copyOf(acknowledged));
        }
    }

    private <T> void answer(Outcome.Callback<T> done, Supplier<Outcome<T>> work) {
        Outcome<T> outcome = work.get();
        loop.execute(() -> done.accept(outcome));
    }

    @Override
    public synchronized void append(RelayRecord record, Outcome.Callback<Long> durable) {
        sequence++;
        apply(record);
        long number = sequence;
        answer(durable, () -> Outcome.of(number));
    }

    private void apply(RelayRecord record) {
        if (record instanceof RelayRecord.Opened opened) {
            TransferKey key = opened.manifest().key();
            if (!gone.contains(key)) {
                entries.putIfAbsent(key, new Entry(opened.manifest()));
            }
        } else if (record instanceof RelayRecord.Committed committed) {
            commit(committed.key(), committed.commit(), committed.deliverySet());
        } else if (record instanceof RelayRecord.Cancelled cancelled) {
            entries.remove(cancelled.key());
            gone.add(cancelled.key());
        } else if (record instanceof RelayRecord.Forgotten forgotten) {
            Entry entry = entries.get(forgotten.key());
            if (entry != null && entry.commit == null) {
                entries.remove(forgotten.key());
            }
        } else if (record instanceof RelayRecord.Subscribed subscribed) {
            subscribe(subscribed.spec(), subscribed.firstOnTopic());
        } else if (record instanceof RelayRecord.Unsubscribed unsubscribed) {
            unsubscribe(unsubscribed);
        } else if (record instanceof RelayRecord.Expired expired) {
            expire(expired);
        } else if (record instanceof RelayRecord.Settled settled) {
            Entry entry = entries.get(settled.key());
            if (entry != null) {
                entry.owed.remove(settled.subscription());
                tidy(entry);
            }
        } else if (record instanceof RelayRecord.Permitted permitted) {
            Entry entry = entries.get(permitted.key());
            if (entry != null && entry.owed.contains(permitted.subscription())) {
                entry.permits.put(permitted.subscription(), permitted.member());
            }
        } else if (record instanceof RelayRecord.ReceiptKept kept) {
            keepReceipt(kept.receipt());
        } else if (record instanceof RelayRecord.ReceiptAcked acked) {
            Entry entry = entries.get(acked.key());
            if (entry != null
                    && (entry.deliverySet.contains(acked.subscription())
                            || entry.receipts.containsKey(acked.subscription()))) {
                entry.receipts.remove(acked.subscription());
                entry.acknowledged.add(acked.subscription());
                tidy(entry);
            }
        }
    }

    private void commit(TransferKey key, Commit commit, List<String> deliverySet) {
        Entry entry = entries.get(key);
        if (entry != null && entry.commit == null) {
            entry.commit = commit;
            entry.commitSequence = sequence;
            entry.committedMillis = System.currentTimeMillis();
            entry.deliverySet.addAll(deliverySet);
            entry.owed.addAll(deliverySet);
        }
    }

    private void subscribe(SubscriptionSpec spec, boolean first) {
        if (subscriptions.put(spec.name(), spec) != null) {
            return;
        }
        for (Entry entry : entries.values()) {
            boolean here = entry.commit != null && entry.manifest.topic().equals(spec.topic());
            if (here && first && entry.deliverySet.isEmpty()) {
                entry.deliverySet.add(spec.name());
                entry.owed.add(spec.name());
            } else if (here
                    && spec.startAt() == StartAt.EARLIEST
                    && !entry.owed.isEmpty()
                    && !entry.deliverySet.contains(spec.name())
                    && spec.terms().replay().has(entry.committedMillis, entry.manifest.name())) {
                entry.owed.add(spec.name());
            }
        }
    }

    private void unsubscribe(RelayRecord.Unsubscribed gone) {
        String name = gone.subscription();
        subscriptions.remove(name);
        for (Entry entry : List.copyOf(entries.values())) {
            boolean owed = entry.owed.remove(name);
            if (entry.deliverySet.contains(name) && !entry.hasFinalWordOf(name)) {
                entry.receipts.put(name, new KeptReceipt(gone.receipt(entry.manifest.key()), entry.commitSequence));
                receiptsMade.add(entry.manifest.key().publisher());
                tidy(entry);
            } else if (owed) {
                tidy(entry);
            }
        }
    }

    private void expire(RelayRecord.Expired expired) {
        Entry entry = entries.get(expired.key());
        if (entry != null && entry.commit != null && entry.deliverySet.isEmpty()) {
            entry.deliverySet.add(Receipt.NOBODY);
            entry.receipts.put(Receipt.NOBODY, new KeptReceipt(expired.receipt(), entry.commitSequence));
            receiptsMade.add(entry.manifest.key().publisher());
            tidy(entry);
        }
    }

    private void keepReceipt(Receipt receipt) {
        Entry entry = entries.get(receipt.key());
        if (entry != null && !entry.acknowledged.contains(receipt.subscription())) {
            KeptReceipt before = entry.receipts.put(receipt.subscription(), new KeptReceipt(receipt, sequence));
            boolean repeated = before != null && before.receipt().status() == ReceiptStatus.DELIVERED;
            if (receipt.status() == ReceiptStatus.DELIVERED && !repeated && entry.commit != null) {
                delivered(entry.manifest, entry.commit, receipt);
            }
            if (receipt.status().isFinal()) {
                entry.owed.remove(receipt.subscription());
            }
            tidy(entry);
        }
    }

    private void delivered(Manifest manifest, Commit commit, Receipt receipt) {
        Map<String, Replica> there = copies.computeIfAbsent(
                manifest.topic().name() + " " + receipt.subscription(), unused -> new TreeMap<>());
        String name = manifest.name();
        boolean patch = manifest.kind() == TransferKind.PATCH;
        if (manifest.kind() == TransferKind.FILE || patch) {
            Replica replica = new Replica(
                    manifest.topic(),
                    receipt.subscription(),
                    manifest.key(),
                    name,
                    patch ? -1 : commit.sizeBytes(),
                    patch ? null : commit.digest(),
                    receipt.epochMillis());
            there.put(name, replica);
        } else if (manifest.kind() == TransferKind.DELETE) {
            there.remove(name);
        } else if (manifest.kind() == TransferKind.RENAME) {
            String target = Objects.requireNonNull(manifest.attributes().get(Attributes.RENAMED_TO));
            there.keySet().removeIf(each -> each.equals(target) || each.startsWith(target + "/"));
            for (String each : List.copyOf(there.keySet())) {
                if (each.equals(name) || each.startsWith(name + "/")) {
                    there.put(target + each.substring(name.length()), Objects.requireNonNull(there.remove(each)));
                }
            }
        }
    }

    @Override
    public synchronized void replicas(String name, Outcome.Callback<List<Replica>> done) {
        answer(
                done,
                () -> Outcome.of(copies.values().stream()
                        .filter(there -> there.containsKey(name))
                        .map(there -> there.get(name))
                        .toList()));
    }

    private void tidy(Entry entry) {
        if (entry.commit != null && !entry.deliverySet.isEmpty() && entry.owed.isEmpty()) {
            entry.payloads.clear();
            if (entry.acknowledged.containsAll(entry.deliverySet)) {
                entries.remove(entry.manifest.key());
                gone.add(entry.manifest.key());
            }
        }
    }

    @Override
    public synchronized void appendFragment(Fragment fragment, Outcome.Callback<Long> durable) {
        sequence++;
        store(fragment);
        long number = sequence;
        answer(durable, () -> Outcome.of(number));
    }

    private void store(Fragment fragment) {
        Entry entry = entries.get(fragment.key());
        boolean released =
                entry != null && entry.commit != null && !entry.deliverySet.isEmpty() && entry.owed.isEmpty();
        if (entry != null && !released) {
            byte[] bytes = new byte[fragment.length()];
            fragment.buffer().payload(fragment.offset(), fragment.length()).get(bytes);
            entry.payloads.put(fragment.index(), bytes);
            entry.fragments.put(fragment.index(), fragment);
            entry.durable.add(fragment.index());
        }
    }

    @Override
    public synchronized void appendSmall(
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            List<String> deliverySet,
            Outcome.Callback<Long> durable) {
        sequence++;
        apply(new RelayRecord.Opened(manifest));
        if (fragment.length() > 0) {
            store(fragment);
        }
        commit(manifest.key(), commit, deliverySet);
        long number = sequence;
        answer(durable, () -> Outcome.of(number));
    }

    @Override
    public synchronized void read(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        answer(done, () -> {
            Entry entry = entries.get(key);
            byte[] bytes = entry == null ? null : entry.payloads.get(index);
            if (entry == null || bytes == null) {
                return Outcome.refused(ErrorCode.NOT_FOUND, "not kept");
            }
            FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
            buffer.payload(0, bytes.length).put(bytes);
            Fragment first = Objects.requireNonNull(entry.fragments.get(index));
            return Outcome.of(new Fragment(key, index, bytes.length, first.crc32c(), first.leaf(), buffer, 0));
        });
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor) {
        return SpaceAnswer.yes();
    }

    @Override
    public SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length) {
        return SpaceAnswer.yes();
    }

    @Override
    public boolean fitsAlone(Manifest manifest) {
        return true;
    }

    @Override
    public Set<String> quotas(Manifest manifest) {
        return Set.of();
    }

    /** It lets everything in, whoever it is of. */
    @Override
    public void charge(QuotaResolver tenants) {}

    @Override
    public void chargeAgain(NodeId publisher) {}

    @Override
    public List<QuotaUse> quotaUses() {
        return List.of();
    }

    @Override
    public synchronized void lookup(TransferKey key, Outcome.Callback<Lookup> done) {
        answer(done, () -> {
            Entry entry = entries.get(key);
            if (entry == null) {
                return Outcome.of(
                        new Lookup(gone.contains(key) ? StoredTransfer.State.GONE : StoredTransfer.State.ABSENT, null));
            }
            return Outcome.of(new Lookup(
                    entry.commit == null ? StoredTransfer.State.OPEN : StoredTransfer.State.COMMITTED, entry.toKept()));
        });
    }

    private List<Entry> byCommit() {
        return entries.values().stream()
                .filter(entry -> entry.commit != null)
                .sorted(Comparator.comparingLong(entry -> entry.commitSequence))
                .toList();
    }

    @Override
    public synchronized void owed(
            String subscription, long afterSequence, int limit, Outcome.Callback<List<KeptTransfer>> done) {
        answer(
                done,
                () -> Outcome.of(byCommit().stream()
                        .filter(entry -> entry.owed.contains(subscription) && entry.commitSequence > afterSequence)
                        .limit(limit)
                        .map(Entry::toKept)
                        .toList()));
    }

    @Override
    public synchronized void overdue(
            String subscription, long committedBeforeMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        answer(
                done,
                () -> Outcome.of(byCommit().stream()
                        .filter(entry -> entry.owed.contains(subscription))
                        .limit(limit)
                        .filter(entry -> entry.committedMillis < committedBeforeMillis)
                        .map(entry -> entry.manifest.key())
                        .toList()));
    }

    @Override
    public synchronized void receipts(
            NodeId publisher, long afterSequence, int limit, Outcome.Callback<List<KeptReceipt>> done) {
        answer(
                done,
                () -> Outcome.of(entries.values().stream()
                        .filter(entry -> entry.manifest.key().publisher().equals(publisher))
                        .flatMap(entry -> entry.receipts.values().stream())
                        .filter(kept -> kept.sequence() > afterSequence)
                        .sorted(Comparator.comparingLong(KeptReceipt::sequence))
                        .limit(limit)
                        .toList()));
    }

    @Override
    public synchronized void receiptsMade(Outcome.Callback<Set<NodeId>> done) {
        answer(done, () -> {
            Set<NodeId> taken = Set.copyOf(receiptsMade);
            receiptsMade.clear();
            return Outcome.of(taken);
        });
    }

    @Override
    public synchronized void openSince(long epochMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        answer(
                done,
                () -> Outcome.of(entries.values().stream()
                        .filter(entry -> entry.commit == null && entry.changedMillis < epochMillis)
                        .map(entry -> entry.manifest.key())
                        .limit(limit)
                        .toList()));
    }

    @Override
    public synchronized void awaitingWord(String subscription, int limit, Outcome.Callback<List<TransferKey>> done) {
        answer(
                done,
                () -> Outcome.of(entries.values().stream()
                        .filter(entry -> entry.commit != null
                                && entry.owed.isEmpty()
                                && entry.deliverySet.contains(subscription)
                                && !entry.hasFinalWordOf(subscription))
                        .map(entry -> entry.manifest.key())
                        .limit(limit)
                        .toList()));
    }

    @Override
    public synchronized void openWithUnknownSize(String space, int limit, Outcome.Callback<List<TransferKey>> done) {
        answer(
                done,
                () -> Outcome.of(entries.values().stream()
                        .filter(entry ->
                                entry.commit == null && !entry.manifest.sizeKnown() && !entry.durable.isEmpty())
                        .map(entry -> entry.manifest.key())
                        .limit(limit)
                        .toList()));
    }

    @Override
    public synchronized void unclaimedSince(
            long epochMillis, boolean onlyReplies, int limit, Outcome.Callback<List<TransferKey>> done) {
        answer(
                done,
                () -> Outcome.of(entries.values().stream()
                        .filter(entry -> entry.commit != null
                                && entry.deliverySet.isEmpty()
                                && entry.changedMillis < epochMillis
                                && (!onlyReplies || entry.manifest.topic().isOfReplies()))
                        .map(entry -> entry.manifest.key())
                        .limit(limit)
                        .toList()));
    }

    @Override
    public synchronized void subscriptions(Outcome.Callback<List<SubscriptionSpec>> done) {
        answer(done, () -> Outcome.of(List.copyOf(subscriptions.values())));
    }

    @Override
    public synchronized void transfers(int limit, Outcome.Callback<List<StoredTransferStatus>> done) {
        answer(
                done,
                () -> Outcome.of(entries.values().stream()
                        .map(Entry::toStatus)
                        .limit(limit)
                        .toList()));
    }

    @Override
    public synchronized void search(
            Predicate<Manifest> wanted,
            TransferSearchPage.Start start,
            int rows,
            Outcome.Callback<TransferSearchPage> done) {
        List<Entry> page = entries.values().stream()
                .sorted(Comparator.comparingLong((Entry entry) -> entry.openedMillis)
                        .reversed())
                .skip(start.skip())
                .limit(rows)
                .toList();
        List<StoredTransferStatus> found = page.stream()
                .filter(entry -> wanted.test(entry.manifest))
                .map(Entry::toStatus)
                .toList();
        TransferSearchPage.Start next = page.size() < rows
                ? null
                : new TransferSearchPage.Start(start.openedEpochMillis(), start.skip() + rows);
        answer(done, () -> Outcome.of(new TransferSearchPage(found, List.of(), page.size(), next)));
    }

    @Override
    public synchronized void transfer(TransferKey key, Outcome.Callback<StoredTransferStatus> done) {
        answer(done, () -> {
            Entry entry = entries.get(key);
            return entry == null ? Outcome.refused(ErrorCode.NOT_FOUND, "not kept") : Outcome.of(entry.toStatus());
        });
    }

    @Override
    public synchronized void subscriptionStatus(Outcome.Callback<List<SubscriptionStatus>> done) {
        answer(done, () -> {
            List<SubscriptionStatus> all = new ArrayList<>();
            for (SubscriptionSpec spec : subscriptions.values()) {
                List<Entry> owed = byCommit().stream()
                        .filter(entry -> entry.owed.contains(spec.name()))
                        .toList();
                long bytes = owed.stream()
                        .mapToLong(entry -> Objects.requireNonNull(entry.commit).sizeBytes())
                        .sum();
                List<Entry> held =
                        owed.stream().filter(entry -> entry.owed.size() == 1).toList();
                long heldBytes = held.stream()
                        .mapToLong(entry -> Objects.requireNonNull(entry.commit).sizeBytes())
                        .sum();
                long oldest =
                        owed.isEmpty() ? 0 : owed.get(0).manifest.key().id().epochMillis();
                long committed = owed.isEmpty() ? 0 : owed.get(0).committedMillis;
                all.add(new SubscriptionStatus(spec, owed.size(), bytes, held.size(), heldBytes, oldest, committed));
            }
            return Outcome.of(all);
        });
    }

    @Override
    public DiskExecutor disk() {
        return new SteppedDisk();
    }

    @Override
    public synchronized StoreUsage sizes() {
        long used = entries.values().stream().mapToLong(Entry::keptBytes).sum();
        long reserved = entries.values().stream()
                .filter(entry -> entry.commit == null && entry.manifest.sizeKnown())
                .mapToLong(entry -> Math.max(0, entry.manifest.sizeBytes() - entry.keptBytes()))
                .sum();
        return new StoreUsage(used, reserved, 0, Long.MAX_VALUE, 0, 0, 0, 0, 0);
    }

    @Override
    public void close() {}
}
