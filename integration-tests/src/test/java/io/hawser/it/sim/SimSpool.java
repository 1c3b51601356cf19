package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.reference.ReferenceSpool;
import io.hawser.it.reference.SpoolComparison;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolOutlet;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.SpoolSender;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The spool that ships, on a simulated disk, and the sender that publishes what it has; what it announces is watched. */
final class SimSpool {
    static final Path DIRECTORY = Path.of("/spool");
    static final Path DATA = DIRECTORY.resolve("data");
    /** What the spool says of content that the disk has changed. */
    static final String DAMAGED = "Its bytes in the spool are damaged";
    /** Ends what it says of them when a newer upload is there. */
    static final String REPLACED = "a newer upload has replaced it";

    private static final int SEGMENT_BYTES = 128 << 10;

    private final SimPublisher publisher;
    private final SimChain chain;
    private final SimDisk disk;
    /** What the spool had at its last start, of transfers that it still offers. */
    private final Map<TransferKey, FragmentRanges> found = new LinkedHashMap<>();

    private final Set<TransferKey> foundComplete = new HashSet<>();
    private @Nullable DiskSpool spool;
    private @Nullable SpoolSender sender;
    private boolean failed;

    SimSpool(SimPublisher publisher) {
        this.publisher = publisher;
        this.chain = publisher.chain;
        this.disk = publisher.disk();
    }

    /** Opens it, as a start of the node does. False if the node died of it. */
    boolean open(FragmentBufferPool pool) {
        failed = false;
        found.clear();
        foundComplete.clear();
        return disk.boot(() -> {
            writeIdentity();
            ReferenceSpool documents = ReferenceSpool.read(disk.raw(), DIRECTORY);
            DiskSpool opened = DiskSpool.open(
                    disk.door(),
                    DIRECTORY,
                    config(),
                    pool,
                    publisher.digests(),
                    publisher.loop(),
                    publisher.runtime(disk));
            List<String> differences = SpoolComparison.differences(documents, opened);
            Invariants.check(
                    differences.isEmpty(),
                    InvariantName.DURABLE_ACK,
                    publisher + " does not say what the documents find in its spool",
                    differences);
            spool = opened;
            SpoolSender made = new SpoolSender(opened, chain.plan.hop, cause -> failed = true);
            sender = made;
            opened.start(new WatchedOutlet(made));
        });
    }

    /** The node's identity is that of its sessions. */
    private void writeIdentity() throws StorageException {
        Path file = DIRECTORY.resolve("node.id");
        if (disk.raw().facts(file) == null) {
            disk.raw().createDirectories(DIRECTORY);
            disk.raw().replaceAll(file, (publisher.id + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    private SpoolConfig config() {
        SpoolConfig config = SpoolConfig.defaults()
                .withJournal(SEGMENT_BYTES, 0)
                .withKeepUntilDelivered(chain.plan.originKeepsCopies);
        return new SpoolConfig(
                new SpoolConfig.Space(Long.MAX_VALUE, SimDisk.HEAD_ROOM_BYTES, Duration.ofSeconds(2)),
                config.bounds(),
                config.keeping(),
                config.journal());
    }

    Spool spool() {
        DiskSpool opened = spool;
        if (opened == null) {
            throw new IllegalStateException(publisher + " is not open");
        }
        return opened;
    }

    SpoolSender sender() {
        SpoolSender made = sender;
        if (made == null) {
            throw new IllegalStateException(publisher + " is not open");
        }
        return made;
    }

    boolean hasFailed() {
        return failed;
    }

    Optional<TransferSnapshot> state(TransferKey key) {
        return spool().state(key);
    }

    boolean hasReceipt(TransferKey key, String subscription) {
        return state(key)
                .map(state ->
                        state.receipts().stream().map(Receipt::subscription).anyMatch(subscription::equals))
                .orElse(chain.isCompleted(key) || chain.hasCommitted(key)); // what has ended is forgotten after a while
    }

    /** As a publisher does that forgets when it has sent. */
    void forget(TransferKey key) {
        try {
            disk.raw().delete(DATA.resolve(key.id() + ".data"));
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    void crash(boolean powerCut) {
        spool = null;
        sender = null;
        disk.crash(powerCut);
    }

    /** While the process is down a bit flips in what has not left. */
    void damageWhileDown() {
        for (TransferSnapshot state : spool().states()) {
            boolean isOffered = state.phase() == SpoolPhase.SPOOLED;
            Path data = DATA.resolve(state.key().id() + ".data");
            FileFacts facts = isOffered ? facts(data) : null;
            if (facts != null && facts.sizeBytes() > 0 && chain.strikes(Fault.SPOOL_DAMAGED_WHILE_DOWN, 4)) {
                disk.raw().flipBit(data, 8 * chain.random.nextLong(state.durableBytes()));
            }
        }
    }

    private @Nullable FileFacts facts(Path path) {
        try {
            return disk.raw().facts(path);
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the last start found that fragment of a transfer that it offers; or does not offer it. */
    boolean hasFound(TransferKey key, FragmentRange range) {
        Optional<TransferSnapshot> state = state(key);
        FragmentRanges durable = found.get(key);
        if (durable == null || state.isEmpty() || isPast(state.get())) {
            return state.map(SimSpool::isPast)
                    .orElse(chain.isCancelled(key) || chain.isCompleted(key) || chain.hasCommitted(key));
        }
        return durable.containsAll(range.start(), range.end());
    }

    /** What it has of a transfer, for people. */
    String describe(TransferKey key) {
        return found.get(key) + " of " + state(key);
    }

    private static boolean isPast(TransferSnapshot state) {
        return state.phase().isFinal() || state.phase() == SpoolPhase.BROKERED;
    }

    /** Notes what is offered at a start. */
    private final class WatchedOutlet implements SpoolOutlet {
        private final SpoolOutlet outlet;

        WatchedOutlet(SpoolOutlet outlet) {
            this.outlet = outlet;
        }

        @Override
        public void pending(Manifest manifest, FragmentRanges durable, @Nullable Commit commit, boolean fresh) {
            if (!fresh) {
                found.put(manifest.key(), durable.copy());
            }
            noteConfirmation(manifest);
            outlet.pending(manifest, durable, commit, fresh);
        }

        @Override
        public void small(Manifest manifest, Commit commit, Fragment inMemory) {
            noteConfirmation(manifest);
            outlet.small(manifest, commit, inMemory);
        }

        /** The spool makes patches of its own, for files that come again. */
        private void noteConfirmation(Manifest manifest) {
            if (manifest.kind() == TransferKind.PATCH && !chain.isKnown(manifest.key())) {
                chain.confirmation(manifest);
            }
        }

        @Override
        public void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory) {
            outlet.available(key, range, inMemory);
        }

        @Override
        public void committed(TransferKey key, Commit commit) {
            outlet.committed(key, commit);
        }

        @Override
        public boolean cancelled(TransferKey key, String reason) {
            if (!chain.isCompleted(key)) {
                chain.givenUp(key); // also by the spool itself, whose disk failed or to which a later one came
            } else if (state(key)
                    .map(TransferSnapshot::refusal)
                    .filter(why -> why.code() == ErrorCode.STORAGE_FAILED)
                    .isPresent()) {
                chain.lost(key);
            }
            return outlet.cancelled(key, reason);
        }

        @Override
        public void recalled(TransferKey key, String reason) {
            chain.trace(publisher, "recalls", key);
            outlet.recalled(key, reason);
        }

        @Override
        public boolean held(TransferKey key, boolean holds) {
            return outlet.held(key, holds);
        }

        @Override
        public void prioritised(TransferKey key, int priority) {
            outlet.prioritised(key, priority);
        }

        @Override
        public void withdrawn(TransferKey key) {
            chain.count(Fault.FILE_CONFIRMED);
            outlet.withdrawn(key);
        }

        @Override
        public void suspended(TransferKey key) {
            chain.trace(publisher, "suspends", key);
            outlet.suspended(key);
        }

        @Override
        public void resumed(TransferKey key) {
            chain.trace(publisher, "resumes", key);
            outlet.resumed(key);
        }

        @Override
        public void storageFailed(StorageException cause) {
            outlet.storageFailed(cause);
        }
    }
}
