package io.hawser.broker.store;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayStore;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All that a store says, without what differs between stores (sequence numbers, times): two that agree are equal. */
public record StoreAnswers(
        Set<TransferKey> unclaimed,
        List<String> lookups,
        List<String> owed,
        List<Receipt> receipts,
        List<String> subscriptions,
        List<String> replicas,
        long used,
        long reserved) {

    /** Asks everything about the first {@code transfers} transfers, and reads every fragment that is kept. */
    public static StoreAnswers of(BrokerStore store, StoreDriver driver, int transfers) {
        // First, since the store has not written all changes to its index then.
        Set<TransferKey> unclaimed = Set.copyOf(StoreDriver.<List<TransferKey>>await(
                done -> store.unclaimedSince(Long.MAX_VALUE, false, transfers + 1, done)));
        List<String> lookups = new ArrayList<>();
        for (long number = 1; number <= transfers; number++) {
            lookups.add(lookup(driver, StoreDriver.key(number), number));
        }
        List<String> replicas = new ArrayList<>();
        for (long number = 1; number <= transfers; number++) {
            String name = StoreDriver.manifest(number, 0).name();
            driver.replicas(name).forEach(each -> replicas.add(name + " " + each));
        }
        List<SubscriptionStatus> status = StoreDriver.await(done -> store.subscriptionStatus(done));
        List<String> owed = new ArrayList<>();
        for (SubscriptionStatus one : status) {
            owed.add(one.spec().name() + " is owed " + driver.owed(one.spec().name()));
        }
        return new StoreAnswers(
                unclaimed,
                lookups,
                owed,
                driver.receipts().stream().map(RelayStore.KeptReceipt::receipt).toList(),
                status.stream()
                        .map(one -> one.spec() + " " + one.owedTransfers() + " " + one.owedBytes() + " alone "
                                + one.heldTransfers() + " " + one.heldBytes())
                        .toList(),
                replicas,
                store.sizes().usedBytes(),
                store.sizes().reservedBytes());
    }

    private static String lookup(StoreDriver driver, TransferKey key, long number) {
        RelayStore.Lookup lookup = driver.lookup(key);
        KeptTransfer kept = lookup.transfer();
        if (kept == null) {
            return number + " " + lookup.state();
        }
        List<String> readable = new ArrayList<>();
        for (long index = kept.durable().firstPresent(0);
                index >= 0;
                index = kept.durable().firstPresent(index + 1)) {
            byte[] bytes = tryRead(driver, key, index);
            if (bytes != null) {
                byte[] expected = StoreDriver.content(number, index, bytes.length);
                readable.add(index + (Arrays.equals(bytes, expected) ? "" : " WRONG"));
            }
        }
        return number + " " + lookup.state() + " durable " + kept.durable() + " committed " + (kept.commit() != null)
                + " set " + new TreeSet<>(kept.deliverySet())
                + " owed " + new TreeSet<>(kept.owed()) + " readable " + readable;
    }

    private static byte @Nullable [] tryRead(StoreDriver driver, TransferKey key, long index) {
        try {
            return driver.read(key, index);
        } catch (StoreDriver.RefusedException e) {
            return null;
        }
    }
}
