package io.hawser.store.landing;

import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All transfers that are known: those between OPEN and their end, the receipts that are not acked, the tombstones. A key is in
 * one of the three at most.
 *
 * <p>Thread: the loop.
 */
final class LandingRegister {
    private final Map<TransferKey, LandingTransfer> landings = new LinkedHashMap<>();
    /** Some may not be any more. */
    private final Set<LandingTransfer> parked = new LinkedHashSet<>();

    private final Map<TransferKey, Receipt> receipts = new LinkedHashMap<>();
    private final Tombstones tombstones;
    private long manifestBytes;

    LandingRegister(Tombstones tombstones) {
        this.tombstones = tombstones;
    }

    @Nullable
    LandingTransfer landing(TransferKey key) {
        return landings.get(key);
    }

    /** A copy, so that the caller may change the register while it iterates. */
    List<LandingTransfer> landings() {
        return List.copyOf(landings.values());
    }

    /** The same without a copy, for a caller that changes nothing. */
    Collection<LandingTransfer> view() {
        return Collections.unmodifiableCollection(landings.values());
    }

    /** Those that are on the dead-letter list, the oldest letter first. It is asked with each delivery, and nearly always empty. */
    List<LandingTransfer> parked() {
        parked.removeIf(landing -> landing.state() != LandingState.PARKED);
        return List.copyOf(parked);
    }

    /** It is on the dead-letter list now. */
    void park(LandingTransfer landing) {
        parked.remove(landing);
        parked.add(landing);
    }

    /** What is announced in a new session: final receipts that are not acked, and what waits for its target. */
    List<Receipt> toAnnounce() {
        List<Receipt> announced = new ArrayList<>(receipts.values());
        for (LandingTransfer landing : landings.values()) {
            Receipt landed = landing.landedReceipt;
            if (landed != null) {
                announced.add(landed);
            }
        }
        return announced;
    }

    Tombstones tombstones() {
        return tombstones;
    }

    void add(LandingTransfer landing) {
        forget(landings.put(landing.key(), landing));
        manifestBytes += landing.manifest.weightBytes();
        if (landing.state() == LandingState.PARKED) {
            park(landing);
        }
    }

    void remove(LandingTransfer landing) {
        forget(landings.remove(landing.key()));
    }

    private void forget(@Nullable LandingTransfer gone) {
        manifestBytes -= gone == null ? 0 : gone.manifest.weightBytes();
    }

    /** The texts of the manifests of all that is not yet over, in bytes. */
    long manifestBytes() {
        return manifestBytes;
    }

    boolean contains(LandingTransfer landing) {
        return landings.get(landing.key()) == landing;
    }

    /** The transfer has ended; its receipt is kept. */
    void end(Receipt receipt) {
        forget(landings.remove(receipt.key()));
        receipts.put(receipt.key(), receipt);
    }

    /** A transfer that was not committed here has ended all the same; its receipt is kept instead of its tombstone. */
    void endUncommitted(Receipt receipt) {
        tombstones.remove(receipt.key());
        receipts.put(receipt.key(), receipt);
    }

    /** The receipt is acked. Returns its status; null if it was not kept. */
    @Nullable
    ReceiptStatus ack(TransferKey key, long nowMillis) {
        Receipt receipt = receipts.remove(key);
        if (receipt == null) {
            return null;
        }
        boolean delivered = receipt.status() == ReceiptStatus.DELIVERED;
        tombstones.add(key, delivered ? Tombstones.End.DELIVERED : Tombstones.End.FAILED, nowMillis);
        return receipt.status();
    }

    /** The receipt of a transfer that has ended: as it is kept, or as its tombstone has it. */
    @Nullable
    Receipt lastWord(TransferKey key, String subscription) {
        Receipt kept = receipts.get(key);
        Tombstones.Grave grave = tombstones.find(key);
        if (kept != null || grave == null || grave.end() == Tombstones.End.CANCELLED) {
            return kept;
        }
        return grave.end() == Tombstones.End.DELIVERED
                ? new Receipt(key, subscription, ReceiptStatus.DELIVERED, "", grave.sinceMillis())
                : new Receipt(
                        key,
                        subscription,
                        ReceiptStatus.FAILED,
                        "it failed before; the reason is not kept",
                        grave.sinceMillis());
    }

    /** Whether it was committed here and has ended. */
    boolean isFinished(TransferKey key) {
        Tombstones.End end = tombstones.endOf(key);
        return receipts.containsKey(key) || end == Tombstones.End.DELIVERED || end == Tombstones.End.FAILED;
    }

    boolean isCancelled(TransferKey key) {
        return tombstones.endOf(key) == Tombstones.End.CANCELLED;
    }

    boolean hasReceipt(TransferKey key) {
        return receipts.containsKey(key);
    }

    /** How many are not yet over. */
    int unfinished() {
        return landings.size() + receipts.size();
    }

    /** The state of {@code key} as its sender sees it. */
    StoredTransfer stored(TransferKey key) {
        LandingTransfer landing = landings.get(key);
        if (landing != null) {
            return landing.stored();
        }
        if (receipts.containsKey(key)) {
            return new StoredTransfer(StoredTransfer.State.COMMITTED, new FragmentRanges());
        }
        Tombstones.End end = tombstones.endOf(key);
        if (end == null) {
            return StoredTransfer.absent();
        }
        return new StoredTransfer(
                end == Tombstones.End.CANCELLED ? StoredTransfer.State.CANCELLED : StoredTransfer.State.GONE,
                new FragmentRanges());
    }

    /** What there is now, for people. */
    LandingStatus status(LandingContext context, long delivered, long failed, long damaged, int journalDamages) {
        long now = context.nowMillis();
        StorageException cause = context.answers().failure();
        return new LandingStatus(
                context.options().subscription(),
                context.options().directory().toString(),
                delivered,
                failed,
                damaged,
                journalDamages,
                landings.size(),
                landings.values().stream()
                        .mapToLong(landing -> landing.idleMillis(now))
                        .max()
                        .orElse(0),
                parked().size(),
                receipts.size(),
                context.ledger().promisedBytes(),
                context.ledger().freeBytes(),
                context.ledger().problem(context.options().directory().toString()),
                tombstones.size(),
                cause == null ? "" : String.valueOf(cause.getMessage()));
    }

    /** Those that are between OPEN and their end and whose key or name contains {@code text}, for people. */
    List<LandingTransferStatus> transfers(String text, long nowMillis) {
        return landings.values().stream()
                .filter(landing -> landing.manifest.name().contains(text)
                        || landing.key().toString().contains(text))
                .map(landing -> landing.status(nowMillis))
                .toList();
    }
}
