package io.hawser.store.spool;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.JournalUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of a spool, by id and by name, and the last states of some that have ended.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class TransferRegister {
    private final Map<TransferId, SpoolTransfer> byId = new HashMap<>();
    /** The newest of each name; older ones are linked from it. */
    private final Map<Name, SpoolTransfer> byName = new HashMap<>();
    /** Committed at the next hop, the longest so first. */
    private final Map<TransferId, SpoolTransfer> awaitingReceipts = new LinkedHashMap<>();

    /** Those of them whose content is perhaps still kept. */
    private final Set<SpoolTransfer> keptForReading = new LinkedHashSet<>();

    private final Map<TransferId, TransferSnapshot> ended;
    /** Those of them that touched a path last. */
    private final Map<Name, TransferSnapshot> endedByPath = new HashMap<>();

    private final PathIndex touched = new PathIndex();
    private final JournalUse journalUse;
    private final UnfollowedTransfers unfollowed;
    private final LongSupplier steadyNanos;

    private record Name(Topic topic, String name) {
        // Written out for the same reason as in TransferKey.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name that && name.equals(that.name) && topic.equals(that.topic);
        }

        @Override
        public int hashCode() {
            return 31 * topic.hashCode() + name.hashCode();
        }
    }

    /** Nothing else needs the journal. */
    TransferRegister(SpoolConfig.Bounds bounds, LongSupplier steadyNanos) {
        this(bounds, steadyNanos, new JournalUse());
    }

    /**
     * @param steadyNanos the clock of the transfers' progress
     * @param journalUse counts what of the journal the transfers need
     */
    TransferRegister(SpoolConfig.Bounds bounds, LongSupplier steadyNanos, JournalUse journalUse) {
        this.steadyNanos = steadyNanos;
        this.journalUse = journalUse;
        this.ended = new EvictingMap<>(bounds.maxRemembered(), (id, state) -> forgetPaths(state));
        this.unfollowed = new UnfollowedTransfers(bounds.maxAwaitingReceipts());
    }

    LongSupplier steadyNanos() {
        return steadyNanos;
    }

    void add(SpoolTransfer transfer) {
        byId.put(transfer.key().id(), transfer);
        transfer.olderOfSameName = byName.put(nameOf(transfer), transfer);
        touched.add(transfer);
        journalUse.add(transfer.footprint());
    }

    /** {@code known} replaces {@code unborn} from here on; both have one key and one name. */
    void replace(SpoolTransfer unborn, SpoolTransfer known) {
        byId.remove(unborn.key().id());
        removeName(unborn);
        add(known);
    }

    /** Forgets a transfer without a trace. */
    void forget(SpoolTransfer transfer) {
        byId.remove(transfer.key().id());
        removeName(transfer);
    }

    /** Forgets a transfer, but for its last state. */
    void remove(SpoolTransfer transfer) {
        byId.remove(transfer.key().id());
        awaitingReceipts.remove(transfer.key().id());
        keptForReading.remove(transfer);
        removeName(transfer);
        TransferSnapshot last = transfer.snapshot();
        for (String path : last.manifest().paths()) {
            endedByPath.put(new Name(last.manifest().topic(), path), last);
        }
        ended.put(transfer.key().id(), last);
    }

    private void forgetPaths(TransferSnapshot state) {
        for (String path : state.manifest().paths()) {
            endedByPath.remove(new Name(state.manifest().topic(), path), state);
        }
    }

    private void removeName(SpoolTransfer transfer) {
        touched.remove(transfer);
        journalUse.remove(transfer.footprint());
        Name name = nameOf(transfer);
        SpoolTransfer newest = byName.get(name);
        if (newest == transfer) {
            if (transfer.olderOfSameName == null) {
                byName.remove(name);
            } else {
                byName.put(name, transfer.olderOfSameName);
            }
            return;
        }
        for (SpoolTransfer at = newest; at != null; at = at.olderOfSameName) {
            if (at.olderOfSameName == transfer) {
                at.olderOfSameName = transfer.olderOfSameName;
            }
        }
    }

    UnfollowedTransfers unfollowed() {
        return unfollowed;
    }

    PathIndex touched() {
        return touched;
    }

    /** What of the journal the transfers need. */
    JournalUse journalUse() {
        return journalUse;
    }

    /** It is committed at the next hop. */
    void awaitsReceipts(SpoolTransfer transfer) {
        awaitingReceipts.put(transfer.key().id(), transfer);
        keptForReading.add(transfer);
    }

    /** The next hop does not have it any more: it is offered again. */
    void awaitsNoReceipts(SpoolTransfer transfer) {
        awaitingReceipts.remove(transfer.key().id());
        keptForReading.remove(transfer);
    }

    /** Those that are committed at the next hop, the longest so first, as a copy. */
    List<SpoolTransfer> awaitReceipts() {
        return List.copyOf(awaitingReceipts.values());
    }

    /** The transfer that has waited longest for its receipts, if more than {@code limit} do. */
    @Nullable
    SpoolTransfer overdue(int limit) {
        return awaitingReceipts.size() > limit
                ? awaitingReceipts.values().iterator().next()
                : null;
    }

    /**
     * Takes the transfer that is committed at the next hop for longest of those whose content is still kept: each is given at
     * most once.
     */
    @Nullable
    SpoolTransfer takeKeptForReading() {
        while (!keptForReading.isEmpty()) {
            SpoolTransfer oldest = keptForReading.iterator().next();
            keptForReading.remove(oldest);
            if (oldest.isContentKept()) {
                return oldest;
            }
        }
        return null;
    }

    @Nullable
    SpoolTransfer get(TransferKey key) {
        SpoolTransfer found = byId.get(key.id());
        return found != null && found.key().equals(key) ? found : null;
    }

    @Nullable
    TransferSnapshot ended(TransferKey key) {
        TransferSnapshot found = ended.get(key.id());
        return found != null && found.key().equals(key) ? found : null;
    }

    /** The last transfer that touched that path and has ended, if it is remembered. */
    @Nullable
    TransferSnapshot lastEnded(Topic topic, String path) {
        return endedByPath.get(new Name(topic, path));
    }

    @Nullable
    SpoolTransfer newest(Topic topic, String name, Predicate<SpoolTransfer> wanted) {
        SpoolTransfer at = byName.get(new Name(topic, name));
        while (at != null && !wanted.test(at)) {
            at = at.olderOfSameName;
        }
        return at;
    }

    List<SpoolTransfer> allOf(Topic topic, String name) {
        List<SpoolTransfer> found = new ArrayList<>();
        for (SpoolTransfer at = byName.get(new Name(topic, name)); at != null; at = at.olderOfSameName) {
            found.add(at);
        }
        return found;
    }

    Collection<SpoolTransfer> all() {
        return byId.values();
    }

    /** A copy, by ascending number. */
    List<SpoolTransfer> byNumber() {
        List<SpoolTransfer> all = new ArrayList<>(byId.values());
        all.sort(Comparator.comparingLong(transfer -> transfer.manifest().number()));
        return all;
    }

    /** Those for which {@code wanted} holds, as a copy. */
    List<SpoolTransfer> allIf(Predicate<SpoolTransfer> wanted) {
        return byId.values().stream().filter(wanted).toList();
    }

    Collection<TransferSnapshot> ended() {
        return ended.values();
    }

    int pending() {
        return byId.size() - awaitingReceipts.size();
    }

    int awaitingReceipts() {
        return awaitingReceipts.size();
    }

    private static Name nameOf(SpoolTransfer transfer) {
        return new Name(transfer.manifest().topic(), transfer.manifest().name());
    }
}
