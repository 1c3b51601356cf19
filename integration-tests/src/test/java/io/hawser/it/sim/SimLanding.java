package io.hawser.it.sim;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A landing area: fragments are forced and checked on what was read back, then VERIFIED is journaled, the file renamed, its
 * directory forced, DELIVERED journaled, and the receipt kept until it is acked. It may die between any two of these.
 */
final class SimLanding implements ReceiverStore {
    private record Opened(Manifest manifest) implements SimJournal.Entry {}

    private record Small(Manifest manifest, @Nullable StoredFragment fragment, Commit commit)
            implements SimJournal.Entry {
        @Override
        public void written() {
            if (fragment != null) {
                fragment.written();
            }
        }
    }

    private record Verified(TransferKey key, Commit commit) implements SimJournal.Entry {}

    private record Delivered(TransferKey key) implements SimJournal.Entry {}

    private record Cancelled(TransferKey key) implements SimJournal.Entry {}

    private record ReceiptForgotten(TransferKey key) implements SimJournal.Entry {}

    /** A transfer as the journal knows it. */
    private static final class Entry {
        final Manifest manifest;
        final Map<Long, StoredFragment> fragments = new TreeMap<>();
        final FragmentRanges durable = new FragmentRanges();
        boolean delivered;
        boolean receiptForgotten;

        @Nullable
        Commit commit;

        Entry(Manifest manifest) {
            this.manifest = manifest;
        }
    }

    private final SimConsumer consumer;
    private final SimChain chain;
    private final SimJournal<SimJournal.Entry> journal;
    /** Outlives the process, as the journal does. */
    private final SimDirectory directory = new SimDirectory();

    private final Map<TransferKey, Entry> entries = new LinkedHashMap<>();
    /** What is verified, in the order in which it became so: the order of publication after a crash, too. */
    private final List<TransferKey> verifiedInOrder = new ArrayList<>();

    private final Set<TransferKey> cancelled = new LinkedHashSet<>();
    private final ArrayDeque<TransferKey> toPublish = new ArrayDeque<>();
    private final Set<TransferKey> committing = new LinkedHashSet<>();
    private final Set<TransferKey> opening = new LinkedHashSet<>();
    private boolean publishing;

    SimLanding(SimConsumer consumer) {
        this.consumer = consumer;
        this.chain = consumer.chain;
        this.journal = new SimJournal<>(consumer, this::fold);
    }

    SimJournal<SimJournal.Entry> journal() {
        return journal;
    }

    private void fold(SimJournal.Entry record, long sequence) {
        if (record instanceof Opened opened) {
            opened(opened.manifest);
        } else if (record instanceof StoredFragment fragment) {
            stored(fragment);
        } else if (record instanceof Small small) {
            opened(small.manifest);
            if (small.fragment != null) {
                stored(small.fragment);
            }
            verified(small.manifest.key(), small.commit);
        } else if (record instanceof Verified verified) {
            verified(verified.key, verified.commit);
        } else if (record instanceof Delivered delivered) {
            entry(delivered.key).delivered = true;
        } else if (record instanceof Cancelled dropped) {
            entries.remove(dropped.key);
            cancelled.add(dropped.key);
        } else if (record instanceof ReceiptForgotten forgotten) {
            entry(forgotten.key).receiptForgotten = true;
        }
    }

    private Entry entry(TransferKey key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            throw new IllegalStateException(consumer + " does not know " + key);
        }
        return entry;
    }

    private void opened(Manifest manifest) {
        if (!cancelled.contains(manifest.key())) {
            entries.putIfAbsent(manifest.key(), new Entry(manifest));
        }
    }

    private void stored(StoredFragment fragment) {
        Entry entry = entries.get(fragment.key);
        boolean believed = chain.plan.bug == PlantedBug.REVERIFICATION_SKIPPED;
        if (entry != null && entry.commit == null && (believed || fragment.isIntact())) {
            entry.fragments.put(fragment.index, fragment);
            entry.durable.add(fragment.index);
        }
    }

    private void verified(TransferKey key, Commit commit) {
        Entry entry = entries.get(key);
        if (entry != null && entry.commit == null) {
            entry.commit = commit;
            verifiedInOrder.add(key);
        }
    }

    // --- what the receiver asks

    @Override
    public void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        journal.barrier(() -> done.accept(Outcome.of(stateOf(key))));
    }

    private StoredTransfer stateOf(TransferKey key) {
        Entry entry = chain.plan.bug == PlantedBug.DEDUPE_BY_NAME ? deliveredUnderThatName(key) : entries.get(key);
        if (cancelled.contains(key)) {
            return new StoredTransfer(StoredTransfer.State.GONE, new FragmentRanges());
        }
        if (entry == null) {
            return StoredTransfer.absent();
        }
        if (entry.commit == null) {
            return new StoredTransfer(StoredTransfer.State.OPEN, entry.durable.copy());
        }
        if (chain.plan.bug == PlantedBug.DEDUPE_DROPPED && entry.delivered) {
            entries.remove(key);
            return StoredTransfer.absent();
        }
        return new StoredTransfer(StoredTransfer.State.COMMITTED, entry.durable.copy());
    }

    private @Nullable Entry deliveredUnderThatName(TransferKey key) {
        String name = chain.truth(key).manifest().name();
        return entries.values().stream()
                .filter(entry -> entry.delivered && entry.manifest.name().equals(name))
                .findFirst()
                .orElse(entries.get(key));
    }

    @Override
    public void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        if (consumer.isFull()) {
            consumer.post(chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.NO_SPACE, "the disk is full")));
            return;
        }
        opening.add(manifest.key());
        journal.append(new Opened(manifest), outcome -> {
            opening.remove(manifest.key());
            if (cancelled.contains(manifest.key())) {
                done.accept(Outcome.refused(ErrorCode.ID_USED, "cancelled before"));
            } else {
                done.accept(answer(outcome, manifest));
            }
        });
    }

    @Override
    public void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        if (!entries.containsKey(fragment.key()) && !opening.contains(fragment.key())) {
            // Its OPEN was refused; the callbacks may come in any order.
            consumer.post(chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.NO_SPACE, "the disk is full")));
            return;
        }
        chain.invariants.refuseDontCorrupt.storing(fragment);
        StoredFragment stored = new StoredFragment(fragment);
        if (chain.strikes(Fault.RECORD_DAMAGED, 40)) {
            stored.damageWhenWritten(chain.random.nextInt(1024));
        }
        Outcome.Callback<Long> durable = outcome -> {
            if (!outcome.isRefused() && !leafAgrees(stored)) {
                done.accept(Outcome.refused(ErrorCode.DIGEST_MISMATCH, "read back wrong"));
            } else {
                publishTooEarly(fragment.key());
                done.accept(answer(outcome, fragment));
            }
        };
        if (chain.plan.bug == PlantedBug.LANDING_ACK_BEFORE_FORCE) {
            journal.appendCarelessly(stored, outcome -> done.accept(answer(outcome, fragment)));
        } else {
            journal.append(stored, durable);
        }
    }

    private static boolean leafAgrees(StoredFragment stored) {
        return Arrays.equals(TreeDigest.leaf(ByteBuffer.wrap(stored.bytes())), stored.leaf);
    }

    private void publishTooEarly(TransferKey key) {
        if (chain.plan.bug == PlantedBug.PUBLISH_BEFORE_COMPLETE) {
            chain.invariants.published(consumer, key, contentOf(entry(key)));
        }
    }

    @Override
    public void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        journal.barrier(() -> commitWhatIsOpen(key, commit, done)); // its OPEN may still be being written
    }

    private void commitWhatIsOpen(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        Entry known = entries.get(key);
        if (committing.contains(key) || (known != null && known.commit != null)) {
            journal.barrier(() -> done.accept(Outcome.of(List.of(consumer.subscription()))));
            return;
        }
        if (known == null) {
            consumer.post(
                    chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "it is not open here")));
            return;
        }
        if (!digestOf(known, commit)) {
            consumer.post(
                    chain.quick(),
                    () -> done.accept(Outcome.refused(ErrorCode.DIGEST_MISMATCH, "the fragments do not make it")));
            return;
        }
        committing.add(key);
        makeLandingFile(key);
        journal.append(new Verified(key, commit), outcome -> onVerified(key, outcome, done));
    }

    private static boolean digestOf(Entry entry, Commit commit) {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        entry.fragments.values().forEach(stored -> tree.add(TreeDigest.leaf(ByteBuffer.wrap(stored.bytes()))));
        return tree.count() == commit.fragmentCount()
                && tree.root(commit.sizeBytes(), entry.manifest.fragmentSizeBytes())
                        .equals(commit.digest());
    }

    @Override
    public void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        TransferKey key = manifest.key();
        Entry known = entries.get(key);
        if (committing.contains(key) || (known != null && known.commit != null)) {
            journal.barrier(() -> done.accept(Outcome.of(List.of(consumer.subscription()))));
            return;
        }
        if (consumer.isFull()) {
            consumer.post(chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.NO_SPACE, "the disk is full")));
            return;
        }
        committing.add(key);
        StoredFragment stored = null;
        if (fragment.length() > 0) {
            chain.invariants.refuseDontCorrupt.storing(fragment);
            stored = new StoredFragment(fragment);
        }
        makeLandingFile(key);
        journal.append(new Small(manifest, stored, commit), outcome -> onVerified(key, outcome, done));
    }

    /** The file is there, forced, before VERIFIED is journaled: VERIFIED without it means that it was published. */
    private void makeLandingFile(TransferKey key) {
        if (!chain.truth(key).manifest().kind().hasBytes()) {
            return;
        }
        directory.create(key);
        if (chain.plan.bug != PlantedBug.VERIFIED_BEFORE_FORCE) {
            directory.force();
        }
        if (chain.plan.bug == PlantedBug.RENAME_BEFORE_VERIFIED && entries.containsKey(key)) {
            directory.rename(key, entry(key).manifest.name());
            directory.force();
            chain.invariants.published(consumer, key, contentOf(entry(key)));
        }
    }

    private void onVerified(TransferKey key, Outcome<Long> outcome, Outcome.Callback<List<String>> done) {
        committing.remove(key);
        if (!outcome.isRefused()) {
            consumer.tell(key, ReceiptStatus.LANDED);
            toPublish.add(key);
            publishNext();
        }
        done.accept(answer(outcome, List.of(consumer.subscription())));
    }

    @Override
    public void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        Entry known = entries.get(key);
        if (committing.contains(key) || (known != null && known.commit != null)) {
            consumer.post(chain.quick(), () -> done.accept(Outcome.refused(ErrorCode.ID_USED, "it is committed")));
            return;
        }
        journal.append(new Cancelled(key), outcome -> done.accept(answer(outcome, key)));
    }

    @Override
    public void receiptAcked(TransferKey key, String subscription, ReceiptStatus status) {
        Entry entry = entries.get(key);
        if (entry != null && status.isFinal() && entry.delivered) {
            journal.append(new ReceiptForgotten(key), outcome -> {});
        }
    }

    private static <T> Outcome<T> answer(Outcome<Long> outcome, T value) {
        return outcome.isRefused() ? new Outcome<>(null, outcome.refusal()) : Outcome.of(value);
    }

    // --- publishing

    private void publishNext() {
        if (publishing || toPublish.isEmpty()) {
            return;
        }
        publishing = true;
        TransferKey key = toPublish.removeFirst();
        consumer.post(chain.quick(), () -> rename(key));
    }

    private void rename(TransferKey key) {
        Entry entry = entry(key);
        if (!entry.manifest.kind().hasBytes()) {
            changeNames(entry);
            return;
        }
        boolean again = chain.plan.bug == PlantedBug.REPUBLISH_WHEN_FILE_IS_GONE && !directory.hasLandingFile(key);
        if (directory.hasLandingFile(key) || again) {
            if (directory.rename(key, entry.manifest.name())) {
                chain.count(Fault.NAME_OVERWRITTEN);
            }
            chain.invariants.published(consumer, key, contentOf(entry));
            if (chain.strikes(Fault.FILE_TAKEN_AWAY, 3)) {
                consumer.post(chain.quick() / 2, () -> takeAway(key));
            }
        }
        forceAndTell(key);
    }

    /** Done by what is there: order by path keeps later objects of these names back until it is delivered. */
    private void changeNames(Entry entry) {
        Manifest manifest = entry.manifest;
        if (manifest.kind() == TransferKind.DELETE) {
            directory.unlink(manifest.name());
        } else if (manifest.kind() == TransferKind.RENAME) {
            directory.move(manifest.name(), manifest.attributes().getOrDefault(Attributes.RENAMED_TO, ""));
        }
        chain.invariants.namesChanged(consumer, manifest.key());
        forceAndTell(manifest.key());
    }

    private void forceAndTell(TransferKey key) {
        consumer.post(chain.quick(), () -> {
            if (chain.plan.bug != PlantedBug.NO_DIRECTORY_FORCE) {
                directory.force();
            }
            journal.append(new Delivered(key), outcome -> {
                publishing = false;
                if (!outcome.isRefused()) {
                    consumer.tell(key, ReceiptStatus.DELIVERED);
                    publishNext();
                }
            });
        });
    }

    /** The application moves the file away and makes sure that this lasts; with it all earlier changes last. */
    private void takeAway(TransferKey key) {
        String name = entry(key).manifest.name();
        if (key.equals(directory.visible().get(name))) {
            if (!entry(key).delivered) {
                chain.count(Fault.TAKEN_BETWEEN_RENAME_AND_ACK);
            }
            directory.unlink(name);
            directory.force();
        }
    }

    /** The file that stands at a name, null if none does. */
    @Nullable
    TransferKey standsAt(String name) {
        return directory.visible().get(name);
    }

    SimDirectory directory() {
        return directory;
    }

    /** What has been delivered here. */
    List<Manifest> delivered() {
        return entries.values().stream()
                .filter(entry -> entry.delivered)
                .map(entry -> entry.manifest)
                .toList();
    }

    /** The machine is a new one. Only while its process is down. */
    void wipe() {
        journal.wipe();
        directory.wipe();
    }

    private static byte[] contentOf(Entry entry) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        entry.fragments.values().forEach(stored -> content.writeBytes(stored.bytes()));
        return content.toByteArray();
    }

    // --- crashes

    void crash(boolean powerCut) {
        for (Map.Entry<TransferKey, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            if (entry.commit != null
                    && !entry.delivered
                    && entry.manifest.kind().hasBytes()
                    && !directory.hasLandingFile(each.getKey())) {
                chain.count(Fault.CRASH_BETWEEN_RENAME_AND_ACK);
            }
        }
        if (powerCut) {
            int kept = chain.surviving(directory.unforcedCount(), true);
            for (TransferKey undone : directory.powerCut(kept)) {
                chain.count(Fault.RENAME_UNDONE);
                chain.invariants.exactlyOnceDelivery.undone(consumer, undone);
            }
        }
        journal.crash(powerCut);
        entries.clear();
        verifiedInOrder.clear();
        cancelled.clear();
        committing.clear();
        opening.clear();
        toPublish.clear();
        publishing = false;
    }

    /** While the process is down bits flip in fragments of transfers that still come in. */
    void damageWhileDown() {
        for (Entry entry : entries.values()) {
            if (entry.commit == null && !committing.contains(entry.manifest.key())) {
                for (StoredFragment stored : entry.fragments.values()) {
                    if (stored.isIntact() && chain.strikes(Fault.LANDING_DAMAGED_WHILE_DOWN, 3)) {
                        stored.damage(chain.random.nextInt(1024));
                        chain.invariants.durableAck.damaged(consumer, stored.key, stored.index);
                        chain.invariants.resumeFromDurable.unreadable();
                    }
                }
            }
        }
    }

    void recover(Runnable ready) {
        journal.recover(() -> {
            for (TransferKey key : verifiedInOrder) {
                if (!entry(key).delivered) {
                    toPublish.add(key);
                }
            }
            ready.run();
            publishNext();
        });
    }

    // --- what the invariants ask

    boolean hasDurably(TransferKey key, long start, long end) {
        Entry entry = entries.get(key);
        return entry != null && (entry.commit != null || entry.durable.containsAll(start, end));
    }

    boolean hasVerified(TransferKey key) {
        Entry entry = entries.get(key);
        return entry != null && entry.commit != null;
    }

    boolean isIdle() {
        return toPublish.isEmpty() && !publishing;
    }

    List<Receipt> pendingReceipts() {
        return entries.entrySet().stream()
                .filter(each -> each.getValue().delivered && !each.getValue().receiptForgotten)
                .map(each -> consumer.receipt(each.getKey(), ReceiptStatus.DELIVERED))
                .toList();
    }
}
