package io.hawser.it.sim;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.reference.LandingComparison;
import io.hawser.it.reference.ReferenceLanding;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.DirectoryTarget;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The landing area that ships and the directory that it delivers into, on a simulated disk: what goes in and comes out is watched, and so is
 * every name that becomes visible.
 */
final class SimLanding implements ReceiverStore {
    static final Path TARGET = Path.of("/site");
    static final Path LANDING = TARGET.resolve(LandingOptions.DIRECTORY_PREFIX + "s");
    static final Path FILES = LANDING.resolve("files");

    private static final int SEGMENT_BYTES = 64 << 10;
    private static final String PART = ".part";
    /** Of the whole file that a patch makes. */
    private static final String MERGED = ".merged";

    private final SimConsumer consumer;
    private final SimChain chain;
    private final SimDisk disk;
    /** Which object each published file is, by its inode. */
    private final Map<String, TransferKey> published = new HashMap<>();
    /** Names at which something has been published. */
    private final Set<Path> names = new HashSet<>();

    /** What is visible and not yet journaled as delivered. */
    private final Set<TransferKey> untold = new LinkedHashSet<>();

    private final Map<TransferKey, Manifest> delivered = new LinkedHashMap<>();
    private final Set<TransferKey> failed = new LinkedHashSet<>();
    /** Where that bug is planted: what the disk has changed and the landing area does not look at. */
    private final Map<TransferKey, Long> unseen = new HashMap<>();

    /** Of which a COMMIT has come in this life. */
    private final Set<TransferKey> committing = new LinkedHashSet<>();

    private @Nullable LandingArea area;

    SimLanding(SimConsumer consumer) {
        this.consumer = consumer;
        this.chain = consumer.chain;
        this.disk = consumer.disk();
        disk.door().onRename(this::renamed);
    }

    /** Opens it, as a start of the node does. False if the node died of it. */
    boolean open() {
        return disk.boot(() -> {
            disk.raw().createDirectories(TARGET);
            ReferenceLanding documents = ReferenceLanding.read(disk.raw(), LANDING);
            LandingArea opened = LandingArea.open(
                    disk.door(),
                    options(),
                    new WatchedTarget(),
                    consumer.runtime(disk),
                    consumer.loop(),
                    this::receipt);
            area = opened;
            LandingComparison.differences(
                    documents,
                    opened,
                    consumer.subscription(),
                    chain.keys(),
                    chain.plan.clockJumps(),
                    differences -> Invariants.check(
                            differences.isEmpty(),
                            InvariantName.DURABLE_ACK,
                            consumer + " does not say what the documents find in its landing area",
                            differences));
        });
    }

    private LandingOptions options() {
        boolean forgetful = chain.plan.bug == PlantedBug.DEDUPE_DROPPED;
        return LandingOptions.in(LANDING, consumer.subscription())
                .withLimits(100, forgetful ? 1 : 10_000, SimDisk.HEAD_ROOM_BYTES)
                .withJournal(SEGMENT_BYTES, 0)
                .withSpacePatience(Duration.ofMillis(300));
    }

    LandingArea area() {
        LandingArea opened = area;
        if (opened == null) {
            throw new IllegalStateException(consumer + " is not open");
        }
        return opened;
    }

    /** Whether its disk has failed: the node ends. */
    boolean hasFailed() {
        return area().failure() != null || area().fileFailure() != null;
    }

    private void receipt(Receipt receipt) {
        if (receipt.status() == ReceiptStatus.FAILED) {
            failed.add(receipt.key());
            if (chain.truth(receipt.key()).manifest().kind() == TransferKind.PATCH) {
                chain.count(Fault.CONFIRMATION_REFUSED);
            }
        } else if (receipt.status() == ReceiptStatus.DELIVERED) {
            untold.remove(receipt.key());
            delivered.put(receipt.key(), chain.truth(receipt.key()).manifest());
        }
        consumer.tell(receipt);
    }

    // --- what becomes visible

    private void renamed(Path from, Path to) {
        String name = from.getFileName().toString();
        String ending = name.endsWith(MERGED) ? MERGED : PART;
        if (!FILES.equals(from.getParent()) || FILES.equals(to.getParent()) || !name.endsWith(ending)) {
            return;
        }
        TransferKey key = TransferKey.parse(name.substring(0, name.length() - ending.length()));
        FileFacts facts = facts(to);
        if (facts != null) {
            published.put(facts.fileKey(), key);
        }
        if (!names.add(to)) {
            chain.count(Fault.NAME_OVERWRITTEN);
        }
        untold.add(key);
        Long damage = unseen.remove(key);
        if (damage != null) {
            disk.raw().flipBit(to, 8 * damage);
        }
        chain.invariants.published(consumer, key, content(to));
        if (chain.strikes(Fault.FILE_TAKEN_AWAY, 3)) {
            consumer.post(chain.quick() / 2, () -> takeAway(key, to));
        }
        if (consumer.isReady() && chain.cutsPowerAfterRename()) {
            chain.trace(consumer, "is about to lose its power after it renamed", key);
            disk.losePowerSoon();
        }
    }

    private @Nullable FileFacts facts(Path path) {
        try {
            return disk.raw().facts(path);
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] content(Path path) {
        try (StorageFile file = disk.raw().open(path, OpenMode.READ, FileIoMode.PAGE_CACHE)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
            file.read(bytes, 0);
            return bytes.array();
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The application moves the file away and makes sure that this lasts. */
    private void takeAway(TransferKey key, Path path) {
        if (!key.equals(at(path))) {
            return;
        }
        if (untold.contains(key)) {
            chain.count(Fault.TAKEN_BETWEEN_RENAME_AND_ACK);
        }
        try {
            disk.raw().delete(path);
            disk.raw().forceDirectory(path.getParent());
        } catch (StorageException e) {
            chain.trace(consumer, "cannot take away", path);
        }
    }

    private @Nullable TransferKey at(Path path) {
        FileFacts facts = facts(path);
        return facts == null || !facts.isFile() ? null : published.get(facts.fileKey());
    }

    /** The file that stands at a name, null if none does. */
    @Nullable
    TransferKey standsAt(String name) {
        return at(TARGET.resolve(name));
    }

    /** All names with what stands there. */
    Map<String, TransferKey> visible() {
        Map<String, TransferKey> names = new TreeMap<>();
        collect(TARGET, names);
        return names;
    }

    private void collect(Path directory, Map<String, TransferKey> names) {
        try {
            for (String name : disk.raw().list(directory)) {
                Path path = directory.resolve(name);
                TransferKey key = at(path);
                if (key != null) {
                    names.put(TARGET.relativize(path).toString(), key);
                } else if (!path.equals(LANDING)) {
                    collect(path, names);
                }
            }
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether it was a change of names, or a patch, that could not be done. */
    boolean hasFailed(TransferKey key) {
        TransferKind kind = chain.truth(key).manifest().kind();
        return failed.contains(key) && (!kind.hasBytes() || kind == TransferKind.PATCH);
    }

    /** What has been delivered here. */
    List<Manifest> delivered() {
        return List.copyOf(delivered.values());
    }

    /** The target that ships; what it does is told, and done wrong where that is planted. */
    private final class WatchedTarget implements DeliveryTarget {
        private final DeliveryTarget target = new DirectoryTarget(disk.door(), TARGET);

        @Override
        public io.hawser.core.hop.@Nullable Refusal check(Manifest manifest) {
            return target.check(manifest);
        }

        @Override
        public boolean takesFile() {
            return true;
        }

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
            if (chain.plan.bug == PlantedBug.REPUBLISH_WHEN_FILE_IS_GONE) {
                objects.forEach(this::republish);
            }
            target.deliver(objects, outcome -> {
                if (outcome instanceof DeliveryOutcome.Delivered done
                        && !done.object().manifest().kind().hasBytes()) {
                    chain.invariants.namesChanged(consumer, done.object().key());
                }
                results.accept(outcome);
            });
        }

        private void republish(VerifiedObject object) {
            if (object.mayBeDone() && object.manifest().kind() == TransferKind.FILE && facts(object.file()) == null) {
                chain.invariants.published(
                        consumer, object.key(), chain.truth(object.key()).content());
            }
        }
    }

    // --- what the receiver asks

    @Override
    public void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        if (chain.plan.bug == PlantedBug.DEDUPE_BY_NAME && isNameDelivered(key)) {
            consumer.post(
                    0,
                    () -> done.accept(Outcome.of(new StoredTransfer(
                            StoredTransfer.State.COMMITTED, new io.hawser.core.model.FragmentRanges()))));
        } else {
            area().lookup(key, done);
        }
    }

    private boolean isNameDelivered(TransferKey key) {
        String name = chain.truth(key).manifest().name();
        return delivered.values().stream().anyMatch(manifest -> manifest.name().equals(name));
    }

    @Override
    public void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        area().open(manifest, done);
    }

    @Override
    public void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        chain.invariants.refuseDontCorrupt.storing(fragment);
        area().fragment(fragment, outcome -> {
            if (chain.plan.bug == PlantedBug.PUBLISH_BEFORE_COMPLETE && !outcome.isRefused()) {
                publishTooEarly(fragment.key());
            }
            done.accept(outcome);
        });
    }

    private void publishTooEarly(TransferKey key) {
        Path part = FILES.resolve(key + PART);
        if (facts(part) != null) {
            chain.invariants.published(consumer, key, content(part));
        }
    }

    @Override
    public void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        committing.add(key);
        if (chain.plan.bug == PlantedBug.RENAME_BEFORE_VERIFIED) {
            publishTooEarly(key);
        }
        area().commit(key, commit, done);
    }

    @Override
    public void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        committing.add(manifest.key());
        if (fragment.length() > 0) {
            chain.invariants.refuseDontCorrupt.storing(fragment);
        }
        area().small(manifest, fragment, commit, done);
    }

    @Override
    public void recall(TransferKey key, String reason) {
        area().recall(key, reason);
    }

    @Override
    public void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        area().cancel(key, reason, done);
    }

    @Override
    public void receiptAcked(TransferKey key, String subscription, ReceiptStatus status) {
        area().receiptAcked(key, subscription, status);
    }

    // --- crashes

    /** The machine is a new one. Only while its process is down. */
    void wipe() {
        disk.wipe();
        published.clear();
        delivered.clear();
        failed.clear();
    }

    void crash(boolean powerCut) {
        if (!untold.isEmpty()) {
            chain.count(Fault.CRASH_BETWEEN_RENAME_AND_ACK);
        }
        if (area != null && area.fileFailure() != null) {
            chain.invariants.durableAck.incompleteFailed(consumer);
        }
        area = null;
        disk.crash(powerCut);
        if (powerCut) {
            for (TransferKey key : List.copyOf(published.values())) {
                if (facts(FILES.resolve(key + PART)) != null || facts(FILES.resolve(key + MERGED)) != null) {
                    chain.count(Fault.RENAME_UNDONE);
                    published.values().remove(key);
                    chain.invariants.exactlyOnceDelivery.undone(consumer, key);
                }
            }
        }
        untold.clear();
        committing.clear();
    }

    /** While the process is down bits flip in fragments of transfers that still come in. */
    void damageWhileDown() {
        area().transfers().stream()
                .filter(status -> status.state() == LandingState.OPEN && status.durableBytes() > 0)
                .map(status -> TransferKey.parse(status.transfer()))
                .filter(key -> !committing.contains(key))
                .filter(key -> chain.strikes(Fault.LANDING_DAMAGED_WHILE_DOWN, 3))
                .forEach(this::damage);
    }

    private void damage(TransferKey key) {
        Path part = FILES.resolve(key + PART);
        FileFacts facts = facts(part);
        if (facts != null && facts.sizeBytes() > 0) {
            long position = chain.random.nextLong(facts.sizeBytes());
            if (chain.plan.bug == PlantedBug.REVERIFICATION_SKIPPED) {
                unseen.put(key, position); // nobody looks, so it is there as well when the object is shown
            } else {
                disk.raw().flipBit(part, 8 * position);
            }
            chain.invariants.durableAck.damaged(consumer, key, position / chain.plan.fragmentSizeBytes);
            chain.invariants.resumeFromDurable.unreadable();
        }
    }

    /** What it holds, for people. */
    String describe() {
        LandingArea opened = area;
        return opened == null
                ? " is down"
                : " holds " + opened.transfers() + ", receipts " + opened.pendingReceipts() + ", untold " + untold;
    }

    /** Nothing waits for its directory. */
    boolean isIdle() {
        return untold.isEmpty()
                && area().transfers().stream()
                        .allMatch(status ->
                                status.state() == LandingState.OPEN || status.state() == LandingState.ABANDONED);
    }
}
