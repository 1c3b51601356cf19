package io.hawser.broker.store;

import io.hawser.broker.relay.RelayStore;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.store.runtime.DiskExecutor;
import java.util.List;
import java.util.function.Predicate;

/**
 * The relay's store with a lifecycle, and with the questions of the admin pages and of {@code hawser status}.
 *
 * <p>Thread: the relay's loop, as for {@link RelayStore}; {@link #sizes()}, {@link #quotaUses()} and {@link #close()} any.
 */
public interface BrokerStore extends RelayStore, AutoCloseable {
    /** Transfers that are kept, those begun last first; then the latest finished ones, as far as they are remembered. */
    void transfers(int limit, Outcome.Callback<List<StoredTransferStatus>> done);

    /**
     * A page of a search among the same ones, those begun last first; a transfer may be on two pages.
     *
     * @param wanted called by another thread
     * @param start {@link TransferSearchPage.Start#NEWEST}, or what the last page says
     * @param rows how many the page looks at, besides what is only in memory
     */
    void search(
            Predicate<Manifest> wanted,
            TransferSearchPage.Start start,
            int rows,
            Outcome.Callback<TransferSearchPage> done);

    /** One transfer; refused with {@code NOT_FOUND} if nothing is known of it. */
    void transfer(TransferKey key, Outcome.Callback<StoredTransferStatus> done);

    /**
     * Which far ends have a copy under that name, as far back as what they have published is remembered; by topic and subscription.
     */
    void replicas(String name, Outcome.Callback<List<Replica>> done);

    /** All subscriptions with what they have yet to get, by name. */
    void subscriptionStatus(Outcome.Callback<List<SubscriptionStatus>> done);

    /** What an ack of this store says of what it covers, in a word: durable on this machine's disk, or replicated. */
    default String ackMeaning() {
        return "durable";
    }

    /** What an operator should do something about, of the place where it is kept. Thread: any. */
    default List<HealthWarning> warnings() {
        return List.of();
    }

    /** Charges what is kept, and what comes, to those tenants from now on. */
    void charge(QuotaResolver tenants);

    /** The node's identity is known now: charges again what is kept of it. */
    void chargeAgain(NodeId publisher);

    /** How far each quota is used. */
    List<QuotaUse> quotaUses();

    /** Its disk threads. */
    DiskExecutor disk();

    /** How full it is. */
    StoreUsage sizes();

    /** Writes what waits and closes. Blocks. Callbacks that are still to come are made. Idempotent. */
    @Override
    void close();
}
